import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '#server/database/tables.ts'
import { doerOf, noteActivity, noteFailedSignIn } from '#server/features/activity/activity.queries.ts'
import { Problem } from '#server/http/problem.ts'
import { deviceOf } from '#server/http/sessions.ts'
import { plainAddress } from '#server/http/visitor.ts'
import type { Site } from '#server/site.ts'
import { mailNewDevice } from './account-mails.ts'
import { setLastLogin } from './accounts.queries.ts'
import { rememberedDevices } from './remembered-devices.ts'
import { type Counted, countAttempt, countedByDevice } from './sign-in-attempts.ts'
import { dropTokensOf } from './tokens.queries.ts'

type Account = { id: string; username: string; passwordHash: string; lastLogin: string | null; email: string | null }
type Asking = { request: FastifyRequest; reply: FastifyReply }

/** What follows once somebody has proven to be an account's owner, or has not, by whatever means. */
export function letInto(app: FastifyInstance, site: Site) {
  const { config, database, clock, mailer } = site
  const { db } = database
  const devices = rememberedDevices(db, config)
  return {
    devices,

    /** Counts an attempt to sign in, by the browser where it has signed in to the account before. */
    async begin(request: FastifyRequest, account: Account | undefined, elsewhere: readonly Counted[]) {
      const deviceId = await devices.find(request, account)
      const counted = deviceId ? countedByDevice(deviceId) : elsewhere
      const attempt = await countAttempt({ database, clock }, counted).catch((error: unknown) => {
        if (error instanceof Problem) logSignIn(request, 'refused-too-many', account)
        throw error
      })
      return { deviceId, attempt }
    },

    /**
     * Starts a session. `proven` may do more in the same transaction; false when the account has another password by now, or
     * was deleted.
     */
    async letIn(
      { request, reply }: Asking,
      account: Account,
      { deviceId, proven }: { deviceId?: string | undefined; proven?(tx: Db): Promise<void> } = {},
    ) {
      const now = clock.now()
      const isNewDevice = account.lastLogin !== null && !(deviceId ?? (await devices.find(request, account)))
      const isIn = await db.transaction().execute(async (tx) => {
        if (!(await setLastLogin(tx, account, now.toISOString()))) return false
        await proven?.(tx)
        // Whoever can sign in has not forgotten the password.
        await dropTokensOf(tx, account.id, 'new password')
        await app.sessions.start(request, reply, account.id, tx)
        await noteActivity(tx, doerOf(account), { kind: 'signed_in' }, now)
        if (isNewDevice) await mailNewDevice(site, tx, account, deviceOf(request.headers['user-agent'] ?? ''))
        return true
      })
      if (!isIn) return false
      if (isNewDevice) mailer.wake()
      await devices.remember(request, reply, account, deviceId)
      logSignIn(request, 'ok', account)
      return true
    },

    async turnAway(request: FastifyRequest, account: Account | undefined) {
      logSignIn(request, 'wrong', account)
      const doer = account && doerOf(account)
      // One after the other: concurrent failures are all counted, in one entry.
      await database.exclusively('failed sign-ins', (tx) => noteFailedSignIn(tx, doer, clock.now()))
    },
  }
}

/** One line, always of this form: firewalls read it (docs/deploy.md). A name no account has may be a password, mistyped. */
function logSignIn(
  request: FastifyRequest,
  outcome: 'ok' | 'wrong' | 'refused-too-many',
  admin: { username: string } | undefined,
) {
  request.log.info({ outcome, address: plainAddress(request.ip), account: admin?.username ?? null }, 'sign-in')
}
