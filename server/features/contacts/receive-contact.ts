import { createHash, randomUUID } from 'node:crypto'
import type { SpamReason } from '#contract/contacts.admin.ts'
import type { ContactDraft } from '#contract/contacts.ts'
import { defaultLanguage } from '#contract/languages.ts'
import { hour, withTimeout } from '#server/clock.ts'
import type { ContactMessageRow, Db } from '#server/database/tables.ts'
import { findAbout } from '#server/features/projects/projects.queries.ts'
import { readMaker } from '#server/features/site-content/site-content.queries.ts'
import { Problem } from '#server/http/problem.ts'
import { countTowards } from '#server/http/request-counts.ts'
import { answerBy } from '#server/mail/compose.rules.ts'
import type { Site } from '#server/site.ts'
import { mailContact } from './contact-mails.ts'
import { insertContacts, listContactsBetween, type NewContact } from './contacts.queries.ts'
import { bindPhotos } from './photos.queries.ts'
import { spamReasonOf } from './spam.rules.ts'

type ContactSite = Pick<Site, 'config' | 'database' | 'clock' | 'mailer'>

/** More than this from one visitor is spam, whichever way it comes. */
export const contactsOfVisitor = { max: 5, timeWindow: 10 * 60 * 1000, name: 'inquiries of a visitor' }

/** The same message again within this time was sent twice by mistake. */
const repeatedWithin = 10 * 60 * 1000

/** How long a message may wait to be written, in milliseconds: browsers wait thirty seconds for the answer. */
const usualTimeout = 10_000

/**
 * Stores a message with its photos and mails before it answers. When it fails, or the sender has gone, nothing is stored, then
 * or later.
 */
export async function receiveContact(
  site: ContactSite,
  draft: ContactDraft,
  hasGone: () => boolean = () => false,
  timeout = usualTimeout,
): Promise<{ photosLost: number; answerBy: string; isNew: boolean; about: string | undefined }> {
  const { database, clock, mailer } = site
  const { name, email, projectType, message, photos = [] } = draft
  const text = { name, email, projectType, message }
  const about = draft.about ? await findAbout(database.db, draft.about) : undefined
  const now = clock.now()
  const progress = { hasBegun: false, isGivenUp: false }
  // A lock for each text: other messages do not wait.
  const storing = database.exclusively(`contact ${hashOf(text)}`, async (tx) => {
    // A restore may hold the writer for minutes. A message that was answered as failed must not be stored after all.
    if (progress.isGivenUp || hasGone()) throw new Problem('unavailable')
    progress.hasBegun = true
    const spamReason = spamReasonOf(draft)
    const repeated = await findRepeated(tx, text, now)
    // Sent again without what made it look like spam, it is a new message.
    const before = repeated.find((each) => spamReason !== null || each.state !== 'spam' || each.spamReason === null)
    const contact = before ?? (await store(site, tx, { ...draft, spamReason }, about, now))
    const photosLost = await bindPhotos(tx, contact.id, photos, now)
    const answer = { photosLost, answerBy: answerBy(contact.createdAt).toISOString() }
    // Neither a repetition nor spam.
    const isNew = !before && contact.state !== 'spam'
    if (isNew) await mailContact(site, tx, contact)
    return { ...answer, isNew, about: about?.id }
  })
  const stored = (await withTimeout(timeout, storing, undefined)) ?? (progress.hasBegun ? await storing : undefined)
  if (!stored) {
    progress.isGivenUp = true
    throw new Problem('unavailable')
  }
  if (stored.isNew) mailer.wake()
  return stored
}

async function store({ config }: ContactSite, tx: Db, draft: Judged, about: About | undefined, now: Date) {
  const { name, email, projectType, message, language = null, spamReason } = draft
  const isOverLimit = config.rateLimits && (await countTowardsHourlyLimit(tx, draft, spamReason !== null, now))
  const contact = {
    id: randomUUID(),
    name,
    email,
    projectType,
    message,
    createdAt: now.toISOString(),
    state: spamReason || isOverLimit ? 'spam' : 'new',
    language,
    aboutId: about?.id ?? null,
    aboutTitle: (about && (about.translations[language ?? defaultLanguage]?.title || about.title)) ?? null,
    note: null,
    spamReason,
    changedAt: null,
  } satisfies ContactMessageRow
  await insertContacts(tx, [contact])
  return contact
}

type About = NonNullable<Awaited<ReturnType<typeof findAbout>>>
type Judged = ContactDraft & { spamReason: SpamReason | null }

/** In both directions, because the clocks of two machines differ. */
function findRepeated(tx: Db, text: NewContact, now: Date) {
  const at = (milliseconds: number) => new Date(now.getTime() + milliseconds).toISOString()
  return listContactsBetween(tx, text, at(-repeatedWithin), at(repeatedWithin))
}

function hashOf({ name, email, projectType, message }: NewContact) {
  return createHash('sha256')
    .update(JSON.stringify([name, email, projectType, message]))
    .digest('hex')
}

/** From all visitors together; more in an hour is a flood from many addresses. */
export const hourlyLimit = { contacts: 100, bytes: 500_000 } as const

/** Of spam, and of what is over the limit above: little enough that a flood does not fill the disk. */
export const spamLimit = { contacts: 2_000, bytes: 4_000_000, kept: 20_000 } as const

/**
 * Whether the message is over the limit and is to be kept as spam. To be called in the transaction that stores it: what is
 * refused is not counted. Spam is counted separately, so that a flood of it does not block other messages.
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

/** Counts the message, unless the hour is full: then nothing is counted, and the end of the hour is returned. */
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
