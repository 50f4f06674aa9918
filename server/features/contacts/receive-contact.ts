import { createHash, randomUUID } from 'node:crypto'
import type { SpamReason } from '#contract/contacts.fields.ts'
import type { ContactDraft } from '#contract/contacts.ts'
import { type Clock, withTimeout } from '#server/clock.ts'
import { insertContacts } from '#server/database/contact-records.ts'
import type { Database } from '#server/database/open.ts'
import type { ContactMessageRow, Db } from '#server/database/tables.ts'
import { Problem } from '#server/http/problem.ts'
import type { ContactMails } from './contact-mails.ts'
import * as queries from './contacts.queries.ts'
import { countTowardsHourlyLimit } from './hourly-limit.ts'
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

/** More than this from one visitor is spam, whichever way it comes. */
export const contactsOfVisitor = { max: 5, timeWindow: 10 * 60 * 1000, name: 'inquiries of a visitor' }

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
