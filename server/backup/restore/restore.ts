import { randomUUID } from 'node:crypto'
import { hashesShown } from '#contract/images.ts'
import { type OwnFields, photosIn } from '#contract/site-fields.ts'
import type { Db, StoredMerge } from '#server/database/tables.ts'
import { type Doer, noteActivity } from '#server/features/activity/activity.queries.ts'
import { listQuarantinedHashes } from '#server/features/images/image-quarantine.ts'
import { imagesLock, insertImages } from '#server/features/images/images.queries.ts'
import { addVersion, readPublished } from '#server/features/site-content/site-content.queries.ts'
import { restoreSums } from '#server/features/statistics/statistics.queries.ts'
import { countOf, eachPhoto, intactIn, listStored, ofKind, storePhoto } from '../archive/backup-photos.ts'
import { type CheckedRecord, type RecordList, recordLists } from '../archive/export.rules.ts'
import { checkPhotos, type IncomingBackup } from '../archive/read-backup.ts'
import * as queries from '../archive/records.queries.ts'
import { type PhotoKind, photoEntry } from '../archive/zip-archive.ts'
import { ensureRoom, type Progress } from '../job.ts'
import type { JobParts } from '../make-backup.ts'
import { decideContact, decideProject, isInTrash, knowContent, type MergeMode, mergeSite } from './merge.rules.ts'
import { insertUndoRows, keepReport } from './undo.ts'

type MergeRequest = {
  mode: MergeMode
  /** The name of the file, for the report. One that ends in `.zip` is a complete backup. */
  filename: string
  /** The projects that are left out, by their places in the file. */
  without?: ReadonlySet<number>
  by?: Doer | undefined
}

/**
 * Checks the photos, stores those that are missing (nothing refers to them yet), and changes the records in one transaction,
 * which also notes how to undo it. Killed at any moment, the site is as before or as after.
 */
export async function mergeBackup(incoming: IncomingBackup, request: MergeRequest, parts: JobParts, progress: Progress) {
  const { database, storage, clock } = parts
  const { mode, filename, without, by } = request
  const isIntact = await intactIn(parts)
  const needed = await checkPhotos(incoming, progress, async (photo) => !(await isIntact(photo)))
  const bytes = needed.reduce((total, photo) => total + photo.bytes, 0)
  await ensureRoom(storage, bytes)
  const store = async (photo: (typeof needed)[number]) => storePhoto(storage, photo, await incoming.readPhoto(photo))
  await eachPhoto(needed, 'storing', progress, store)

  const at = clock.now()
  const now = at.toISOString()
  const rows = ofKind('images', needed).map(({ kind: _kind, ...image }) => ({ ...image, createdAt: now }))
  const id = randomUUID()
  const available = await listAvailable(parts, incoming, ofKind('inquiryPhotos', needed))
  const options = { mergeId: id, mode, without, now, photos: available, locked: true }
  const work = async (tx: Db) => {
    await insertImages(tx, rows)
    const { projects, contacts, ...changes } = await mergeRecords(tx, incoming, options, progress)
    const [inFile, came] = [countOf(incoming.photos), countOf(needed)]
    const photoCounts = (kind: PhotoKind) => ({ added: came[kind], changed: 0, alreadyThere: inFile[kind] - came[kind] })
    const all = { projects, contacts, images: photoCounts('images'), inquiryPhotos: photoCounts('inquiryPhotos') }
    const imported = countEach(all, ({ added, changed }) => added + changed)
    const message = filename.toLowerCase().endsWith('.zip')
      ? `Complete backup restored: ${imported.projects} projects, ${imported.contacts} contacts, ${came.images} images found`
      : `Import completed: ${imported.projects} projects, ${imported.contacts} contacts`
    const about = { id, mode, filename, at: now, message, undone: null }
    const merge: StoredMerge = {
      ...about,
      ...changes,
      imported,
      added: countEach(all, ({ added }) => added),
      broughtBack: countEach(all, ({ changed }) => changed),
      alreadyThere: countEach(all, ({ alreadyThere }) => alreadyThere),
    }
    await keepReport(tx, merge)
    await noteActivity(tx, by, { kind: mode === 'import' ? 'data_imported' : 'data_restored', name: filename }, at)
    return merge
  }
  const merge = await database.exclusively(imagesLock, work, { withoutTimeout: true })
  return { merge, added: rows.map(({ hash }) => hash) }
}

/** The photos that the site or the file has, and what is missing of those that are looked for; `sent` came with messages. */
export async function listAvailable({ storage }: JobParts, incoming: IncomingBackup, sent: readonly queries.PhotoFacts[]) {
  const stored = await listStored(storage)
  const inFile = ofKind('images', incoming.photos).map(({ hash }) => hash)
  const available = new Set([...stored.images.keys(), ...(await listQuarantinedHashes(storage)), ...inFile])
  const sentByHash = new Map(sent.map((photo) => [photo.hash, photo]))
  const missing = new Set<string>()

  return {
    stored,
    missing,

    lookForImages(hashes: readonly string[]) {
      for (const hash of hashes) if (!available.has(hash)) missing.add(photoEntry({ kind: 'images', hash }))
    },

    /** What is to be stored in the rows of these photos, which came with messages. */
    async findSent(db: Db, hashes: readonly string[]) {
      const known = await queries.findSentPhotos(db, hashes)
      const facts = new Map<string, queries.PhotoFacts>()
      for (const hash of hashes) {
        const found = sentByHash.get(hash) ?? (stored.inquiryPhotos.has(hash) ? known.get(hash) : undefined)
        if (found) facts.set(hash, found)
        else missing.add(photoEntry({ kind: 'inquiryPhotos', hash }))
      }
      return facts
    },
  }
}

/** What exists under the id of a record in the file, and what is to be written, if anything is. */
export type Decision<List extends RecordList> = {
  before: queries.RecordOf[List] | undefined
  next: queries.RecordOf[List] | undefined
}

type DecisionOptions = {
  mode: MergeMode
  now: string
  without?: ReadonlySet<number> | undefined
  photos: Awaited<ReturnType<typeof listAvailable>>
  /** Otherwise what is saved at the same moment would be lost. */
  locked: boolean
}

/** What a merge would do, some records at a time; what is written meanwhile changes nothing about those that follow. */
export async function* decide(db: Db, { withoutIds, records }: IncomingBackup, options: DecisionOptions) {
  const { without, photos, locked } = options
  const rules = { ...options, unknown: await findUnknown(db, withoutIds) }
  let number = -1
  for await (const some of records()) {
    const projects = (await withPresent(db, 'projects', some, locked)).flatMap(({ checked, before }) => {
      number += 1
      if (without?.has(number)) {
        // Nor does it come as the same content a second time.
        if (checked.record.id === undefined) knowContent(checked.record, rules.unknown)
        return []
      }
      photos.lookForImages(hashesShown(checked.record))
      return { number, before, next: decideProject(checked, before, rules) }
    })
    const present = await withPresent(db, 'contacts', some, locked)
    const facts = await photos.findSent(
      db,
      present.flatMap(({ checked }) => checked.record.photos),
    )
    const hasPhoto = (hash: string) => facts.has(hash)
    const contacts = present.map(({ checked, before }) => {
      return { before, next: decideContact(checked, before, { ...rules, hasPhoto }) }
    })
    yield { projects, contacts, facts }
  }
}

type Present<List extends RecordList> = { checked: CheckedRecord<List>; before: queries.RecordOf[List] | undefined }

/** Those of a kind. */
export async function withPresent<List extends RecordList>(
  db: Db,
  list: List,
  records: readonly CheckedRecord[],
  locked = false,
): Promise<Present<List>[]> {
  const ofList = records.filter((each): each is CheckedRecord<List> => each.list === list)
  const ids = ofList.flatMap(({ record }) => record.id ?? [])
  const present = await queries.findRecords(db, list, ids, { locked })
  return ofList.map((checked) => ({ checked, before: present.get(checked.record.id ?? '') }))
}

/** The contents that are not on the site. */
async function findUnknown(db: Db, contents: ReadonlySet<string>) {
  const unknown = new Set(contents)
  for (const list of unknown.size > 0 ? recordLists : []) {
    for await (const records of queries.eachRecord(db, list)) {
      for (const record of records) if (!isInTrash(record)) knowContent(record, unknown)
    }
  }
  return unknown
}

function countEach<Key extends string>(all: Record<Key, Changes>, count: (changes: Changes) => number) {
  const counts = Object.entries<Changes>(all).map(([key, changes]) => [key, count(changes)])
  return Object.fromEntries(counts) as Record<Key, number>
}

type Changes = ReturnType<typeof noChanges>
export const noChanges = () => ({ added: 0, changed: 0, alreadyThere: 0 })

export function count(counts: Changes, decisions: readonly { before: unknown; next: unknown }[]) {
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
    await queries.writeProjects(tx, written(projects))
    await insertUndoRows(tx, { mergeId, list: 'projects' }, projects)
    await queries.writeContacts(tx, written(contacts), facts)
    await insertUndoRows(tx, { mergeId, list: 'contacts' }, contacts)
    count(counts.projects, projects)
    count(counts.contacts, contacts)
    done += projects.length + contacts.length
    progress('merging', done, total)
  }
  await restoreSums(tx, incoming.sums)
  // Last: from here on a maker who publishes has to wait.
  const site = await publish(tx, incoming.site, options)
  return { ...counts, ...site, missingImages: photos.missing.size }
}

function written<T>(decisions: readonly { before: T | undefined; next: T | undefined }[]) {
  return {
    added: decisions.flatMap(({ before, next }) => (next && !before ? [next] : [])),
    changed: decisions.flatMap(({ before, next }) => (next && before ? [next] : [])),
  }
}

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
