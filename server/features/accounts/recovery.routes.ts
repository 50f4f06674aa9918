import { scheduler } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import {
  confirmAddress,
  readLinkNeeds,
  removeAddress,
  requestPasswordLink,
  resetPassword,
  setAddress,
} from '#contract/recovery.ts'
import { minute } from '#server/clock.ts'
import type { Db, TokenKind } from '#server/database/tables.ts'
import { doerOf, noteActivity } from '#server/features/activity/activity.queries.ts'
import { Problem } from '#server/http/problem.ts'
import { serve } from '#server/http/serve.ts'
import { endSessionsOf } from '#server/http/sessions.ts'
import type { Site } from '#server/site.ts'
import { linkNeedsOf, mailAddressLink, mailPasswordLinks } from './account-mails.ts'
import { findAdmin, setConfirmedAddress, setPasswordHash } from './accounts.queries.ts'
import { hashPassword } from './passwords.ts'
import { countedAnywhere, forgiveAttempts } from './sign-in-attempts.ts'
import { dropTokensOf, findToken, takeToken } from './tokens.queries.ts'

/** In milliseconds. */
const pauseAfterAnswer = 50

/** Requests that wait for their turn. More come only from attackers, and the site mails no more than 20 an hour. */
const mostWaiting = 100

/** Of one visitor, for all calls that need no session. */
const rateLimit = { max: 20, timeWindow: 15 * minute, name: 'recovery' }

/** The address of an account, and the way back in for who forgot the password. */
export function recoveryRoutes(app: FastifyInstance, site: Site) {
  const { database, clock, mailer } = site
  const { db } = database

  serve(app, readLinkNeeds, async () => ({ missing: linkNeedsOf(site) }))

  serve(app, setAddress, async ({ body: { email }, admin: { adminId: id, username } }) => {
    if (linkNeedsOf(site).length > 0) throw new Problem('mail_not_set_up')
    const isSent = await db.transaction().execute((tx) => mailAddressLink(site, tx, { id, username }, email))
    if (!isSent) throw new Problem('too_many_requests')
    mailer.wake()
    return { message: 'A link was sent to that address' }
  })

  serve(app, removeAddress, async ({ admin }) => {
    const { adminId } = admin
    await db.transaction().execute(async (tx) => {
      const had = (await findAdmin(tx, adminId))?.email
      await setConfirmedAddress(tx, adminId, null)
      await dropTokensOf(tx, adminId, 'address')
      await dropTokensOf(tx, adminId, 'new password')
      if (had) await noteActivity(tx, admin, { kind: 'address_removed' }, clock.now())
    })
    return { message: 'Address removed' }
  })

  serve(
    app,
    confirmAddress,
    async ({ body: { token }, request }) => {
      await app.sessions.refuseRemoteDemo(request)
      const email = await db.transaction().execute(async (tx) => {
        const { account, link } = await spendLink(tx, 'address', token, async ({ id }, { email }) => {
          await setConfirmedAddress(tx, id, email)
          return true
        })
        await dropTokensOf(tx, account.id, 'new password')
        await noteActivity(tx, doerOf(account), { kind: 'address_confirmed' }, clock.now())
        return link.email ?? ''
      })
      return { email }
    },
    { rateLimit },
  )

  let waiting = 0
  let underWay: Promise<unknown> = Promise.resolve()
  app.addHook('onClose', () => underWay)

  serve(
    app,
    requestPasswordLink,
    async ({ body: { account }, request, reply }) => {
      await app.sessions.refuseRemoteDemo(request)
      if (linkNeedsOf(site).length > 0) throw new Problem('mail_not_set_up')
      // Well after the answer, whose time must not tell whether there is such an account: the work takes the processor.
      reply.raw.once('close', () => {
        if (waiting >= mostWaiting) return
        waiting += 1
        underWay = underWay
          .then(() => scheduler.wait(pauseAfterAnswer))
          .then(() => db.transaction().execute((tx) => mailPasswordLinks(site, tx, account)))
          .then(mailer.wake)
          .catch((error: unknown) => request.log.error({ err: error }, 'a link for a new password could not be mailed'))
          .finally(() => {
            waiting -= 1
          })
      })
      return { message: 'If there is such an account with a confirmed address, a link was sent there' }
    },
    { rateLimit },
  )

  serve(
    app,
    resetPassword,
    async ({ body: { token, newPassword }, request }) => {
      await app.sessions.refuseRemoteDemo(request)
      const passwordHash = await hashPassword(newPassword)
      await db.transaction().execute(async (tx) => {
        const { account } = await spendLink(
          tx,
          'new password',
          token,
          // Not after the address was changed or removed.
          async (verified, { email }) => verified.email === email && setPasswordHash(tx, verified, passwordHash),
        )
        await dropTokensOf(tx, account.id, 'new password')
        await endSessionsOf(tx, account.id)
        // Otherwise earlier wrong guesses would delay the sign-in that follows.
        await forgiveAttempts(tx, countedAnywhere(account.username, request.ip))
        await noteActivity(tx, doerOf(account), { kind: 'password_reset' }, clock.now())
      })
      return { message: 'Password updated successfully' }
    },
    { rateLimit },
  )

  type Account = NonNullable<Awaited<ReturnType<typeof findAdmin>>>
  type Link = NonNullable<Awaited<ReturnType<typeof findToken>>>

  /**
   * Does what a link is for, once: of two at the same moment one finds its token gone. The account's row is changed before the
   * token's, as a sign-in does it: in another order two transactions could wait for each other.
   */
  async function spendLink(tx: Db, kind: TokenKind, token: string, use: (account: Account, link: Link) => Promise<boolean>) {
    const now = clock.now()
    const link = await findToken(tx, kind, token, now)
    const account = link?.adminId ? await findAdmin(tx, link.adminId) : undefined
    if (!link || !account || !(await use(account, link)) || !(await takeToken(tx, kind, token, now)))
      throw new Problem('link_not_valid')
    return { account, link }
  }
}
