import { createHash } from 'node:crypto'
import type { IncomingContact, IncomingProject } from '#contract/backups.ts'
import { mostContactPhotos } from '#contract/contact-fields.ts'
import { mostReplies } from '#contract/contacts.admin.ts'
import { type TranslationInput, translatedFields, translatedPhotoFields, wholeTranslations } from '#contract/project-fields.ts'
import type { CheckedRecord, RecordList } from '../archive/export.rules.ts'
import type { ContactContent, ProjectContent, RecordOf } from '../archive/records.queries.ts'

/** Import adds what is missing; restore also brings back changed projects, the texts of the site and what was done with messages. */
export type MergeMode = 'import' | 'restore'

/** Hashes of contents that exist already. */
export type ContentSums = { has(sum: string): boolean; add(sum: string): unknown }

export type MergeRules = {
  mode: MergeMode
  newId(): string
  now: string
  contents?: ContentSums | undefined
  /** Whether the site has the bytes of a photo that came with a message. */
  isHere?: (hash: string) => boolean
  /** The messages that replies of these ids belong to, where there are such. */
  repliesHere?: ReadonlyMap<string, string>
}

type Identified = {
  id?: string | undefined
  createdAt?: string | null | undefined
  deletedAt?: string | null | undefined
}

/**
 * A record is the same if its id is; one without an id is the same if all its texts and its cover are. `existing` are the
 * records with the ids that come in.
 */
export function decideRecords<List extends RecordList>(
  list: List,
  incoming: readonly CheckedRecord<List>[],
  existing: readonly RecordOf[List][],
  options: MergeRules,
) {
  const { newId, now, contents } = options
  const byId = new Map<string, RecordOf[List]>(existing.map((row) => [row.id, row]))
  const result = { add: [] as RecordOf[List][], bringBack: [] as RecordOf[List][], alreadyThere: 0 }
  for (const { record, absent } of incoming) {
    const createdAt = momentOf(record)
    const before = record.id === undefined ? undefined : byId.get(record.id)
    const exists = record.id === undefined ? contents?.has(contentSum(record, createdAt)) : before !== undefined
    const next = {
      ...record,
      ...fieldsOf(before, absent),
      id: record.id ?? newId(),
      createdAt: createdAt ?? before?.createdAt ?? now,
    }
    const whole = (list === 'projects' ? asProject(next, before, now) : asContact(next, options)) as RecordOf[List]
    const broughtBack = before && (changed[list](before, whole, options) as RecordOf[List] | undefined)
    if (!exists) {
      result.add.push(whole)
      // The same content twice in one file is one record.
      if (contents) for (const sum of contentSums({ ...record, createdAt })) contents.add(sum)
    } else if (broughtBack) result.bringBack.push(broughtBack)
    else result.alreadyThere += 1
  }
  return result
}

/** What becomes of a record that exists, and undefined when it stays as it is. */
const changed: { [List in RecordList]: (...records: Changing<RecordOf[List]>) => RecordOf[List] | undefined } = {
  projects(before, next, { mode }) {
    if (mode === 'restore' && !isSame(before, next)) return next
    // An import changes nothing: what comes out of the trash is as it was put there.
    return before.deletedAt && !next.deletedAt ? { ...before, deletedAt: null } : undefined
  },

  /**
   * What was done with a message last is what counts, wherever it was done: a restore may be of an older backup. The replies
   * to write are those that come, or come to be known as sent.
   */
  contacts(before, next, { mode, isHere = () => false }) {
    if (mode === 'import') return undefined
    const isLater = (momentIn(next.changedAt) ?? '') > (momentIn(before.changedAt) ?? '')
    const { state, note, spamReason, changedAt } = next
    const done = isLater && { state: isBackToNew(before, next) ? before.state : state, note, spamReason, changedAt }
    const ours = new Map(before.replies.map((reply) => [reply.id, reply]))
    const sent = next.replies.filter(({ id, sentAt }) => sentAt && ours.get(id)?.sentAt === null)
    const missing = next.replies.filter(({ id }) => !ours.has(id)).slice(0, Math.max(0, mostReplies - ours.size))
    const photos = new Set([...before.photos, ...next.photos].filter((hash) => before.photos.includes(hash) || isHere(hash)))
    const gainsPhotos = photos.size > before.photos.length && photos.size <= mostContactPhotos
    if (!done && sent.length + missing.length === 0 && !gainsPhotos) return undefined
    return { ...before, ...done, replies: [...sent, ...missing], photos: gainsPhotos ? next.photos : before.photos }
  },
}

type Changing<Record> = [before: Record, next: Record, options: MergeRules]

/** Nothing that was answered waits again; only spam may turn out to be none. */
function isBackToNew(before: ContactContent, next: ContactContent) {
  return next.state === 'new' && before.state !== 'spam'
}

type Next<List extends RecordList> = CheckedRecord<List>['record'] & { id: string; createdAt: string }

/** A translation that the file does not have stays as it is. */
function asProject(next: Next<RecordList>, before: RecordOf[RecordList] | undefined, now: string) {
  const project = next as Next<'projects'>
  const old = before as ProjectContent | undefined
  const oldPhotos = [...(old?.photos ?? [])]
  const captionsOf = (imageUrl: string) => {
    const index = oldPhotos.findIndex((photo) => photo.imageUrl === imageUrl)
    return index < 0 ? undefined : oldPhotos.splice(index, 1)[0]?.translations
  }
  return {
    ...project,
    deletedAt: whenDeleted(next, before, now),
    translations: wholeTranslations(translatedFields, project.translations, old?.translations),
    photos: project.photos.map((photo) => ({
      ...photo,
      translations: wholeTranslations(translatedPhotoFields, photo.translations, captionsOf(photo.imageUrl)),
    })),
  } as ProjectContent
}

/** Moments as the database writes them, and without replies that belong to another message here. */
function asContact(next: Next<RecordList>, { repliesHere }: MergeRules): ContactContent {
  const contact = next as Next<'contacts'>
  const replies = contact.replies.filter(({ id }) => (repliesHere?.get(id) ?? contact.id) === contact.id)
  return {
    ...contact,
    changedAt: momentIn(contact.changedAt) ?? null,
    replies: replies.map(({ createdAt, sentAt, ...reply }) => ({
      ...reply,
      createdAt: momentIn(createdAt) ?? createdAt,
      sentAt: momentIn(sentAt) ?? null,
    })),
    photos: [...new Set(contact.photos)],
  }
}

/**
 * Nothing is deleted by a backup, and what a file has outside of the trash comes out of it. The days in the trash begin when
 * the file brings a project there, however old it is.
 */
function whenDeleted({ deletedAt }: Identified, before: Identified | undefined, now: string) {
  if (!deletedAt) return null
  return before ? before.deletedAt : now
}

/** An address is made of the title again, which may have changed since. */
function fieldsOf(before: object | undefined, names: readonly string[]) {
  return before && Object.fromEntries(Object.entries(before).filter(([name]) => names.includes(name) && name !== 'addresses'))
}

/** A record that comes without its moment is compared without it. */
export function contentSums(record: Identified) {
  return [contentSum(record, record.createdAt ?? undefined), contentSum(record, undefined)]
}

/** As the database writes it. */
export function momentOf({ createdAt }: Identified) {
  return momentIn(createdAt)
}

function momentIn(text: string | null | undefined) {
  return text ? new Date(text).toISOString() : undefined
}

/** Short, because many are in memory; decoded anew, because a slice of a string would keep all of it in memory. */
export function contentSum(record: Identified, createdAt: string | undefined) {
  return createHash('sha256')
    .update(contentOf(record, createdAt, (name) => isInSums[name as Name]))
    .digest()
    .toString('latin1', 0, 16)
}

type Name = keyof IncomingProject | keyof IncomingContact

/**
 * Whether a field tells a record from others. A field that came with a later version does not: a record without an id that is
 * in a file of an older one must be recognized.
 */
const isInSums: Record<Name, boolean> = {
  title: true,
  description: true,
  category: true,
  imageUrl: true,
  scale: true,
  materials: true,
  techniques: true,
  timeSpent: true,
  beforeImageUrl: true,
  afterImageUrl: true,
  featured: true,
  // As far as the same fields in the site's own language are.
  translations: true,
  photos: false,
  draft: false,
  rank: false,
  name: true,
  email: true,
  projectType: true,
  message: true,
  state: false,
  language: false,
  aboutId: false,
  aboutTitle: false,
  note: false,
  spamReason: false,
  changedAt: false,
  replies: false,
  // Where a record is, and not what it is.
  id: false,
  createdAt: false,
  deletedAt: false,
  addresses: false,
}
const places: readonly string[] = ['id', 'createdAt', 'deletedAt', 'addresses']

function contentOf(record: Identified, createdAt: string | undefined, counts: (name: string) => boolean) {
  const content = Object.entries<unknown>(record)
    .filter(([name]) => counts(name))
    .map(([name, value]): [string, unknown] => [name, name === 'translations' ? writtenIn(value, counts) : value])
  return JSON.stringify([content.toSorted(([a], [b]) => (a < b ? -1 : 1)), createdAt ?? null])
}

/** Without what is not translated, which some records name and others do not. */
function writtenIn(translations: unknown, counts: (name: string) => boolean) {
  const texts = Object.entries(translations as TranslationInput<string>).flatMap(([language, fields]) =>
    Object.entries(fields ?? {}).flatMap(([name, text]) => (text && counts(name) ? [[language, name, text]] : [])),
  )
  return texts.map((text) => text.join(' ')).toSorted()
}

function isSame(before: Identified, next: Identified) {
  const whole = (record: Identified) => contentOf(record, record.createdAt ?? undefined, (name) => !places.includes(name))
  return whole(before) === whole(next)
}
