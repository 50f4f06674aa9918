import type { z } from 'zod/mini'

/**
 * Anyone; a signed-in owner or helper; an owner. `own` and `confirmed` are for those who have proven themselves within
 * the last quarter of an hour, by password or passkey: anybody signed in about the own account, and an owner about the rest.
 */
export type Access = 'public' | 'admin' | 'owner' | 'own' | 'confirmed'

/** The calls that may ask for the password first. */
export type AskingAccess = 'own' | 'confirmed'

type Shape = z.core.$ZodType | undefined

export type Endpoint<
  Who extends Access = Access,
  Params extends Shape = Shape,
  Query extends Shape = Shape,
  Body extends Shape = Shape,
  Reply extends Shape = Shape,
> = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: `/${string}`
  access: Who
  summary: string
  params?: Params
  query?: Query
  body?: Body
  /** Left out where the answer is a file and not JSON. */
  reply?: Reply
}

/** Any declared call. */
export type AnyEndpoint = Endpoint

/** Declares one call, once, for both sides: `serve()` answers it and `call()` makes it. */
export function endpoint<
  Who extends Access,
  Params extends Shape = undefined,
  Query extends Shape = undefined,
  Body extends Shape = undefined,
  Reply extends Shape = undefined,
>(declaration: Endpoint<Who, Params, Query, Body, Reply>): Endpoint<Who, Params, Query, Body, Reply> {
  return declaration
}

/**
 * A declared call by its address alone, with its types and without its schemas: those would bring zod into the script of a
 * first visit, a tenth of it.
 */
export function addressed<E extends AnyEndpoint>(method: E['method'], path: E['path']) {
  return { method, path } as E
}

type Sent<S extends Shape, Key extends string> = S extends z.core.$ZodType ? { [K in Key]: z.input<S> } : unknown
type Received<S extends Shape, Key extends string> = S extends z.core.$ZodType ? { [K in Key]: z.output<S> } : unknown

/** The input of a caller. */
export type InputOf<E> =
  E extends Endpoint<Access, infer P, infer Q, infer B, Shape> ? Sent<P, 'params'> & Sent<Q, 'query'> & Sent<B, 'body'> : never

/** The validated input of a handler. */
export type CheckedInputOf<E> =
  E extends Endpoint<Access, infer P, infer Q, infer B, Shape>
    ? Received<P, 'params'> & Received<Q, 'query'> & Received<B, 'body'>
    : never

export type ReplyOf<E> =
  E extends Endpoint<Access, Shape, Shape, Shape, infer R> ? (R extends z.core.$ZodType ? z.output<R> : undefined) : never
