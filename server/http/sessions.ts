import { createHash, randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '#server/database/tables.ts'
import { type Clock, day, hour } from '../clock.ts'
import { asDiskProblem } from './disk-problem.ts'
import { Problem } from './problem.ts'

export type SignedIn = { adminId: string; sid: string }

declare module 'fastify' {
  interface FastifyInstance {
    sessions: Sessions
  }
  interface FastifyRequest {
    admin: SignedIn | undefined
  }
}

type Sessions = {
  /** Who is asking, if anyone is signed in; a session in use is prolonged. */
  find(request: FastifyRequest, reply: FastifyReply): Promise<SignedIn | undefined>
  /** Begins a session under a new identifier and ends the one this browser may have had. */
  start(request: FastifyRequest, reply: FastifyReply, adminId: string): Promise<void>
  end(request: FastifyRequest, reply: FastifyReply): Promise<void>
}

const lifetime = 7 * day
/** A session in use is prolonged at most this often, so that reading does not mean writing. */
const prolongAfter = hour

type Parts = { db: Db; clock: Clock; publicUrl: string | undefined }

export function keepSessions(app: FastifyInstance, { db, clock, publicUrl }: Parts) {
  const cookieOf = (request: FastifyRequest) => {
    const secure = request.protocol === 'https' || (publicUrl?.startsWith('https:') ?? false)
    return { secure, name: secure ? '__Host-session' : 'session' }
  }
  const giveCookie = (request: FastifyRequest, reply: FastifyReply, id: string) => {
    const { name, secure } = cookieOf(request)
    reply.setCookie(name, id, { path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge: lifetime / 1000 })
  }
  const takeCookie = (request: FastifyRequest, reply: FastifyReply) => {
    const { name, secure } = cookieOf(request)
    reply.clearCookie(name, { path: '/', httpOnly: true, sameSite: 'lax', secure })
  }
  const idOf = (request: FastifyRequest) => request.cookies[cookieOf(request).name]

  const sessions: Sessions = {
    async find(request, reply) {
      const id = idOf(request)
      if (!id) return undefined
      const now = clock.now()
      const sid = sidOf(id)
      const session = await db
        .selectFrom('sessions')
        .select(['adminId', 'expire'])
        .where('sid', '=', sid)
        .where('expire', '>', now.toISOString())
        .executeTakeFirst()
      if (!session) return undefined
      const expire = new Date(now.getTime() + lifetime)
      if (expire.getTime() - Date.parse(session.expire) > prolongAfter) {
        const prolonging = db.updateTable('sessions').set({ expire: expire.toISOString() }).where('sid', '=', sid).execute()
        // On a full disk people go on reading, and deleting.
        await prolonging.then(
          () => giveCookie(request, reply, id),
          (error: unknown) => {
            if (!(asDiskProblem(error) instanceof Problem)) throw error
          },
        )
      }
      return { adminId: session.adminId, sid }
    },
    async start(request, reply, adminId) {
      const previous = idOf(request)
      if (previous) await db.deleteFrom('sessions').where('sid', '=', sidOf(previous)).execute()
      const id = randomBytes(32).toString('base64url')
      const now = clock.now()
      await db
        .insertInto('sessions')
        .values({
          sid: sidOf(id),
          adminId,
          sess: JSON.stringify({ adminId, createdAt: now.toISOString() }),
          expire: new Date(now.getTime() + lifetime).toISOString(),
        })
        .execute()
      giveCookie(request, reply, id)
    },
    async end(request, reply) {
      const id = idOf(request)
      if (id) await db.deleteFrom('sessions').where('sid', '=', sidOf(id)).execute()
      takeCookie(request, reply)
    },
  }
  app.decorate('sessions', sessions)
  app.decorateRequest('admin', undefined)
}

/** Before the body is even read: nobody unknown makes us parse anything. */
export async function requireAdmin(request: FastifyRequest, reply: FastifyReply) {
  reply.header('cache-control', 'no-store')
  request.admin = await request.server.sessions.find(request, reply)
  if (!request.admin) throw new Problem('sign_in_required')
}

/** Ends all sessions of an account, or all but the one that asked. */
export async function endSessionsOf(db: Db, adminId: string, except?: string) {
  const all = db.deleteFrom('sessions').where('adminId', '=', adminId)
  await (except ? all.where('sid', '!=', except) : all).execute()
}

export async function sweepExpiredSessions(db: Db, clock: Clock) {
  await db.deleteFrom('sessions').where('expire', '<=', clock.now().toISOString()).execute()
}

function sidOf(id: string) {
  return createHash('sha256').update(id).digest('hex')
}
