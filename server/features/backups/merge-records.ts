import { randomUUID } from 'node:crypto'
import type { Counts } from '#contract/backups.ts'
import { hashesShown } from '#contract/image-addresses.ts'
import { type OwnFields, photosIn } from '#contract/site-fields.ts'
import { insertProjects } from '#server/database/project-records.ts'
import { addVersion, readPublished } from '#server/database/site-content.ts'
import type { Db } from '#server/database/tables.ts'
import { archiveLimits, type PhotoKind } from './archive.rules.ts'
import * as queries from './backups.queries.ts'
import { type CheckedRecord, fromLine, type RecordList, sentWith } from './export.rules.ts'
import type { LocalFile } from './local-file.ts'
import { contentSums, type KnownContents, type MergeMode, merge } from './merge.rules.ts'
import type { CheckedExport } from './read-export.ts'
import { mergeSite } from './site.rules.ts'

export type Merged = {
  added: Counts
  broughtBack: Counts
  alreadyThere: Counts
  /** Fields of the site. */
  site: { added: number; broughtBack: number }
  /** The photos that the projects of the file and the site with its fields show, and those that its messages brought; at most as many as a site can have. */
  shown: Set<string>
  sent: Set<string>
}

type Options = {
  plan: LocalFile
  mode: MergeMode
  now: string
  /** The photos of visitors whose files are here. */
  stored: ReadonlyMap<string, unknown>
  /** What is known of those that have just come, or that no message here has. */
  found: ReadonlyMap<string, queries.PhotoFacts>
}

/** Adds and brings back the records of the plan, some at a time; to be called in a transaction. */
export async function mergeRecords(tx: Db, { withoutIds, site }: CheckedExport, options: Options): Promise<Merged> {
  const { plan, mode, now } = options
  const known = {
    projects: await knownContents(tx, 'projects', withoutIds.projects),
    contacts: await knownContents(tx, 'contacts', withoutIds.contacts),
  }
  const merged: Merged = {
    added: none(),
    broughtBack: none(),
    alreadyThere: none(),
    site: { added: 0, broughtBack: 0 },
    shown: new Set(),
    sent: new Set(),
  }
  const always = { mode, newId: randomUUID, now }

  function count(
    list: RecordList,
    { add, bringBack, alreadyThere }: { add: unknown[]; bringBack: unknown[]; alreadyThere: number },
  ) {
    merged.added[list] += add.length
    merged.broughtBack[list] += bringBack.length
    merged.alreadyThere[list] += alreadyThere
  }

  async function mergeProjects(incoming: readonly CheckedRecord<'projects'>[]) {
    const existing = await queries.findRecords(tx, 'projects', idsOf(incoming))
    const result = merge('projects', incoming, existing, { ...always, known: known.projects })
    await insertProjects(tx, result.add)
    for (const project of result.bringBack) await queries.overwriteProject(tx, project)
    await queries.keepAddresses(
      tx,
      incoming.map(({ record }) => record),
    )
    remember(
      merged.shown,
      incoming.flatMap(({ record }) => hashesShown(record)),
    )
    count('projects', result)
  }

  async function mergeContacts(incoming: readonly CheckedRecord<'contacts'>[]) {
    const existing = await queries.findRecords(tx, 'contacts', idsOf(incoming))
    const facts = await factsOf(tx, incoming.flatMap(sentWith), options)
    const result = merge('contacts', incoming, existing, {
      ...always,
      known: known.contacts,
      isHere: (hash) => facts.has(hash),
      repliesHere: await queries.findReplies(
        tx,
        incoming.flatMap(({ record }) => record.replies.map(({ id }) => id)),
      ),
    })
    await queries.insertContactContents(tx, result.add)
    for (const contact of result.bringBack) await queries.overwriteContact(tx, contact)
    await queries.addToContacts(tx, [...result.add, ...result.bringBack], facts)
    remember(merged.sent, incoming.flatMap(sentWith))
    count('contacts', result)
  }

  async function publishMerged(incoming: OwnFields) {
    const published = await readPublished(tx)
    const { fields, ...counts } = mergeSite(mode, published.fields, incoming)
    const version = { number: published.number + 1, fields, author: null, createdAt: now }
    const isChanged = counts.added + counts.broughtBack > 0
    // Somebody was quicker: with what is published by now once more.
    if (isChanged && !(await addVersion(tx, version))) return publishMerged(incoming)
    const theirs = new Set(photosIn(incoming))
    remember(
      merged.shown,
      photosIn(fields).filter((hash) => theirs.has(hash)),
    )
    merged.site = counts
  }

  for await (const lines of plan.readLines()) {
    const records = lines.map(fromLine)
    await mergeProjects(records.filter((each): each is CheckedRecord<'projects'> => each.list === 'projects'))
    await mergeContacts(records.filter((each): each is CheckedRecord<'contacts'> => each.list === 'contacts'))
  }
  // Last, because who publishes at the same time waits from here on.
  if (site) await publishMerged(site)
  return merged
}

function idsOf(records: readonly CheckedRecord[]) {
  return records.flatMap(({ record }) => record.id ?? [])
}

function remember(all: Set<string>, hashes: readonly string[]) {
  for (const hash of hashes) if (all.size < archiveLimits.photos) all.add(hash)
}

/** Of the photos whose bytes are here. */
async function factsOf(tx: Db, hashes: readonly string[], { stored, found }: Options) {
  const known = await queries.findPhotoFacts(
    tx,
    hashes.filter((hash) => stored.has(hash) && !found.has(hash)),
  )
  for (const hash of hashes) {
    const facts = found.get(hash)
    if (facts) known.set(hash, facts)
  }
  return known
}

/** Of the contents that come without an id, those that exist. Only contents that come in are remembered. */
async function knownContents(tx: Db, list: RecordList, wanted: ReadonlySet<string>): Promise<KnownContents | undefined> {
  if (wanted.size === 0) return undefined
  const there = new Set<string>()
  const known: KnownContents = { has: (sum) => there.has(sum), add: (sum) => wanted.has(sum) && there.add(sum) }
  for await (const records of queries.eachRecord(tx, list)) {
    // What is in the trash is missing on the site.
    for (const sum of records.filter((record) => !isDeleted(record)).flatMap(contentSums)) known.add(sum)
  }
  return known
}

function isDeleted(record: object) {
  return 'deletedAt' in record && record.deletedAt !== null
}

export function changesNothing({ added, broughtBack, site }: Merged) {
  const records = added.projects + added.contacts + broughtBack.projects + broughtBack.contacts
  return records + site.added + site.broughtBack === 0
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
