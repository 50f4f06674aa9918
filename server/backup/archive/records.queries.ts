import { randomBytes } from 'node:crypto'
import type { PlaceByRank } from '#contract/first-visit.ts'
import type { PlaceInList } from '#contract/paging.ts'
import { type StoredPhoto, translatedFields } from '#contract/project-fields.ts'
import { mostAddresses, type Project } from '#contract/projects.ts'
import { lockRows } from '#server/database/dialect.ts'
import { inSlices, listedBy } from '#server/database/slices.ts'
import type { ContactMessageRow, ContactPhotoRow, ContactReplyRow, Db, ProjectRow } from '#server/database/tables.ts'
import { insertContacts, insertReplies, repliesTo } from '#server/features/contacts/contacts.queries.ts'
import { insertContactPhotos, photosSentWith } from '#server/features/contacts/photos.queries.ts'
import {
  insertProjects,
  updateProject,
  withAddresses,
  withPhotos,
  withTexts,
} from '#server/features/projects/project-records.ts'

/** What backups carry of a project: which version it is matters on this site only. */
export type ProjectContent = Omit<ProjectRow, 'version' | 'slug'> &
  Pick<Project, 'translations'> & { photos: StoredPhoto[]; addresses: string[] }
/** What backups carry of a message; its photos by their hashes. */
export type ContactContent = ContactMessageRow & { replies: Omit<ContactReplyRow, 'contactId'>[]; photos: string[] }
export type RecordOf = { projects: ProjectContent; contacts: ContactContent }
type List = keyof RecordOf

/** The row of a photo that came with a message, as far as its bytes tell it. */
export type PhotoFacts = Pick<ContactPhotoRow, 'hash' | 'contentType' | 'bytes' | 'width' | 'height'>

/** All records of a kind, slice by slice: projects in their order, messages newest first. */
export function eachRecord<L extends List>(db: Db, list: L): AsyncGenerator<RecordOf[L][]> {
  const projects = inSlices(async (limit, after: PlaceByRank | undefined) =>
    projectsOf(db, await listedBy('rank', db.selectFrom('projects').selectAll(), { limit, after }).execute()),
  )
  const contacts = inSlices(async (limit, after: PlaceInList | undefined) =>
    contactsOf(db, await listedBy('createdAt', db.selectFrom('contactMessages').selectAll(), { limit, after }).execute()),
  )
  return { projects, contacts }[list] as AsyncGenerator<RecordOf[L][]>
}

/** By their ids, of which there are few. Those that are locked cannot be changed by another transaction until this one ends. */
export async function findRecords<L extends List>(db: Db, list: L, ids: readonly string[], { locked = false } = {}) {
  const lock: typeof lockRows = locked ? lockRows : (_db, query) => query
  const projects = lock(db, db.selectFrom('projects').selectAll())
  const contacts = lock(db, db.selectFrom('contactMessages').selectAll())
  const readers = {
    projects: async () => projectsOf(db, await projects.where('id', 'in', ids).execute()),
    contacts: async () => contactsOf(db, await contacts.where('id', 'in', ids).execute()),
  }
  const records: { id: string }[] = ids.length > 0 ? await readers[list]() : []
  return new Map(records.map((record) => [record.id, record])) as Map<string, RecordOf[L]>
}

export async function overwriteContact(db: Db, { id, state, note, spamReason, changedAt, replies }: ContactContent) {
  await db.updateTable('contactMessages').set({ state, note, spamReason, changedAt }).where('id', '=', id).execute()
  const ofThis = db.updateTable('contactReplies').where('contactId', '=', id)
  for (const { id, sentAt } of replies) await ofThis.set({ sentAt }).where('id', '=', id).execute()
}

type Written<T> = { added: readonly T[]; changed: readonly T[] }

export async function writeProjects(db: Db, { added, changed }: Written<ProjectContent>) {
  await insertProjects(db, added)
  // The version grows: a form opened before is refused like after any other change.
  for (const { id, ...content } of changed) await updateProject(db, { id }, content)
}

/** With missing replies, and missing photos whose files are stored. Sends no mail. */
export async function writeContacts(
  db: Db,
  { added, changed }: Written<ContactContent>,
  facts: ReadonlyMap<string, PhotoFacts>,
) {
  const contacts = [...added, ...changed]
  const ids = contacts.map(({ id }) => id)
  const rows = added.map(({ replies: _replies, photos: _photos, ...row }) => row)
  await insertContacts(db, rows)
  for (const contact of changed) await overwriteContact(db, contact)
  const replies = contacts.flatMap(({ id, replies }) => replies.map((reply) => ({ ...reply, contactId: id })))
  await insertReplies(db, replies)
  const stored = await photosSentWith(db, ids)
  const photos = contacts.flatMap(({ id, createdAt, photos }) =>
    photos.flatMap((hash, position): ContactPhotoRow[] => {
      const missing = stored.get(id)?.some((photo) => photo.hash === hash) ? undefined : facts.get(hash)
      if (!missing) return []
      const { contentType, bytes, width, height } = missing
      // A random id: no upload ticket may lead to it.
      const ticket = randomBytes(32).toString('hex')
      return [{ hash, contentType, bytes, width, height, id: ticket, contactId: id, position, createdAt }]
    }),
  )
  await insertContactPhotos(db, photos)
}

/** What is known of these photos, as far as a message has them. */
export async function findSentPhotos(db: Db, hashes: readonly string[]) {
  const photos = db.selectFrom('contactPhotos').select(['hash', 'contentType', 'bytes', 'width', 'height'])
  const sent = photos.where('contactId', 'is not', null)
  const rows = hashes.length > 0 ? await sent.where('hash', 'in', hashes).execute() : []
  return new Map(rows.map((row) => [row.hash, row]))
}

async function projectsOf(db: Db, rows: readonly ProjectRow[]): Promise<ProjectContent[]> {
  const projects = await withAddresses(db, await withPhotos(db, await withTexts(db, rows, translatedFields)))
  return projects.map(({ version: _version, addresses, ...content }) => ({
    ...content,
    addresses: addresses.filter(Boolean).slice(0, mostAddresses),
  }))
}

async function contactsOf(db: Db, rows: readonly ContactMessageRow[]): Promise<ContactContent[]> {
  const ids = rows.map(({ id }) => id)
  const replies = await repliesTo(db, ids)
  const photos = await photosSentWith(db, ids)
  return rows.map((row) => ({
    ...row,
    replies: (replies.get(row.id) ?? []).map(({ contactId: _contactId, ...reply }) => reply),
    // A photo that was sent twice counts once.
    photos: [...new Set((photos.get(row.id) ?? []).map(({ hash }) => hash))],
  }))
}
