import { randomUUID } from 'node:crypto'
import { hashesShown } from '#contract/images.ts'
import { type OwnFields, photosIn } from '#contract/site-fields.ts'
import type { Db, StoredMerge } from '#server/database/tables.ts'
import { insertProjects } from '#server/features/projects/project-records.ts'
import { addVersion, readPublished } from '#server/features/site-content/site-content.queries.ts'
import { forEachConcurrently } from '#server/storage/storage.ts'
import { type PhotoKind, photoEntry } from '../archive/archive.rules.ts'
import { type CheckedImage, openContactPhotos } from '../archive/backup-photos.ts'
import { type CheckedRecord, type RecordList, sentWith } from '../archive/export.rules.ts'
import { checkPhotos, type IncomingBackup, type PlacedPhoto, photosAtOnce } from '../archive/read-backup.ts'
import * as queries from '../archive/records.queries.ts'
import { mergeSite } from '../archive/site.rules.ts'
import { ensureRoom } from '../disk-space.ts'
import { noProgress, type Progress } from '../job.ts'
import type { JobParts } from '../make-backup.ts'
import { type Contents, decideContact, decideProject, isInTrash, type MergeMode, rememberContent } from './merge.rules.ts'
import { insertUndoRows, keepReport } from './undo.ts'

export type MergeParts = Pick<JobParts, 'database' | 'storage' | 'clock' | 'images'>

type MergeRequest = {
  mode: MergeMode
  /** The name of the file, for the report. One that ends in `.zip` is a complete backup. */
  filename: string
  /** The projects that are left out, by their places in the file. */
  without?: ReadonlySet<number>
}

/**
 * Checks the photos, stores those that are missing (nothing refers to them yet), and changes the records in one transaction,
 * which also notes how to undo it. Killed at any moment, the site is as before or as after.
 */
export async function mergeBackup(incoming: IncomingBackup, request: MergeRequest, parts: MergeParts, progress: Progress) {
  const { database, storage, clock, images } = parts
  const { mode, filename, without } = request
  const photos = photosOf(parts)
  const isNeeded = async ({ kind, hash }: PlacedPhoto) => !(await photos[kind].isIntact(hash))
  const needed = await checkPhotos(incoming, { judge: images.judge, isNeeded, progress })
  const bytes = needed.reduce((total, photo) => total + photo.bytes, 0)
  await ensureRoom(storage, bytes)
  await storePhotos(incoming, needed, photos, progress)

  const now = clock.now().toISOString()
  const rows = ofKind('images', needed).map(({ kind: _kind, ...image }) => ({ ...image, createdAt: now }))
  const sent = ofKind('inquiryPhotos', needed)
  const id = randomUUID()
  const options = { mergeId: id, mode, without, now, photos: await listAvailable(parts, incoming, sent) }
  const work = async (tx: Db) => {
    await images.insert(tx, rows)
    const { projects, contacts, ...changes } = await mergeRecords(tx, incoming, options, progress)
    const [inFile, came] = [countOf(incoming.photos), countOf(needed)]
    const added = { projects: projects.added, contacts: contacts.added, ...came }
    const broughtBack = { projects: projects.changed, contacts: contacts.changed, images: 0, inquiryPhotos: 0 }
    const imported = { ...added, projects: added.projects + projects.changed, contacts: added.contacts + contacts.changed }
    const alreadyThere = {
      projects: projects.alreadyThere,
      contacts: contacts.alreadyThere,
      images: inFile.images - came.images,
      inquiryPhotos: inFile.inquiryPhotos - came.inquiryPhotos,
    }
    const message = filename.toLowerCase().endsWith('.zip')
      ? `Complete backup restored: ${imported.projects} projects, ${imported.contacts} contacts, ${came.images} images found`
      : `Import completed: ${imported.projects} projects, ${imported.contacts} contacts`
    const about = { id, mode, filename, at: now, message, undone: null }
    const merge: StoredMerge = { ...about, ...changes, imported, added, broughtBack, alreadyThere }
    await keepReport(tx, merge)
    return merge
  }
  const merge = await database.exclusively(images.lock, work, { withoutTimeout: true })
  // The merge is committed: a storage that fails now must not turn the reply into a failure.
  await storeSwept().catch(() => {})
  await images.bringBack().catch(() => {})
  return { merge, added: rows.map(({ hash }) => hash) }

  /** Photos of a deleted message may have been swept before the transaction brought their rows back. */
  async function storeSwept() {
    const stored = await photos.inquiryPhotos.listStored()
    const swept = sent.filter(({ hash }) => !stored.has(hash))
    await storePhotos(incoming, swept, photos, noProgress)
  }
}

/** Both kinds of photos. */
export function photosOf({ images, ...parts }: MergeParts) {
  return { images, inquiryPhotos: openContactPhotos({ ...parts, judge: images.judge }) }
}

export function ofKind<Photo extends { kind: PhotoKind }>(kind: PhotoKind, photos: readonly Photo[]) {
  return photos.filter((photo) => photo.kind === kind)
}

function countOf(photos: readonly PlacedPhoto[]) {
  return { images: ofKind('images', photos).length, inquiryPhotos: ofKind('inquiryPhotos', photos).length }
}

async function storePhotos(
  { readPhoto }: IncomingBackup,
  needed: readonly (PlacedPhoto & CheckedImage)[],
  photos: ReturnType<typeof photosOf>,
  progress: Progress,
) {
  let done = 0
  await forEachConcurrently(needed, photosAtOnce, async (photo) => {
    await photos[photo.kind].put(photo, await readPhoto(photo))
    done += 1
    progress('storing', done, needed.length)
  })
}

/** The photos that the site or the file has, and what is missing of those that are looked for; `sent` came with messages. */
export async function listAvailable(parts: MergeParts, incoming: IncomingBackup, sent: readonly queries.PhotoFacts[]) {
  const { images, inquiryPhotos } = photosOf(parts)
  const stored = { images: await images.listStored(), inquiryPhotos: await inquiryPhotos.listStored() }
  const inFile = ofKind('images', incoming.photos).map(({ hash }) => hash)
  const available = new Set([...stored.images.keys(), ...(await images.listAside()), ...inFile])
  const sentByHash = new Map(
    sent.map(({ hash, contentType, bytes, width, height }) => [hash, { hash, contentType, bytes, width, height }]),
  )
  const missing = new Set<string>()

  return {
    stored,
    missing,

    lookForImages(hashes: readonly string[]) {
      for (const hash of hashes) if (!available.has(hash)) missing.add(photoEntry({ kind: 'images', hash }))
    },

    /** What is to be stored in the rows of photos that came with messages. */
    async findSent(db: Db, hashes: readonly string[]) {
      const withFile = hashes.filter((hash) => stored.inquiryPhotos.has(hash))
      const facts = await queries.findPhotoFacts(db, withFile)
      for (const hash of hashes) {
        // A file without a row, as where only the database was lost.
        const isStray = stored.inquiryPhotos.has(hash) && !facts.has(hash)
        const more = sentByHash.get(hash) ?? (isStray ? await inquiryPhotos.judgeStored(hash) : undefined)
        if (more) facts.set(hash, more)
        if (!facts.has(hash)) missing.add(photoEntry({ kind: 'inquiryPhotos', hash }))
      }
      return facts
    },
  }
}

/** A record of the file, the one that exists under its id, and what is to be written, if anything is. */
export type Decision<List extends RecordList> = {
  incoming: CheckedRecord<List>['record']
  before: queries.RecordOf[List] | undefined
  next: queries.RecordOf[List] | undefined
}

type DecisionOptions = {
  mode: MergeMode
  now: string
  without?: ReadonlySet<number> | undefined
  photos: Awaited<ReturnType<typeof listAvailable>>
}

/** What a merge would do, some records at a time; what is written meanwhile changes nothing about those that follow. */
export async function* decide(db: Db, { withoutIds, records }: IncomingBackup, options: DecisionOptions) {
  const { mode, now, without, photos } = options
  const ofProjects = { mode, now, contents: await findContents(db, 'projects', withoutIds.projects) }
  const ofContacts = { mode, now, contents: await findContents(db, 'contacts', withoutIds.contacts) }
  let number = -1

  for await (const some of records()) {
    const projects = (await withPresent(db, 'projects', some)).flatMap(({ checked, before }) => {
      const { record: incoming } = checked
      number += 1
      if (!without?.has(number)) return { number, incoming, before, next: decideProject(checked, before, ofProjects) }
      // Nor does it come as the same content a second time.
      if (!incoming.id) rememberContent(incoming, ofProjects.contents)
      return []
    })
    photos.lookForImages(projects.flatMap(({ incoming }) => hashesShown(incoming)))
    const present = await withPresent(db, 'contacts', some)
    const facts = await photos.findSent(db, some.flatMap(sentWith))
    const replies = present.flatMap(({ checked }) => checked.record.replies.map(({ id }) => id))
    const rules = {
      ...ofContacts,
      hasPhoto: (hash: string) => facts.has(hash),
      replyOwners: await queries.findReplies(db, replies),
    }
    const contacts = present.map(({ checked, before }) => {
      return { incoming: checked.record, before, next: decideContact(checked, before, rules) }
    })
    yield { projects, contacts, facts }
  }
}

async function withPresent<List extends RecordList>(db: Db, list: List, records: readonly CheckedRecord[]) {
  const ofList = records.filter((each): each is CheckedRecord<List> => each.list === list)
  const ids = ofList.flatMap(({ record }) => record.id ?? [])
  const present = await queries.findRecords(db, list, ids)
  return ofList.map((checked) => ({ checked, before: present.get(checked.record.id ?? '') }))
}

/** Which of the contents that come without an id exist. */
async function findContents(db: Db, list: RecordList, incoming: ReadonlySet<string>) {
  const contents: Contents = new Map([...incoming].map((sum) => [sum, false]))
  if (contents.size === 0) return contents
  for await (const records of queries.eachRecord(db, list)) {
    for (const record of records) if (!isInTrash(record)) rememberContent(record, contents)
  }
  return contents
}

export const noChanges = () => ({ added: 0, changed: 0, alreadyThere: 0 })

export function count(counts: ReturnType<typeof noChanges>, decisions: readonly { before: unknown; next: unknown }[]) {
  for (const { before, next } of decisions) counts[!next ? 'alreadyThere' : before ? 'changed' : 'added'] += 1
}

type MergeOptions = DecisionOptions & { mergeId: string }

/** Adds and brings back the records of the file, and keeps what they were; to be called in a transaction. */
async function mergeRecords(tx: Db, incoming: IncomingBackup, options: MergeOptions, progress: Progress) {
  const { mergeId, photos } = options
  const counts = { projects: noChanges(), contacts: noChanges() }
  const total = incoming.counts.projects + incoming.counts.contacts
  let done = 0
  for await (const { projects, contacts, facts } of decide(tx, incoming, options)) {
    await insertProjects(tx, added(projects))
    for (const project of changed(projects)) await queries.overwriteProject(tx, project)
    const incomingProjects = projects.map((project) => project.incoming)
    await queries.keepAddresses(tx, incomingProjects)
    await insertUndoRows(tx, { mergeId, list: 'projects' }, projects)
    await queries.insertContactContents(tx, added(contacts))
    for (const contact of changed(contacts)) await queries.overwriteContact(tx, contact)
    await queries.addToContacts(tx, [...added(contacts), ...changed(contacts)], facts)
    await insertUndoRows(tx, { mergeId, list: 'contacts' }, contacts)
    count(counts.projects, projects)
    count(counts.contacts, contacts)
    done += projects.length + contacts.length
    progress('merging', done, total)
  }
  // Last: from here on a maker who publishes has to wait.
  const site = await publish(tx, incoming.site, options)
  return { ...counts, ...site, missingImages: photos.missing.size }
}

type Written<T> = readonly { before: T | undefined; next: T | undefined }[]
const added = <T>(all: Written<T>) => all.flatMap(({ before, next }) => (next && !before ? [next] : []))
const changed = <T>(all: Written<T>) => all.flatMap(({ before, next }) => (next && before ? [next] : []))

type Published = Pick<StoredMerge, 'site' | 'siteVersions'>

async function publish(tx: Db, incoming: OwnFields | undefined, options: MergeOptions): Promise<Published> {
  if (!incoming) return { site: { added: 0, broughtBack: 0 }, siteVersions: null }
  const published = await readPublished(tx)
  const { fields, ...site } = mergeSite(options.mode, published.fields, incoming)
  const number = published.number + 1
  const isPublished = site.added + site.broughtBack > 0
  // Another version was published meanwhile: merge with that one.
  if (isPublished && !(await addVersion(tx, { number, fields, author: null, createdAt: options.now }))) {
    return publish(tx, incoming, options)
  }
  options.photos.lookForImages(photosIn(fields))
  return { site, siteVersions: isPublished ? { before: published.number, after: number } : null }
}
