import { randomUUID } from 'node:crypto'
import type { Counts } from '#contract/backups.ts'
import { hashesShown } from '#contract/images.ts'
import { type OwnFields, photosIn } from '#contract/site-fields.ts'
import type { Db, StoredMerge } from '#server/database/tables.ts'
import { insertProjects } from '#server/features/projects/project-records.ts'
import { addVersion, readPublished } from '#server/features/site-content/site-content.queries.ts'
import { type CheckedRecord, type RecordList, sentWith } from '../archive/export.rules.ts'
import * as queries from '../archive/records.queries.ts'
import { mergeSite } from '../archive/site.rules.ts'
import type { Progress } from '../job.ts'
import type { AvailablePhotos } from './available-photos.ts'
import { findUndoRows, forgetUndoRows, insertUndoRows } from './last-merge.queries.ts'
import { type ContentSums, decideContact, decideProject, isInTrash, type MergeMode, rememberContent } from './merge.rules.ts'
import type { IncomingBackup } from './scaffold-incoming.ts'

/** A record of the file, the one that exists under its id, and what is to be written, if anything is. */
export type Decision<List extends RecordList> = {
  incoming: CheckedRecord<List>['record']
  before: queries.RecordOf[List] | undefined
  next: queries.RecordOf[List] | undefined
}

type MergeOptions = {
  mode: MergeMode
  now: string
  /** The projects that are left out, by their places in the file. */
  without?: ReadonlySet<number> | undefined
  photos: AvailablePhotos
}

/** What a merge would do, some records at a time; what is written meanwhile changes nothing about those that follow. */
export async function* decide(db: Db, { withoutIds, records }: IncomingBackup, options: MergeOptions) {
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

const none = (): Counts => ({ projects: 0, contacts: 0, images: 0, inquiryPhotos: 0 })

/** Adds and brings back the records of the file, and notes what they were; to be called in a transaction. */
export async function mergeRecords(tx: Db, incoming: IncomingBackup, options: MergeOptions, progress: Progress) {
  const counts = { added: none(), broughtBack: none(), alreadyThere: none(), site: { added: 0, broughtBack: 0 } }
  let siteVersions: StoredMerge['siteVersions'] = null
  let isChanged = false

  /** Until something is changed the merge before can still be undone. */
  async function forgetMergeBefore() {
    if (!isChanged) await forgetUndoRows(tx)
    isChanged = true
  }

  async function noteWritten<List extends RecordList>(list: List, decisions: readonly Decision<List>[]) {
    for (const { before, next } of decisions) counts[!next ? 'alreadyThere' : before ? 'broughtBack' : 'added'][list] += 1
    const rows = await findUndoRows(tx, list, decisions)
    if (rows.length > 0) await forgetMergeBefore()
    await insertUndoRows(tx, rows)
  }

  async function mergeProjects(projects: readonly Decision<'projects'>[]) {
    const { added, changed } = written(projects)
    await insertProjects(tx, added)
    for (const project of changed) await queries.overwriteProject(tx, project)
    await queries.keepAddresses(
      tx,
      projects.map((each) => each.incoming),
    )
    await noteWritten('projects', projects)
  }

  async function mergeContacts(contacts: readonly Decision<'contacts'>[], facts: ReadonlyMap<string, queries.PhotoFacts>) {
    const { added, changed } = written(contacts)
    await queries.insertContactContents(tx, added)
    for (const contact of changed) await queries.overwriteContact(tx, contact)
    await queries.addToContacts(tx, [...added, ...changed], facts)
    await noteWritten('contacts', contacts)
  }

  async function publish(site: OwnFields) {
    const published = await readPublished(tx)
    const { fields, shown, ...changes } = decideSite(options.mode, published.fields, site)
    const number = published.number + 1
    if (changes.added + changes.broughtBack > 0) {
      // Another version was published meanwhile: merge with that one.
      if (!(await addVersion(tx, { number, fields, author: null, createdAt: options.now }))) return publish(site)
      await forgetMergeBefore()
      siteVersions = { before: published.number, after: number }
    }
    counts.site = changes
    options.photos.lookForImages(shown)
  }

  const total = incoming.counts.projects + incoming.counts.contacts
  let done = 0
  for await (const slice of decide(tx, incoming, options)) {
    await mergeProjects(slice.projects)
    await mergeContacts(slice.contacts, slice.facts)
    done += slice.projects.length + slice.contacts.length
    progress('merging', done, total)
  }
  // Last: from here on a maker who publishes has to wait.
  if (incoming.site) await publish(incoming.site)
  return { ...counts, missingImages: options.photos.missing.size, siteVersions, isChanged }
}

function written<List extends RecordList>(decisions: readonly Decision<List>[]) {
  return {
    added: decisions.flatMap(({ before, next }) => (next && !before ? next : [])),
    changed: decisions.flatMap(({ before, next }) => (next && before ? next : [])),
  }
}
