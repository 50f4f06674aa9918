import { createHash, randomUUID } from 'node:crypto'
import type { SpamReason } from '#contract/contacts.admin.ts'
import type { ContactDraft } from '#contract/contacts.ts'
import { type Clock, hour } from '#server/clock.ts'
import type { Database } from '#server/database/open.ts'
import { readMaker } from '#server/database/site-content.ts'
import type { ContactMessageRow, Db } from '#server/database/tables.ts'
import { Problem } from '#server/http/problem.ts'
import { countTowards } from '#server/http/request-counts.ts'
import { withTimeout } from '#server/http/timeout.ts'
import type { ContactMails } from './contact-mails.ts'
import * as queries from './contacts.queries.ts'
import { insertContacts, type NewContact } from './contacts.queries.ts'
import { bindPhotos } from './photos.queries.ts'
import { spamReasonOf } from './spam.rules.ts'

type Parts = {
  database: Database
  clock: Clock
  mails: ContactMails
  /** The project of that id or address, if visitors can see it. */
  findProject(name: string): Promise<{ id: string; title: string } | undefined>
  hasLimits: boolean
  /** For how long a message waits to be written, in milliseconds: browsers wait for its answer for thirty seconds. */
  timeout?: number
}

export type ReceiveContact = ReturnType<typeof createReceiver>

/** The same again so soon was sent twice by mistake. */
const repeatedWithin = 10 * 60 * 1000

/** Takes what visitors send, whichever way it came. */
export function createReceiver({ database, clock, mails, findProject, hasLimits, timeout = 10_000 }: Parts) {
  /** Stored, with its photos and the mails it causes, when this answers; never stored when it fails, or its sender has gone. */
  return async function receive(draft: ContactDraft, hasGone = () => false): Promise<{ photosLost: number }> {
    const { name, email, projectType, message, photos = [] } = draft
    const written = { name, email, projectType, message }
    const about = draft.about ? await findProject(draft.about) : undefined
    const now = clock.now()
    const progress = { hasBegun: false, isGivenUp: false }
    // A lock for each content: other messages do not wait.
    const storing = database.exclusively(`contact ${hashOf(written)}`, async (tx) => {
      // A merge may hold the writer for minutes. What was answered as failed must not be stored after all.
      if (progress.isGivenUp || hasGone()) throw new Problem('unavailable')
      progress.hasBegun = true
      const spamReason = spamReasonOf(draft)
      const repeated = await findRepeated(tx, written, now)
      // Whoever sends it again, and does not look like a robot any more, is heard.
      const before = repeated.find((each) => spamReason !== null || each.state !== 'spam' || each.spamReason === null)
      const contact = before ?? (await store(tx, { ...draft, spamReason }, about, now))
      const photosLost = await bindPhotos(tx, contact.id, photos, now)
      if (before) return { photosLost }
      const isMailed = contact.state !== 'spam'
      if (isMailed) await mails.ofContact(tx, contact)
      return { photosLost, isMailed }
    })
    const stored = (await withTimeout(timeout, storing, undefined)) ?? (progress.hasBegun ? await storing : undefined)
    if (!stored) {
      progress.isGivenUp = true
      throw new Problem('unavailable')
    }
    if (stored.isMailed) mails.wake()
    return { photosLost: stored.photosLost }
  }

  async function store(tx: Db, draft: Judged, about: { id: string; title: string } | undefined, now: Date) {
    const { name, email, projectType, message, language = null, spamReason } = draft
    const isApart = hasLimits && (await countTowardsHourlyLimit(tx, draft, spamReason !== null, now))
    const contact = {
      id: randomUUID(),
      name,
      email,
      projectType,
      message,
      createdAt: now.toISOString(),
      state: spamReason || isApart ? 'spam' : 'new',
      language,
      aboutId: about?.id ?? null,
      aboutTitle: about?.title ?? null,
      note: null,
      spamReason,
      changedAt: null,
    } satisfies ContactMessageRow
    await insertContacts(tx, [contact])
    return contact
  }
}

type Judged = ContactDraft & { spamReason: SpamReason | null }

/** In both directions, because the clocks of two machines differ. */
function findRepeated(tx: Db, written: queries.NewContact, now: Date) {
  const away = (milliseconds: number) => new Date(now.getTime() + milliseconds).toISOString()
  return queries.listContactsBetween(tx, written, away(-repeatedWithin), away(repeatedWithin))
}

function hashOf({ name, email, projectType, message }: queries.NewContact) {
  return createHash('sha256')
    .update(JSON.stringify([name, email, projectType, message]))
    .digest('hex')
}

/** More than any maker gets in an hour from all visitors together: a flood that comes from many addresses. */
export const hourlyLimit = { contacts: 100, bytes: 500_000 } as const

/** Of spam, and of what comes after those: so much that a flood is costly, and so little that it does not fill the disk. */
export const spamLimit = { contacts: 2_000, bytes: 4_000_000, kept: 20_000 } as const

/**
 * Whether it comes after too many and is to be kept apart, as possible spam. To be called in the transaction that stores it:
 * what is refused is not counted. Spam is counted apart, so that a flood of it does not keep people out.
 */
async function countTowardsHourlyLimit(tx: Db, contact: NewContact, isSpam: boolean, now: Date) {
  if (!isSpam && !(await findFullWindow(tx, 'all inquiries', hourlyLimit, contact, now))) return false
  const full = (await isSpamFull(tx)) ? afterAnHour(now) : await findFullWindow(tx, 'all spam', spamLimit, contact, now)
  if (!full) return true
  throw new Problem('too_many_inquiries', {
    details: { email: (await readMaker(tx)).email },
    retryAfterSeconds: Math.ceil((Date.parse(full) - now.getTime()) / 1000),
  })
}

type Limit = { contacts: number; bytes: number }

/** Counts it, unless the hour is full: then nothing is counted, and its end is answered. */
async function findFullWindow(tx: Db, all: string, limit: Limit, { name, email, message }: NewContact, now: Date) {
  const counts = [
    { subject: all, amount: 1, max: limit.contacts },
    { subject: `bytes of ${all}`, amount: Buffer.byteLength(name + email + message), max: limit.bytes },
  ]
  for (const [index, { subject, amount, max }] of counts.entries()) {
    const { count, windowEnds } = await countTowards(tx, subject, { amount, now, timeWindow: hour })
    if (count <= max) continue
    for (const counted of counts.slice(0, index + 1))
      await countTowards(tx, counted.subject, { amount: -counted.amount, now, timeWindow: hour })
    return windowEnds
  }
  return undefined
}

async function isSpamFull(tx: Db) {
  const last = tx
    .selectFrom('contactMessages')
    .select('id')
    .where('state', '=', 'spam')
    .offset(spamLimit.kept - 1)
  return (await last.limit(1).executeTakeFirst()) !== undefined
}

const afterAnHour = (now: Date) => new Date(now.getTime() + hour).toISOString()
