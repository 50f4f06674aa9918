import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import {
  changePassword,
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
import { Problem } from '#server/http/problem.ts'
import { serve } from '#server/http/serve.ts'
import * as sessions from '#server/http/sessions.ts'
import type { Site } from '#server/site.ts'
import * as queries from './accounts.queries.ts'
import { letInto, logSignIn } from './let-in.ts'
import { hashPassword, verifyPassword } from './passwords.ts'
import { countAttempt, countedAnywhere, countedByDevice, countedInSession } from './sign-in-attempts.ts'
import { dropTokensOf, findUnconfirmedAddress } from './tokens.queries.ts'

export function accountRoutes(app: FastifyInstance, site: Site) {
  const { database, clock } = site
  const { db } = database
  const { devices, letIn, turnAway } = letInto(app, site)

  serve(app, checkSession, async ({ request, reply }) => {
    reply.header('cache-control', 'no-store')
    const admin = await app.sessions.find(request, reply)
    return admin ? { authenticated: true, adminId: admin.adminId, role: admin.role } : { authenticated: false }
  })

  serve(
    app,
    signIn,
    async ({ body: { username, password }, request, reply }) => {
      if (await app.sessions.isRemoteDemo(request)) throw new Problem('demo_only_here')
      const admin = await queries.findAdminByName(db, username)
      const deviceId = await devices.find(request, admin)
      const counted = deviceId ? countedByDevice(deviceId) : countedAnywhere(username, request.ip)
      const attempt = await countAttempt({ database, clock }, counted).catch((error: unknown) => {
        if (error instanceof Problem) logSignIn(request, 'refused-too-many', admin)
        throw error
      })
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
      await app.sessions.end(request, reply)
      reply.header('clear-site-data', '"cache"')
      return { message: 'Successfully logged out' }
    },
    { onFullDisk: true },
  )

  serve(app, listAdmins, async ({ admin: { adminId, role } }) => {
    const own = { unconfirmedEmail: await findUnconfirmedAddress(db, adminId, clock.now()) }
    const others = { unconfirmedEmail: null, ...(role !== 'owner' && { email: null }) }
    const all = await queries.listAdmins(db)
    return all.map((each) => ({ ...each, ...(each.id === adminId ? own : others) }))
  })

  serve(app, createAdmin, async ({ body: { username, password } }) => {
    const admin = {
      id: randomUUID(),
      username,
      lastLogin: null,
      createdAt: clock.now().toISOString(),
      role: 'owner',
      email: null,
    } as const
    const added = await queries.insertAdmin(db, { ...admin, passwordHash: await hashPassword(password) })
    if (!added) throw new Problem('username_taken')
    return { ...admin, unconfirmedEmail: null }
  })

  serve(app, deleteAdmin, async ({ params: { id } }) => {
    // One at a time: two accounts deleting each other must not leave none.
    await database.exclusively('admin accounts', async (tx) => {
      if (!(await queries.findAdmin(tx, id))) throw new Problem('admin_not_found')
      if ((await queries.countAdmins(tx)) === 1) throw new Problem('last_admin')
      // Its sessions go with it.
      await queries.removeAdmin(tx, id)
    })
    return { message: 'Admin user deleted successfully' }
  })

  serve(app, listSessions, async ({ admin: { adminId, sid } }) => {
    const all = await sessions.listSessionsOf(db, adminId, clock.now())
    return all.map((session) => ({ ...session, current: session.id === sid }))
  })

  serve(app, endSession, async ({ params: { id }, admin: { adminId } }) => {
    if (!(await sessions.endSession(db, adminId, id))) throw new Problem('session_not_found')
    return { message: 'Session ended' }
  })

  serve(app, endOtherSessions, async ({ admin }) => {
    await sessions.endOtherSessions(db, admin)
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
    })
    await devices.remember(request, reply, { id: adminId, passwordHash })
    return { message: 'Password updated successfully' }
  })
}
