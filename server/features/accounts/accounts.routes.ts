import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import {
  changePassword,
  changeRole,
  checkSession,
  confirmPassword,
  createAdmin,
  deleteAdmin,
  endOtherSessions,
  endSession,
  listAdmins,
  listSessions,
  readConfirmation,
  signIn,
  signOut,
} from '#contract/accounts.ts'
import type { Db } from '#server/database/tables.ts'
import { noteActivity } from '#server/features/activity/activity.queries.ts'
import { Problem } from '#server/http/problem.ts'
import { serve } from '#server/http/serve.ts'
import * as sessions from '#server/http/sessions.ts'
import type { Site } from '#server/site.ts'
import * as queries from './accounts.queries.ts'
import { letInto } from './let-in.ts'
import { hashPassword, verifyPassword } from './passwords.ts'
import { countAttempt, countedAnywhere, countedInSession } from './sign-in-attempts.ts'
import { dropTokensOf, findUnconfirmedAddress } from './tokens.queries.ts'

export function accountRoutes(app: FastifyInstance, site: Site) {
  const { database, clock } = site
  const { db } = database
  const { devices, begin, letIn, turnAway } = letInto(app, site)

  serve(app, checkSession, async ({ request, reply }) => {
    reply.header('cache-control', 'no-store')
    const admin = await app.sessions.find(request, reply)
    return admin ? { authenticated: true, adminId: admin.adminId, role: admin.role } : { authenticated: false }
  })

  serve(
    app,
    signIn,
    async ({ body: { username, password }, request, reply }) => {
      await app.sessions.refuseRemoteDemo(request)
      const admin = await queries.findAdminByName(db, username)
      const { deviceId, attempt } = await begin(request, admin, countedAnywhere(username, request.ip))
      const isRight = await verifyPassword(password, admin?.passwordHash)
      if (!isRight || !admin || !(await letIn({ request, reply }, admin, { deviceId }))) {
        await turnAway(request, admin)
        throw new Problem('wrong_credentials')
      }
      await attempt.forgive()
      return { authenticated: true, adminId: admin.id, role: admin.role }
    },
    { onFullDisk: true },
  )

  serve(
    app,
    signOut,
    async ({ request, reply }) => {
      const admin = await app.sessions.find(request, reply)
      await db.transaction().execute(async (tx) => {
        await app.sessions.end(request, reply, tx)
        if (admin) await noteActivity(tx, admin, { kind: 'signed_out' }, clock.now())
      })
      reply.header('clear-site-data', '"cache"')
      return { message: 'Successfully logged out' }
    },
    { onFullDisk: true },
  )

  serve(app, listAdmins, async ({ admin: { adminId, role } }) => {
    const own = { unconfirmedEmail: await findUnconfirmedAddress(db, adminId, clock.now()) }
    const all = await queries.listAdmins(db)
    const seen = role === 'owner' ? all : all.filter(({ id }) => id === adminId)
    return seen.map((each) => ({ ...each, unconfirmedEmail: null, ...(each.id === adminId && own) }))
  })

  /** One at a time: two owners deleting or demoting each other must leave one. Who is no owner any more is refused. */
  function changeAccounts<T>({ adminId }: sessions.SignedIn, change: (tx: Db) => Promise<T>) {
    return database.exclusively('admin accounts', async (tx) => {
      if ((await queries.findAdmin(tx, adminId))?.role !== 'owner') throw new Problem('owner_needed')
      const changed = await change(tx)
      if (!(await queries.hasOwner(tx))) throw new Problem('last_owner')
      return changed
    })
  }

  serve(app, createAdmin, async ({ body: { username, password, role = 'owner' }, admin: doer }) => {
    const now = clock.now()
    const admin = { id: randomUUID(), username, lastLogin: null, createdAt: now.toISOString(), role, email: null }
    const passwordHash = await hashPassword(password)
    await changeAccounts(doer, async (tx) => {
      if (!(await queries.insertAdmin(tx, { ...admin, passwordHash }))) throw new Problem('username_taken')
      await noteActivity(tx, doer, { kind: 'account_created', name: username }, now)
    })
    return { ...admin, unconfirmedEmail: null }
  })

  serve(app, deleteAdmin, async ({ params: { id }, admin: doer }) => {
    await changeAccounts(doer, async (tx) => {
      // Its sessions go with it.
      const removed = await queries.removeAdmin(tx, id)
      if (!removed) throw new Problem('admin_not_found')
      await noteActivity(tx, doer, { kind: 'account_deleted', name: removed.username }, clock.now())
    })
    return { message: 'Admin user deleted successfully' }
  })

  serve(app, changeRole, async ({ params: { id }, body: { role }, admin: doer }) =>
    changeAccounts(doer, async (tx) => {
      const admin = await queries.setRole(tx, id, role)
      if (!admin) throw new Problem('admin_not_found')
      await noteActivity(tx, doer, { kind: 'role_changed', name: admin.username }, clock.now())
      return { ...admin, unconfirmedEmail: null }
    }),
  )

  serve(app, listSessions, async ({ admin: { adminId, sid } }) => {
    const all = await sessions.listSessionsOf(db, adminId, clock.now())
    return all.map((session) => ({ ...session, current: session.id === sid }))
  })

  serve(app, endSession, async ({ params: { id }, admin }) => {
    await db.transaction().execute(async (tx) => {
      if (!(await sessions.endSession(tx, admin.adminId, id))) throw new Problem('session_not_found')
      await noteActivity(tx, admin, { kind: 'session_ended' }, clock.now())
    })
    return { message: 'Session ended' }
  })

  serve(app, endOtherSessions, async ({ admin }) => {
    await db.transaction().execute(async (tx) => {
      const count = await sessions.endOtherSessions(tx, admin)
      if (count > 0) await noteActivity(tx, admin, { kind: 'other_sessions_ended', count }, clock.now())
    })
    return { message: 'Other sessions ended' }
  })

  /** The account that is signed in, if this is its password. The attempt is counted: the session may be a stolen one. */
  async function verifyOwn(password: string, { adminId }: sessions.SignedIn, request: FastifyRequest) {
    const attempt = await countAttempt({ database, clock }, countedInSession(adminId, request.ip))
    const admin = await queries.findAdmin(db, adminId)
    if (!(await verifyPassword(password, admin?.passwordHash))) return undefined
    await attempt.forgive()
    return admin
  }

  serve(app, readConfirmation, async ({ admin }) => ({ needed: admin.needsPassword }))

  serve(
    app,
    confirmPassword,
    async ({ body: { password }, admin, request }) => {
      if (!(await verifyOwn(password, admin, request))) throw new Problem('password_not_right')
      await app.sessions.confirm(admin)
      return { message: 'Password confirmed' }
    },
    { onFullDisk: true },
  )

  serve(app, changePassword, async ({ body: { currentPassword, newPassword }, admin, request, reply }) => {
    const verified = await verifyOwn(currentPassword, admin, request)
    if (!verified) throw new Problem('wrong_password')
    const { adminId } = admin
    const passwordHash = await hashPassword(newPassword)
    await db.transaction().execute(async (tx) => {
      if (!(await queries.setPasswordHash(tx, verified, passwordHash))) throw new Problem('wrong_password')
      await sessions.endSessionsOf(tx, adminId)
      await dropTokensOf(tx, adminId, 'new password')
      await app.sessions.start(request, reply, adminId, tx)
      await noteActivity(tx, admin, { kind: 'password_changed' }, clock.now())
    })
    await devices.remember(request, reply, { id: adminId, passwordHash })
    return { message: 'Password updated successfully' }
  })
}
