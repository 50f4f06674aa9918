import { randomUUID } from 'node:crypto'
import type { Counts } from '#contract/backups.ts'
import { hashesShown } from '#contract/images.ts'
import { type OwnFields, photosIn } from '#contract/site-fields.ts'
import type { Db } from '#server/database/tables.ts'
import { insertProjects } from '#server/features/projects/project-records.ts'
import { addVersion, readPublished } from '#server/features/site-content/site-content.queries.ts'
import { archiveLimits, type PhotoKind } from '../archive/archive.rules.ts'
import { type CheckedRecord, fromLine, type RecordList, sentWith } from '../archive/export.rules.ts'
import type { CheckedExport } from '../archive/read-export.ts'
import * as queries from '../archive/records.queries.ts'
import { mergeSite } from '../archive/site.rules.ts'
import type { LocalFile } from '../disk-space.ts'
import type { Progress } from '../job.ts'
import { findTouched, forgetTouched, insertTouched } from './last-merge.queries.ts'
import { type ContentSums, contentSums, decideRecords, type MergeMode, type MergeRules, momentOf } from './merge.rules.ts'

export type Merged = {
  added: Counts
  broughtBack: Counts
  alreadyThere: Counts
  /** Fields of the site. */
  site: { added: number; broughtBack: number }
  /** What was published before and by it. */
  siteVersions: { before: number; after: number } | null
  /** How many records are not as they were. */
  touched: number
  /** The photos that the projects of the file and the site with its fields show, and those that its messages brought; at most as many as a site can have. */
  shown: Set<string>
  sent: Set<string>
}

export type MergeOptions = {
  plan: LocalFile
  mode: MergeMode
  now: string
  /** The projects that are left out, by their places in the file. */
  without?: ReadonlySet<number> | undefined
  /** The photos of visitors whose files are stored. */
  stored: ReadonlyMap<string, unknown>
  /** Of those in the file, and of stored ones without a row. */
  facts: ReadonlyMap<string, queries.PhotoFacts>
}

/** What becomes of a record of the file: it is added, or brought back to one that exists, or is there already. */
export type Decision<List extends RecordList> = {
  /** Its place in the file, from 0. */
  number: number
  incoming: CheckedRecord<List>['record']
  before: queries.RecordOf[List] | undefined
  add: queries.RecordOf[List] | undefined
  bringBack: queries.RecordOf[List] | undefined
}

/** What a merge would do, some records at a time; what is written meanwhile changes nothing about those that follow. */
export async function* decide(db: Db, { withoutIds }: CheckedExport, options: MergeOptions) {
  const { plan, mode, now, without } = options
  const existingSums = {
    projects: await existingContents(db, 'projects', withoutIds.projects),
    contacts: await existingContents(db, 'contacts', withoutIds.contacts),
  }
  const always = { mode, newId: randomUUID, now }
  const seen = { projects: 0, contacts: 0 }

  /** One by one: the rules give no places back. */
  function decideEach<List extends RecordList>(
    list: List,
    incoming: readonly CheckedRecord<List>[],
    existing: readonly queries.RecordOf[List][],
    rules: Omit<MergeRules, 'mode' | 'newId' | 'now'>,
  ) {
    const byId = new Map<string | undefined, queries.RecordOf[List]>(existing.map((row) => [row.id, row]))
    return incoming.flatMap((checked): Decision<List>[] => {
      const { record } = checked
      const number = seen[list]++
      if (list === 'projects' && without?.has(number)) {
        // Nor does it come as the same content a second time.
        if (!record.id) for (const sum of contentSums({ ...record, createdAt: momentOf(record) })) existingSums[list]?.add(sum)
        return []
      }
      const before = byId.get(record.id)
      const { add, bringBack } = decideRecords(list, [checked], before ? [before] : [], {
        ...always,
        ...rules,
        contents: existingSums[list],
      })
      return [{ number, incoming: record, before, add: add[0], bringBack: bringBack[0] }]
    })
  }

  for await (const lines of plan.readLines()) {
    const records = lines.map(fromLine)
    const projects = records.filter((each): each is CheckedRecord<'projects'> => each.list === 'projects')
    const contacts = records.filter((each): each is CheckedRecord<'contacts'> => each.list === 'contacts')
    const facts = await factsOf(db, contacts.flatMap(sentWith), options)
    const replies = contacts.flatMap(({ record }) => record.replies.map(({ id }) => id))
    const rules = { isHere: (hash: string) => facts.has(hash), repliesHere: await queries.findReplies(db, replies) }
    yield {
      projects: decideEach('projects', projects, await queries.findRecords(db, 'projects', idsOf(projects)), {}),
      contacts: decideEach('contacts', contacts, await queries.findRecords(db, 'contacts', idsOf(contacts)), rules),
      facts,
    }
  }
}

/** What becomes of the fields of the site, and which of the file's photos it then shows. */
export function decideSite(mode: MergeMode, before: OwnFields, incoming: OwnFields) {
  const merged = mergeSite(mode, before, incoming)
  const ofFile = new Set(photosIn(incoming))
  return { ...merged, shown: photosIn(merged.fields).filter((hash) => ofFile.has(hash)) }
}

/** Adds and brings back the records of the plan, some at a time; to be called in a transaction. */
export async function mergeRecords(tx: Db, records: CheckedExport, options: MergeOptions, progress: Progress): Promise<Merged> {
  const { mode, now } = options
  const merged: Merged = {
    added: none(),
    broughtBack: none(),
    alreadyThere: none(),
    site: { added: 0, broughtBack: 0 },
    siteVersions: null,
    touched: 0,
    shown: new Set(),
    sent: new Set(),
  }

  async function noteTouched<List extends RecordList>(list: List, decisions: readonly Decision<List>[]) {
    const touched = await findTouched(tx, list, decisions)
    // Until here the merge before can still be undone.
    if (merged.touched === 0 && touched.length > 0) await forgetTouched(tx)
    await insertTouched(tx, touched)
    merged.touched += touched.length
  }

  async function write<List extends RecordList>(
    list: List,
    decisions: readonly Decision<List>[],
    writeBoth: (add: queries.RecordOf[List][], bringBack: queries.RecordOf[List][]) => Promise<void>,
  ) {
    const add = decisions.flatMap((each) => each.add ?? [])
    const bringBack = decisions.flatMap((each) => each.bringBack ?? [])
    await writeBoth(add, bringBack)
    await noteTouched(list, decisions)
    merged.added[list] += add.length
    merged.broughtBack[list] += bringBack.length
    merged.alreadyThere[list] += decisions.length - add.length - bringBack.length
  }

  async function publishMerged(incoming: OwnFields) {
    const published = await readPublished(tx)
    const { fields, shown, ...counts } = decideSite(mode, published.fields, incoming)
    const version = { number: published.number + 1, fields, author: null, createdAt: now }
    const isChanged = counts.added + counts.broughtBack > 0
    // Another version was published meanwhile: merge with that one.
    if (isChanged && !(await addVersion(tx, version))) return publishMerged(incoming)
    if (isChanged && merged.touched === 0) await forgetTouched(tx)
    if (isChanged) merged.siteVersions = { before: published.number, after: version.number }
    remember(merged.shown, shown)
    merged.site = counts
  }

  const total = records.counts.projects + records.counts.contacts
  let done = 0
  for await (const { projects, contacts, facts } of decide(tx, records, options)) {
    await write('projects', projects, async (add, bringBack) => {
      await insertProjects(tx, add)
      for (const project of bringBack) await queries.overwriteProject(tx, project)
      await queries.keepAddresses(
        tx,
        projects.map(({ incoming }) => incoming),
      )
    })
    await write('contacts', contacts, async (add, bringBack) => {
      await queries.insertContactContents(tx, add)
      for (const contact of bringBack) await queries.overwriteContact(tx, contact)
      await queries.addToContacts(tx, [...add, ...bringBack], facts)
    })
    rememberPhotos(merged, projects, contacts)
    done += projects.length + contacts.length
    progress('merging', done, total)
  }
  // Last: from here on a maker who publishes has to wait.
  if (records.site) await publishMerged(records.site)
  return merged
}

/** The photos that the records of the file name, whatever becomes of these. */
export function rememberPhotos(
  { shown, sent }: Pick<Merged, 'shown' | 'sent'>,
  projects: readonly Decision<'projects'>[],
  contacts: readonly Decision<'contacts'>[],
) {
  remember(
    shown,
    projects.flatMap(({ incoming }) => hashesShown(incoming)),
  )
  remember(
    sent,
    contacts.flatMap(({ incoming }) => incoming.photos),
  )
}

function idsOf(records: readonly CheckedRecord[]) {
  return records.flatMap(({ record }) => record.id ?? [])
}

export function remember(all: Set<string>, hashes: readonly string[]) {
  for (const hash of hashes) if (all.size < archiveLimits.photos) all.add(hash)
}

/** Of the photos that are stored. */
async function factsOf(db: Db, hashes: readonly string[], { stored, facts }: MergeOptions) {
  const all = await queries.findPhotoFacts(
    db,
    hashes.filter((hash) => stored.has(hash) && !facts.has(hash)),
  )
  for (const hash of hashes) {
    const ofFile = facts.get(hash)
    if (ofFile) all.set(hash, ofFile)
  }
  return all
}

/** Of the contents that come without an id, those that exist. Only contents that come in are remembered. */
async function existingContents(db: Db, list: RecordList, incoming: ReadonlySet<string>): Promise<ContentSums | undefined> {
  if (incoming.size === 0) return undefined
  const there = new Set<string>()
  const sums: ContentSums = { has: (sum) => there.has(sum), add: (sum) => incoming.has(sum) && there.add(sum) }
  for await (const records of queries.eachRecord(db, list)) {
    // What is in the trash is missing on the site.
    for (const sum of records.filter((record) => !isDeleted(record)).flatMap(contentSums)) sums.add(sum)
  }
  return sums
}

function isDeleted(record: object) {
  return 'deletedAt' in record && record.deletedAt !== null
}

export function changesNothing({ touched, siteVersions }: Merged) {
  return touched === 0 && siteVersions === null
}

type Photos = Record<PhotoKind, { added: number; alreadyThere: number }>

export function reportOf({ broughtBack, ...merged }: Merged, { images, inquiryPhotos }: Photos) {
  const added = { ...merged.added, images: images.added, inquiryPhotos: inquiryPhotos.added }
  return {
    imported: {
      ...added,
      projects: added.projects + broughtBack.projects,
      contacts: added.contacts + broughtBack.contacts,
    },
    added,
    broughtBack,
    site: merged.site,
    alreadyThere: { ...merged.alreadyThere, images: images.alreadyThere, inquiryPhotos: inquiryPhotos.alreadyThere },
  }
}

function none(): Counts {
  return { projects: 0, contacts: 0, images: 0, inquiryPhotos: 0 }
}
