import { useSyncExternalStore } from 'react'
import { readConfirmation } from '#contract/accounts.ts'
import type { Endpoint, InputOf, ReplyOf } from '#contract/endpoint.ts'
import type { ProblemCode } from '#contract/problems.ts'
import { CallError, call, callAny } from '../../api/call.ts'

/** The password dialog was cancelled: nothing was done, and no error is shown. */
export class NotConfirmed extends Error {}

/** One password dialog for all calls that wait for it. */
type Question = {
  /** The focused element when the call began. */
  opener: Element | null
  answered: Promise<void>
  onConfirmed(): void
  onCancelled(): void
}

let question: Question | undefined
const listeners = new Set<() => void>()

export function useQuestion() {
  return useSyncExternalStore(subscribe, () => question)
}

/** Runs a call; when the server requires the password first, asks for it and runs the call again. */
export async function confirmed<Answer>(run: () => Promise<Answer>): Promise<Answer> {
  // Before it runs: a button that becomes disabled loses the focus.
  const opener = document.activeElement
  try {
    return await run()
  } catch (error) {
    if (!isPasswordNeeded(error)) throw error
  }
  await ask(opener)
  return run()
}

/** A declared call that may require the password. */
export function callConfirmed<E extends Endpoint<'confirmed'>>(
  endpoint: E,
  ...input: unknown extends InputOf<E> ? [] : [InputOf<E>]
): Promise<ReplyOf<E>> {
  return confirmed(() => callAny(endpoint, input[0]))
}

/** For downloads, which the browser fetches itself. Throws NotConfirmed when the dialog is cancelled. */
export async function beConfirmed() {
  const opener = document.activeElement
  if ((await call(readConfirmation)).needed) await ask(opener)
}

function ask(opener: Element | null) {
  question ??= newQuestion(opener)
  notify()
  return question.answered
}

function newQuestion(opener: Element | null): Question {
  const answers = { onConfirmed: () => {}, onCancelled: () => {} }
  const answered = new Promise<void>((resolve, reject) => {
    answers.onConfirmed = resolve
    answers.onCancelled = () => reject(new NotConfirmed('The password was not given.'))
  }).finally(() => {
    question = undefined
    notify()
  })
  return { opener, answered, ...answers }
}

function isPasswordNeeded(error: unknown) {
  const code: ProblemCode = 'password_needed'
  return error instanceof CallError && error.problem?.code === code
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function notify() {
  for (const listener of listeners) listener()
}
