import { randomUUID } from 'node:crypto'
import { hashesShown } from '#contract/images.ts'
import { type OwnFields, photosIn } from '#contract/site-fields.ts'
import type { Db, StoredMerge } from '#server/database/tables.ts'
import { insertProjects } from '#server/features/projects/project-records.ts'
import { addVersion, readPublished } from '#server/features/site-content/site-content.queries.ts'
import { type PhotoKind, photoEntry } from '../archive/archive.rules.ts'
import { openContactPhotos } from '../archive/backup-photos.ts'
import { type CheckedRecord, type RecordList, sentWith } from '../archive/export.rules.ts'
import type { IncomingBackup } from '../archive/read-backup.ts'
import * as queries from '../archive/records.queries.ts'
import { mergeSite } from '../archive/site.rules.ts'
import type { Progress } from '../job.ts'
import { insertUndoRows } from './last-merge.queries.ts'
import { type ContentSums, decideContact, decideProject, isInTrash, type MergeMode, rememberContent } from './merge.rules.ts'
import type { MergeParts, MergeRequest } from './restore.ts'

/** A record of the file, the one that exists under its id, and what is to be written, if anything is. */
export type Decision<List extends RecordList> = {
  incoming: CheckedRecord<List>['record']
  before: queries.RecordOf[List] | undefined
  next: queries.RecordOf[List] | undefined
}

type DecisionOptions = Pick<MergeRequest, 'mode' | 'without'> & { now: string; photos: AvailablePhotos }

/** What a merge would do, some records at a time; what is written meanwhile changes nothing about those that follow. */
export async function* decide(db: Db, { withoutIds, records }: IncomingBackup, options: DecisionOptions) {
  const { mode, now, without, photos } = options
  const rules = { mode, now, newId: randomUUID }
  const contents = {
    projects: await existingContents(db, 'projects', withoutIds.projects),
    contacts: await existingContents(db, 'contacts', withoutIds.contacts),
  }
  let number = -1

  for await (const some of records()) {
    const checkedProjects = some.filter((each): each is CheckedRecord<'projects'> => each.list === 'projects')
    const checkedContacts = some.filter((each): each is CheckedRecord<'contacts'> => each.list === 'contacts')
    const presentProjects = await findPresent(db, 'projects', checkedProjects)
    const presentContacts = await findPresent(db, 'contacts', checkedContacts)
    const facts = await photos.findSent(db, checkedContacts.flatMap(sentWith))
    const replies = checkedContacts.flatMap(({ record }) => record.replies.map(({ id }) => id))
    const replyOwners = await queries.findReplies(db, replies)

    const projects = checkedProjects.flatMap((checked): (Decision<'projects'> & { number: number })[] => {
      const { record: incoming } = checked
      number += 1
      if (without?.has(number)) {
        // Nor does it come as the same content a second time.
        if (!incoming.id) rememberContent(incoming, contents.projects)
        return []
      }
      const before = presentProjects.get(incoming.id)
      const next = decideProject(checked, before, { ...rules, contents: contents.projects })
      return [{ number, incoming, before, next }]
    })
    const contacts = checkedContacts.map((checked): Decision<'contacts'> => {
      const before = presentContacts.get(checked.record.id)
      const hasPhoto = (hash: string) => facts.has(hash)
      const next = decideContact(checked, before, { ...rules, contents: contents.contacts, hasPhoto, replyOwners })
      return { incoming: checked.record, before, next }
    })
    photos.lookForImages(projects.flatMap(({ incoming }) => hashesShown(incoming)))
    yield { projects, contacts, facts }
  }
}

async function findPresent<List extends RecordList>(db: Db, list: List, checked: readonly CheckedRecord<List>[]) {
  const ids = checked.flatMap(({ record }) => record.id ?? [])
  const present = await queries.findRecords(db, list, ids)
  return new Map<string | undefined, queries.RecordOf[List]>(present.map((record) => [record.id, record]))
}

/** Of the contents that come without an id, those that exist. Only contents that come in are remembered. */
async function existingContents(db: Db, list: RecordList, incoming: ReadonlySet<string>): Promise<ContentSums | undefined> {
  if (incoming.size === 0) return undefined
  const present = new Set<string>()
  const sums: ContentSums = { has: (sum) => present.has(sum), add: (sum) => incoming.has(sum) && present.add(sum) }
  for await (const records of queries.eachRecord(db, list)) {
    for (const record of records) if (!isInTrash(record)) rememberContent(record, sums)
  }
  return sums
}

/** What becomes of the fields of the site, and which photos of the file it then shows. */
export function decideSite(mode: MergeMode, before: OwnFields, incoming: OwnFields) {
  const merged = mergeSite(mode, before, incoming)
  const ofFile = new Set(photosIn(incoming))
  return { ...merged, shown: photosIn(merged.fields).filter((hash) => ofFile.has(hash)) }
}

/** Both kinds of photos. */
export function photosOf({ images, ...parts }: MergeParts) {
  return { images, inquiryPhotos: openContactPhotos({ ...parts, judge: images.judge }) }
}

export function ofKind<Photo extends { kind: PhotoKind }>(kind: PhotoKind, photos: readonly Photo[]) {
  return photos.filter((photo) => photo.kind === kind)
}

type AvailablePhotos = Awaited<ReturnType<typeof listAvailable>>

/** The photos that the site or the file has, and what is missing of those that are looked for; `sent` came with messages. */
export async function listAvailable(parts: MergeParts, incoming: IncomingBackup, sent: readonly queries.PhotoFacts[]) {
  const { images, inquiryPhotos } = photosOf(parts)
  const stored = { images: await images.listStored(), inquiryPhotos: await inquiryPhotos.listStored() }
  const inFile = ofKind('images', incoming.photos).map(({ hash }) => hash)
  const available = new Set([...stored.images.keys(), ...(await images.listAside()), ...inFile])
  const withoutRow = new Map<string, queries.PhotoFacts | undefined>(sent.map((facts) => [facts.hash, facts]))
  const missing = new Set<string>()

  return {
    stored,
    missing,

    lookForImages(hashes: readonly string[]) {
      for (const hash of hashes) if (!available.has(hash)) missing.add(photoEntry({ kind: 'images', hash }))
    },

    /** What is to be stored in the rows of photos that came with messages. */
    async findSent(db: Db, hashes: readonly string[]): Promise<ReadonlyMap<string, queries.PhotoFacts>> {
      const withFile = new Set(hashes.filter((hash) => stored.inquiryPhotos.has(hash)))
      const found = await queries.findPhotoFacts(db, [...withFile])
      for (const hash of hashes) {
        const isKnown = found.has(hash) || withoutRow.has(hash)
        // A file without a row, as after going back to an older database.
        if (withFile.has(hash) && !isKnown) withoutRow.set(hash, await inquiryPhotos.judgeStored(hash))
        const facts = withoutRow.get(hash)
        if (facts) found.set(hash, facts)
        else if (!found.has(hash)) missing.add(photoEntry({ kind: 'inquiryPhotos', hash }))
      }
      return found
    },
  }
}

type MergeOptions = DecisionOptions & { mergeId: string }

export const noChanges = () => ({ added: 0, changed: 0, alreadyThere: 0 })

export function count(counts: ReturnType<typeof noChanges>, decisions: readonly { before: unknown; next: unknown }[]) {
  for (const { before, next } of decisions) counts[!next ? 'alreadyThere' : before ? 'changed' : 'added'] += 1
}

/** Adds and brings back the records of the file, and keeps what they were; to be called in a transaction. */
export async function mergeRecords(tx: Db, incoming: IncomingBackup, options: MergeOptions, progress: Progress) {
  const { mergeId, mode, now, photos } = options
  const counts = { projects: noChanges(), contacts: noChanges(), site: { added: 0, broughtBack: 0 } }
  let touched = 0

  async function noteWritten<List extends RecordList>(list: List, decisions: readonly Decision<List>[]) {
    count(counts[list], decisions)
    touched += await insertUndoRows(tx, { mergeId, list }, decisions)
  }

  async function publish(site: OwnFields): Promise<StoredMerge['siteVersions']> {
    const published = await readPublished(tx)
    const { fields, shown, ...changes } = decideSite(mode, published.fields, site)
    const number = published.number + 1
    const isPublished = changes.added + changes.broughtBack > 0
    // Another version was published meanwhile: merge with that one.
    if (isPublished && !(await addVersion(tx, { number, fields, author: null, createdAt: now }))) return publish(site)
    counts.site = changes
    photos.lookForImages(shown)
    return isPublished ? { before: published.number, after: number } : null
  }

  const total = incoming.counts.projects + incoming.counts.contacts
  let done = 0
  for await (const { projects, contacts, facts } of decide(tx, incoming, options)) {
    await insertProjects(tx, added(projects))
    for (const project of changed(projects)) await queries.overwriteProject(tx, project)
    const named = projects.map((project) => project.incoming)
    await queries.keepAddresses(tx, named)
    await noteWritten('projects', projects)
    await queries.insertContactContents(tx, added(contacts))
    for (const contact of changed(contacts)) await queries.overwriteContact(tx, contact)
    await queries.addToContacts(tx, [...added(contacts), ...changed(contacts)], facts)
    await noteWritten('contacts', contacts)
    done += projects.length + contacts.length
    progress('merging', done, total)
  }
  // Last: from here on a maker who publishes has to wait.
  const siteVersions = incoming.site ? await publish(incoming.site) : null
  return { ...counts, missingImages: photos.missing.size, siteVersions, isChanged: touched > 0 || siteVersions !== null }
}

type Written<T> = readonly { before: T | undefined; next: T | undefined }[]
const added = <T>(all: Written<T>) => all.flatMap(({ before, next }) => (next && !before ? [next] : []))
const changed = <T>(all: Written<T>) => all.flatMap(({ before, next }) => (next && before ? [next] : []))
