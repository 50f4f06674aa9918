import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import {
  type AdminUser,
  changePassword,
  checkSession,
  createAdmin,
  deleteAdmin,
  listAdmins,
  signIn,
  signOut,
} from '#contract/admins.ts'
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/database/open.ts'
import { Problem } from '#server/http/problem.ts'
import { serve } from '#server/http/serve.ts'
import { endSessionsOf } from '#server/http/sessions.ts'
import * as queries from './admins.queries.ts'
import { countAttempt } from './attempts.ts'
import { hashPassword, verifyPassword } from './passwords.ts'

type Parts = { database: Database; clock: Clock }

export function adminRoutes(app: FastifyInstance, { database, clock }: Parts) {
  const { db } = database

  serve(app, checkSession, async ({ request, reply }) => {
    reply.header('cache-control', 'no-store')
    const admin = await app.sessions.find(request, reply)
    return admin ? { authenticated: true, adminId: admin.adminId } : { authenticated: false }
  })

  serve(
    app,
    signIn,
    async ({ body: { username, password }, request, reply }) => {
      const attempt = await countAttempt({ database, clock }, username, request.ip)
      const admin = await queries.findAdminByName(db, username)
      if (!(await verifyPassword(password, admin?.passwordHash)) || !admin) throw new Problem('wrong_credentials')
      await attempt.forgive()
      await queries.setLastLogin(db, admin.id, clock.now().toISOString())
      await app.sessions.start(request, reply, admin.id)
      return { authenticated: true, adminId: admin.id }
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

  serve(app, listAdmins, () => queries.listAdmins(db))

  serve(app, createAdmin, async ({ body: { username, password } }) => {
    const admin: AdminUser = { id: randomUUID(), username, lastLogin: null, createdAt: clock.now().toISOString() }
    const added = await queries.insertAdmin(db, { ...admin, passwordHash: await hashPassword(password) })
    if (!added) throw new Problem('username_taken')
    return admin
  })

  serve(app, deleteAdmin, async ({ params: { id } }) => {
    // One at a time: two accounts deleting each other must not leave none.
    await database.exclusively('admin accounts', async (tx) => {
      if (!(await queries.findAdmin(tx, id))) throw new Problem('admin_not_found')
      if ((await queries.countAdmins(tx)) === 1) throw new Problem('last_admin')
      await endSessionsOf(tx, id)
      await queries.removeAdmin(tx, id)
    })
    return { message: 'Admin user deleted successfully' }
  })

  serve(app, changePassword, async ({ body: { currentPassword, newPassword }, admin: { adminId, sid } }) => {
    const admin = await queries.findAdmin(db, adminId)
    if (!(await verifyPassword(currentPassword, admin?.passwordHash))) throw new Problem('wrong_password')
    const passwordHash = await hashPassword(newPassword)
    await db.transaction().execute(async (tx) => {
      await queries.setPasswordHash(tx, adminId, passwordHash)
      await endSessionsOf(tx, adminId, sid)
    })
    return { message: 'Password updated successfully' }
  })
}
