import { createHash, randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Role } from '#contract/accounts.ts'
import type { Db } from '#server/database/tables.ts'
import { type Clock, day, hour, isFuture, minute } from '../clock.ts'
import type { Config } from '../config.ts'
import { ranDaysBefore } from '../jobs/running-time.ts'
import type { Site } from '../site.ts'
import { isFromThisMachine } from './own-address.ts'
import { asDiskProblem, Problem } from './problem.ts'

export type SignedIn = {
  adminId: string
  username: string
  role: Role
  sid: string
  /** Whether the password must be confirmed before a dangerous call. */
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
  /** The session of a request, if there is one; prolongs it. */
  find(request: FastifyRequest, reply: FastifyReply): Promise<SignedIn | undefined>
  /** The same; throws a Problem without a session. */
  require(request: FastifyRequest, reply: FastifyReply): Promise<SignedIn>
  /**
   * Starts a session with a new id and ends the one of this browser. Call it in the transaction that has checked the password
   * hash: a session started after it could outlive a change of the password.
   */
  start(request: FastifyRequest, reply: FastifyReply, adminId: string, tx: Db): Promise<void>
  /** After the password was entered again. */
  confirm(admin: SignedIn): Promise<void>
  end(request: FastifyRequest, reply: FastifyReply, tx: Db): Promise<void>
  /** After the address of the site has changed: the name of the cookie depends on it. */
  resend(request: FastifyRequest, reply: FastifyReply): void
  /** The demo account can be used on this machine only. */
  refuseRemoteDemo(request: FastifyRequest): Promise<void>
}

const lifetime = 7 * day
/** However often it is prolonged. */
const maxLifetime = 30 * day
/** At most this often, so that not every read writes. */
const prolongAfter = hour
/** How long a confirmed password allows dangerous calls. */
const confirmedFor = 15 * minute

type Parts = Pick<Site, 'config' | 'database' | 'clock' | 'demoAdminActive'>

export function keepSessions(app: FastifyInstance, { config, database: { db }, clock, demoAdminActive }: Parts) {
  const cookie = siteCookie('session', config)

  async function findSession(request: FastifyRequest, reply: FastifyReply) {
    const id = cookie.read(request)
    if (!id) return undefined
    const now = clock.now()
    const sid = sidOf(id)
    const session = await db
      .selectFrom('sessions')
      .innerJoin('adminUsers', 'adminUsers.id', 'sessions.adminId')
      .select(['adminId', 'username', 'role', 'sess', 'usedAt'])
      .where('sid', '=', sid)
      .where('expire', '>', now.toISOString())
      .executeTakeFirst()
    if (!session) return undefined
    const end = Date.parse(session.sess.createdAt) + maxLifetime
    if (end <= now.getTime() || isFuture(session.sess.createdAt, now)) return undefined
    const expire = Math.min(now.getTime() + lifetime, end)
    if (now.getTime() - Date.parse(session.usedAt ?? session.sess.createdAt) > prolongAfter) {
      const prolonged = { expire: new Date(expire).toISOString(), usedAt: now.toISOString() }
      const prolonging = db.updateTable('sessions').set(prolonged).where('sid', '=', sid).execute()
      // On a full disk the session stays valid, so that reading and deleting work.
      await prolonging.then(
        () => cookie.set(request, reply, id, expire - now.getTime()),
        (error: unknown) => {
          if (!(asDiskProblem(error) instanceof Problem)) throw error
        },
      )
    }
    const { confirmedAt } = session.sess
    const isConfirmed = confirmedAt && !isFuture(confirmedAt, now)
    const needsPassword = !isConfirmed || now.getTime() - Date.parse(confirmedAt) >= confirmedFor
    return { adminId: session.adminId, username: session.username, role: session.role, sid, needsPassword }
  }

  const isRemoteDemo = async ({ raw }: FastifyRequest) => !isFromThisMachine(raw) && (await demoAdminActive())

  const sessions: Sessions = {
    async find(request, reply) {
      // Without a query, so that it works while the database is unreachable.
      if (!cookie.read(request)) return undefined
      return (await isRemoteDemo(request)) ? undefined : findSession(request, reply)
    },
    async require(request, reply) {
      await sessions.refuseRemoteDemo(request)
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
          ...deviceOf(request.headers['user-agent'] ?? ''),
          usedAt: createdAt,
        })
        .execute()
      cookie.set(request, reply, id, lifetime)
    },
    // With the same id: with a new one, requests of another tab would be refused as signed out.
    async confirm({ sid }) {
      const row = await db.selectFrom('sessions').select('sess').where('sid', '=', sid).executeTakeFirst()
      if (!row) throw new Problem('sign_in_required')
      const sess = JSON.stringify({ ...row.sess, confirmedAt: clock.now().toISOString() })
      await db.updateTable('sessions').set({ sess }).where('sid', '=', sid).execute()
    },
    async end(request, reply, tx) {
      const id = cookie.read(request)
      if (id) await tx.deleteFrom('sessions').where('sid', '=', sidOf(id)).execute()
      cookie.clear(request, reply)
    },
    resend(request, reply) {
      cookie.rename(request, reply, (id) => sidOf(id) === request.admin?.sid, lifetime)
    },
    async refuseRemoteDemo(request) {
      if (await isRemoteDemo(request)) throw new Problem('demo_only_here')
    },
  }
  app.decorate('sessions', sessions)
  app.decorateRequest('admin', undefined)
}

/** Runs before the body is parsed. */
export async function requireAdmin(request: FastifyRequest, reply: FastifyReply) {
  reply.header('cache-control', 'no-store')
  request.admin = await request.server.sessions.require(request, reply)
}

/** After requireAdmin. */
export async function requireOwner({ admin }: FastifyRequest) {
  if (admin?.role !== 'owner') throw new Problem('owner_needed')
}

/** The same, and before the body: otherwise gigabytes are uploaded and then refused. */
export async function requirePassword({ admin }: FastifyRequest) {
  if (!admin || admin.needsPassword) throw new Problem('password_needed')
}

/** Where an account is signed in, the last used first. */
export async function listSessionsOf(db: Db, adminId: string, now: Date) {
  const rows = await db
    .selectFrom('sessions')
    .select(['sid', 'sess', 'browser', 'system', 'usedAt'])
    .where('adminId', '=', adminId)
    .where('expire', '>', now.toISOString())
    .execute()
  return rows
    .map(({ sid, sess: { createdAt }, browser, system, usedAt }) => ({
      id: sid,
      browser,
      system,
      startedAt: createdAt,
      usedAt: usedAt ?? createdAt,
    }))
    .toSorted((one, other) => other.usedAt.localeCompare(one.usedAt) || one.id.localeCompare(other.id))
}

/** False when it has ended already, or is not of this account. */
export async function endSession(db: Db, adminId: string, sid: string) {
  const ended = await db.deleteFrom('sessions').where('adminId', '=', adminId).where('sid', '=', sid).executeTakeFirst()
  return ended.numDeletedRows > 0n
}

/** Returns how many there were. */
export async function endOtherSessions(db: Db, { adminId, sid }: SignedIn) {
  const ended = await db.deleteFrom('sessions').where('adminId', '=', adminId).where('sid', '!=', sid).executeTakeFirst()
  return Number(ended.numDeletedRows)
}

const browsers = {
  Edge: /Edg/,
  Opera: /OPR|Opera/,
  'Samsung Internet': /SamsungBrowser/,
  Firefox: /Firefox|FxiOS/,
  Chrome: /Chrome|CriOS/,
  Safari: /Safari/,
}
const systems = {
  iPhone: /iPhone/,
  iPad: /iPad/,
  Android: /Android/,
  ChromeOS: /CrOS/,
  Windows: /Windows/,
  Mac: /Macintosh/,
  Linux: /Linux/,
}

/** As people call them. The first that fits: most browsers say they are others, too. */
export function deviceOf(agent: string) {
  const named = (names: Record<string, RegExp>) => Object.keys(names).find((name) => names[name]?.test(agent)) ?? null
  return { browser: named(browsers), system: named(systems) }
}

export async function endSessionsOf(db: Db, adminId: string) {
  await db.deleteFrom('sessions').where('adminId', '=', adminId).execute()
}

export async function sweepExpiredSessions(db: Db, clock: Clock) {
  // Kept for a day after it has expired: a clock that is ahead for a while would otherwise delete valid sessions.
  const before = await ranDaysBefore(db, clock, 1)
  await db.deleteFrom('sessions').where('expire', '<=', before.toISOString()).execute()
}

function sidOf(id: string) {
  return createHash('sha256').update(id).digest('hex')
}

/** A cookie that scripts and other sites cannot read; over https bound to https and this host. */
export function siteCookie(name: string, config: Pick<Config, 'publicUrl'>) {
  const formOf = (request: FastifyRequest) => {
    const secure = request.protocol === 'https' || (config.publicUrl?.startsWith('https:') ?? false)
    return {
      name: secure ? `__Host-${name}` : name,
      options: { path: '/', httpOnly: true, sameSite: 'lax', secure } as const,
    }
  }
  return {
    read: (request: FastifyRequest) => request.cookies[formOf(request).name],
    /** Sends the one that is meant by its present name, and ends it by the other one. */
    rename(request: FastifyRequest, reply: FastifyReply, isMeant: (value: string) => boolean, milliseconds: number) {
      const names = [name, `__Host-${name}`]
      const value = names.map((each) => request.cookies[each]).find((each) => each !== undefined && isMeant(each))
      const cookie = formOf(request)
      for (const other of names.filter((each) => each !== cookie.name)) {
        reply.clearCookie(other, { ...cookie.options, secure: other !== name })
      }
      if (value) reply.setCookie(cookie.name, value, { ...cookie.options, maxAge: Math.floor(milliseconds / 1000) })
    },
    set(request: FastifyRequest, reply: FastifyReply, value: string, milliseconds: number) {
      const cookie = formOf(request)
      reply.setCookie(cookie.name, value, { ...cookie.options, maxAge: Math.floor(milliseconds / 1000) })
    },
    clear(request: FastifyRequest, reply: FastifyReply) {
      const cookie = formOf(request)
      reply.clearCookie(cookie.name, cookie.options)
    },
  }
}
