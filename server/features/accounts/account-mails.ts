import type { LinkNeed } from '#contract/recovery.ts'
import { day, hour, minute } from '#server/clock.ts'
import type { Db } from '#server/database/tables.ts'
import { noteActivity } from '#server/features/activity/activity.queries.ts'
import { countTowards } from '#server/http/request-counts.ts'
import { composeLink, composeNewDevice } from '#server/mail/compose.rules.ts'
import { putIntoOutbox, readSignature } from '#server/mail/outbox.queries.ts'
import type { Site } from '#server/site.ts'
import { findAdminsByNameOrAddress } from './accounts.queries.ts'
import { dropTokensOf, issueToken } from './tokens.queries.ts'

// To be called in a transaction; `mailer.wake()` afterwards sends at once.

type MailSite = Pick<Site, 'config' | 'clock'>
type Account = { id: string; username: string }

const lifetimes = { address: day, password: 30 * minute } as const

/** What is missing for mails with links. They are made of the address in the settings only: a request may name any host. */
export function linkNeedsOf({ config }: Pick<Site, 'config'>): LinkNeed[] {
  return [...(config.mail ? [] : ['mail' as const]), ...(config.publicUrl ? [] : ['publicUrl' as const])]
}

/** False when the account was sent too many. Earlier links end. */
export async function mailAddressLink(site: MailSite, tx: Db, { id: adminId, username }: Account, email: string) {
  const now = site.clock.now()
  if (!(await mayMail(tx, 'address', adminId, now))) return false
  await dropTokensOf(tx, adminId, 'address')
  const token = await issueToken(tx, { kind: 'address', adminId, email, lifetime: lifetimes.address }, now)
  const message = composeLink({ key: 'address', token, username }, await readSignature(tx, site.config))
  await putIntoOutbox(tx, { kind: 'address', message: { to: email, ...message } }, now)
  return true
}

/** To each account of that name or address, if it has a confirmed one. Earlier links stay: others could end them otherwise. */
export async function mailPasswordLinks(site: MailSite, tx: Db, typed: string) {
  const now = site.clock.now()
  for (const { id: adminId, username, email } of await findAdminsByNameOrAddress(tx, typed)) {
    if (!email || !(await mayMail(tx, 'password', adminId, now))) continue
    const token = await issueToken(tx, { kind: 'new password', adminId, email, lifetime: lifetimes.password }, now)
    const message = composeLink({ key: 'password', token, username }, await readSignature(tx, site.config))
    await putIntoOutbox(tx, { kind: 'password', message: { to: email, ...message } }, now)
    await noteActivity(tx, { adminId, username }, { kind: 'password_link_sent' }, now)
  }
}

type Device = { browser: string | null; system: string | null }

export async function mailNewDevice(site: MailSite, tx: Db, account: Account & { email: string | null }, device: Device) {
  const { id, username, email } = account
  const now = site.clock.now()
  if (!site.config.mail || !email || !(await mayMail(tx, 'new device', id, now))) return
  const message = composeNewDevice({ username, ...device, now }, await readSignature(tx, site.config))
  await putIntoOutbox(tx, { kind: 'new_device', message: { to: email, ...message } }, now)
}

/** Of each kind, within an hour. The account's first, so that one account cannot use up the site's. */
const mailLimits = { account: 3, site: 20 }

async function mayMail(tx: Db, kind: 'address' | 'password' | 'new device', adminId: string, now: Date) {
  const counted = { amount: 1, now, timeWindow: hour }
  const own = await countTowards(tx, `${kind} mails to ${adminId}`, counted)
  if (own.count > mailLimits.account) return false
  const all = await countTowards(tx, `all ${kind} mails`, counted)
  return all.count <= mailLimits.site
}
