import { randomUUID } from 'node:crypto'
import { differing } from '#content/server-texts.ts'
import { mostContactPhotos } from '#contract/contact-fields.ts'
import { mostReplies } from '#contract/contacts.admin.ts'
import { translatedFields, translatedPhotoFields, wholeTranslations } from '#contract/project-fields.ts'
import type { OwnFields, SiteField } from '#contract/site-fields.ts'
import { type CheckedRecord, contentSum, momentIn, sumOfRecord } from '../archive/export.rules.ts'
import type { ContactContent, ProjectContent } from '../archive/records.queries.ts'

/** Import adds what is missing; restore also brings back changed projects, the texts of the site and what was done with messages. */
export type MergeMode = 'import' | 'restore'

/** `unknown`: the contents that come without an id and are not on the site, by their sums. */
export type MergeRules = { mode: MergeMode; now: string; unknown: Set<string> }

/** `hasPhoto` tells whether the site has the bytes of a photo that came with a message. */
export type ContactRules = MergeRules & { hasPhoto(hash: string): boolean }

/** The project as it is to be written, undefined when it stays as it is. `before` is the one of the same id. */
export function decideProject(checked: CheckedRecord<'projects'>, before: ProjectContent | undefined, rules: MergeRules) {
  const project = completed(checked, before, rules)
  const photosBefore = [...(before?.photos ?? [])]
  // A caption stays with its photo, wherever that stands.
  const captionsOf = (imageUrl: string) => {
    const index = photosBefore.findIndex((photo) => photo.imageUrl === imageUrl)
    return index < 0 ? undefined : photosBefore.splice(index, 1)[0]?.translations
  }
  const next = {
    ...project,
    // A backup deletes nothing. The days in the trash begin when the file brings a project there, however old it is.
    deletedAt: project.deletedAt ? (before ? before.deletedAt : rules.now) : null,
    // A translation that the file does not have stays as it is.
    translations: wholeTranslations(translatedFields, project.translations, before?.translations),
    photos: project.photos.map((photo) => ({
      ...photo,
      translations: wholeTranslations(translatedPhotoFields, photo.translations, captionsOf(photo.imageUrl)),
    })),
    // Rank and addresses may be missing: they are made of date and title then.
  } as ProjectContent
  if (!before) return isNew(checked.record, rules) ? next : undefined
  if (rules.mode === 'restore' && sumOfProject(before) !== sumOfProject(next)) return next
  // An import changes nothing: what comes out of the trash is as it was put there.
  return before.deletedAt && !next.deletedAt ? { ...before, deletedAt: null } : undefined
}

/**
 * The same of a message. What was done with it last counts, wherever it was done: a restore may be of an older backup. Of one
 * that exists, the replies are only those to write: they come, or come to be known as sent.
 */
export function decideContact(checked: CheckedRecord<'contacts'>, before: ContactContent | undefined, rules: ContactRules) {
  const contact = completed(checked, before, rules)
  const next: ContactContent = {
    ...contact,
    changedAt: momentIn(contact.changedAt) ?? null,
    replies: contact.replies.map(({ createdAt, sentAt, ...reply }) => ({
      ...reply,
      createdAt: momentIn(createdAt) ?? createdAt,
      sentAt: momentIn(sentAt) ?? null,
    })),
    photos: [...new Set(contact.photos)],
  }
  if (!before) return isNew(checked.record, rules) ? next : undefined
  if (rules.mode === 'import') return undefined
  const isLater = (next.changedAt ?? '') > (before.changedAt ?? '')
  const { note, spamReason, changedAt } = next
  // Nothing that was answered is new again; only spam may turn out to be none.
  const state = next.state === 'new' && before.state !== 'spam' ? before.state : next.state
  const present = new Map(before.replies.map((reply) => [reply.id, reply]))
  const sent = next.replies.filter(({ id, sentAt }) => sentAt && present.get(id)?.sentAt === null)
  const missing = next.replies.filter(({ id }) => !present.has(id)).slice(0, Math.max(0, mostReplies - present.size))
  const added = next.photos.filter((hash) => !before.photos.includes(hash) && rules.hasPhoto(hash)).length
  const gainsPhotos = added > 0 && before.photos.length + added <= mostContactPhotos
  if (!isLater && sent.length + missing.length === 0 && !gainsPhotos) return undefined
  return {
    ...before,
    ...(isLater && { state, note, spamReason, changedAt }),
    replies: [...sent, ...missing],
    photos: gainsPhotos ? next.photos : before.photos,
  }
}

type Identified = { id?: string | undefined; createdAt?: string | null | undefined }

/** With an id and a date; fields that the file does not have stay as they are, but for addresses, which are made of the title. */
function completed<Incoming extends Identified>(
  { record, absent }: { record: Incoming; absent: readonly string[] },
  before: Identified | undefined,
  { now }: MergeRules,
) {
  const kept = Object.entries(before ?? {}).filter(([name]) => absent.includes(name) && name !== 'addresses')
  return {
    ...record,
    ...(Object.fromEntries(kept) as Partial<Incoming>),
    id: record.id ?? randomUUID(),
    createdAt: momentIn(record.createdAt) ?? before?.createdAt ?? now,
  }
}

/** What is in the trash is missing on the site. */
export function isInTrash(record: object) {
  return 'deletedAt' in record && record.deletedAt !== null
}

/** A record without an id is the same if its content is; the same content twice in one file is one record. */
function isNew(record: Identified, { unknown }: MergeRules) {
  const comes = record.id !== undefined || unknown.has(contentSum(record))
  if (comes) knowContent(record, unknown)
  return comes
}

/** Also without its moment: a record that comes without one is compared without it. */
export function knowContent(record: Identified, unknown: Set<string>) {
  if (unknown.size > 0) for (const createdAt of [record.createdAt, null]) unknown.delete(contentSum({ ...record, createdAt }))
}

/** Without where a project is, which is not what it is. */
function sumOfProject({ id: _id, deletedAt: _deletedAt, addresses: _addresses, ...content }: ProjectContent) {
  return sumOfRecord(content)
}

/** Import adds fields that have no value on this site; restore sets all of them to the file's. */
export function mergeSite(mode: MergeMode, before: OwnFields, incoming: OwnFields) {
  const present = new Set(Object.keys(before).map(unitOf))
  const missing = Object.fromEntries(Object.entries(incoming).filter(([field]) => !present.has(unitOf(field))))
  const fields = differing(mode === 'restore' ? incoming : { ...missing, ...before })
  const all = Object.keys({ ...before, ...fields }) as SiteField[]
  const changed = all.filter((field) => fields[field] !== before[field])
  const added = changed.filter((field) => before[field] === undefined).length
  return { fields, added, broughtBack: changed.length - added }
}

/** A photo and the point of it that stays visible belong together: that of another photo would be the wrong one. */
function unitOf(field: string) {
  return field.startsWith('photos.') ? field.replace(/\.\w+$/, '') : field
}
