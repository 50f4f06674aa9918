import { createHash, randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '#server/database/tables.ts'
import { type Clock, day, hour, isFuture, minute } from '../clock.ts'
import { ranDaysBefore } from '../jobs/running-time.ts'
import type { Site } from '../site.ts'
import { isAskedFromHere } from './own-address.ts'
import { asDiskProblem, Problem } from './problem.ts'

export type SignedIn = {
  adminId: string
  sid: string
  /** Whether the password was given long ago, and is asked for before anything dangerous. */
  needsPassword: boolean
}

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
  /** The same; fails with a Problem when nobody is signed in. */
  require(request: FastifyRequest, reply: FastifyReply): Promise<SignedIn>
  /**
   * Begins a session under a new identifier and ends the one this browser may have had. In the transaction that has found the
   * account with the password that was verified: a session begun after that could outlive a change of the password.
   */
  start(request: FastifyRequest, reply: FastifyReply, adminId: string, tx: Db): Promise<void>
  /** The password was given again. */
  confirm(admin: SignedIn): Promise<void>
  end(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** Whether the demo account is active, and this request does not come from this machine. */
  isDemoFromElsewhere(request: FastifyRequest): Promise<boolean>
}

const lifetime = 7 * day
/** Of a session in use. */
const maxLifetime = 30 * day
/** A session in use is prolonged at most this often, so that reading does not mean writing. */
const prolongAfter = hour
/** For how long a password that was given is good for what is dangerous. */
const confirmedFor = 15 * minute

type Parts = Pick<Site, 'config' | 'database' | 'clock' | 'demoAdminActive'>

export function keepSessions(app: FastifyInstance, { config, database: { db }, clock, demoAdminActive }: Parts) {
  const cookie = siteCookie('session', config.publicUrl)

  async function findSession(request: FastifyRequest, reply: FastifyReply) {
    const id = cookie.read(request)
    if (!id) return undefined
    const now = clock.now()
    const sid = sidOf(id)
    const session = await db
      .selectFrom('sessions')
      .select(['adminId', 'sess', 'expire'])
      .where('sid', '=', sid)
      .where('expire', '>', now.toISOString())
      .executeTakeFirst()
    if (!session) return undefined
    const end = Date.parse(session.sess.createdAt) + maxLifetime
    if (end <= now.getTime() || isFuture(session.sess.createdAt, now)) return undefined
    const expire = Math.min(now.getTime() + lifetime, end)
    if (expire - Date.parse(session.expire) > prolongAfter) {
      const prolonged = { expire: new Date(expire).toISOString() }
      const prolonging = db.updateTable('sessions').set(prolonged).where('sid', '=', sid).execute()
      // On a full disk reading and deleting go on.
      await prolonging.then(
        () => cookie.give(request, reply, id, expire - now.getTime()),
        (error: unknown) => {
          if (!(asDiskProblem(error) instanceof Problem)) throw error
        },
      )
    }
    const { confirmedAt } = session.sess
    const isConfirmed = confirmedAt && !isFuture(confirmedAt, now)
    const needsPassword = !isConfirmed || now.getTime() - Date.parse(confirmedAt) >= confirmedFor
    return { adminId: session.adminId, sid, needsPassword }
  }

  const sessions: Sessions = {
    async find(request, reply) {
      // Without a query: the answer is the same while the database is away.
      if (!cookie.read(request)) return undefined
      return (await sessions.isDemoFromElsewhere(request)) ? undefined : findSession(request, reply)
    },
    async require(request, reply) {
      if (await sessions.isDemoFromElsewhere(request)) throw new Problem('demo_only_here')
      const admin = await findSession(request, reply)
      if (!admin) throw new Problem('sign_in_required')
      return admin
    },
    async start(request, reply, adminId, tx) {
      const previous = cookie.read(request)
      if (previous) await tx.deleteFrom('sessions').where('sid', '=', sidOf(previous)).execute()
      const id = randomBytes(32).toString('base64url')
      const now = clock.now()
      const createdAt = now.toISOString()
      await tx
        .insertInto('sessions')
        .values({
          sid: sidOf(id),
          adminId,
          sess: JSON.stringify({ adminId, createdAt, confirmedAt: createdAt }),
          expire: new Date(now.getTime() + lifetime).toISOString(),
        })
        .execute()
      cookie.give(request, reply, id, lifetime)
    },
    // Under the same identifier: with a new one, what this browser is sending in another tab would be refused as signed out.
    async confirm({ sid }) {
      const row = await db.selectFrom('sessions').select('sess').where('sid', '=', sid).executeTakeFirst()
      if (!row) throw new Problem('sign_in_required')
      const sess = JSON.stringify({ ...row.sess, confirmedAt: clock.now().toISOString() })
      await db.updateTable('sessions').set({ sess }).where('sid', '=', sid).execute()
    },
    async end(request, reply) {
      const id = cookie.read(request)
      if (id) await db.deleteFrom('sessions').where('sid', '=', sidOf(id)).execute()
      cookie.take(request, reply)
    },
    isDemoFromElsewhere: async (request) => !isAskedFromHere(request.raw) && (await demoAdminActive()),
  }
  app.decorate('sessions', sessions)
  app.decorateRequest('admin', undefined)
}

/** Before the body is read: nothing is parsed for who is not signed in. */
export async function requireAdmin(request: FastifyRequest, reply: FastifyReply) {
  reply.header('cache-control', 'no-store')
  request.admin = await request.server.sessions.require(request, reply)
}

/** After requireAdmin, and before the body as well: gigabytes are not sent only to be refused. */
export async function requirePassword({ admin }: FastifyRequest) {
  if (!admin || admin.needsPassword) throw new Problem('password_needed')
}

export async function endSessionsOf(db: Db, adminId: string) {
  await db.deleteFrom('sessions').where('adminId', '=', adminId).execute()
}

export async function sweepExpiredSessions(db: Db, clock: Clock) {
  // An expired one signs in no more. It is kept for a day: a clock that is ahead for a while must not end sessions for good.
  const before = await ranDaysBefore(db, clock, 1)
  await db.deleteFrom('sessions').where('expire', '<=', before.toISOString()).execute()
}

function sidOf(id: string) {
  return createHash('sha256').update(id).digest('hex')
}

/** A cookie that neither scripts nor other sites get at; where the site is reached by https, bound to https and this host. */
export function siteCookie(name: string, publicUrl: string | undefined) {
  const formOf = (request: FastifyRequest) => {
    const secure = request.protocol === 'https' || (publicUrl?.startsWith('https:') ?? false)
    return {
      name: secure ? `__Host-${name}` : name,
      options: { path: '/', httpOnly: true, sameSite: 'lax', secure } as const,
    }
  }
  return {
    read: (request: FastifyRequest) => request.cookies[formOf(request).name],
    give(request: FastifyRequest, reply: FastifyReply, value: string, milliseconds: number) {
      const cookie = formOf(request)
      reply.setCookie(cookie.name, value, { ...cookie.options, maxAge: Math.floor(milliseconds / 1000) })
    },
    take(request: FastifyRequest, reply: FastifyReply) {
      const cookie = formOf(request)
      reply.clearCookie(cookie.name, cookie.options)
    },
  }
}
