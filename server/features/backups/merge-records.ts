import type { Counts } from '#contract/backups.ts'
import { hashesShown } from '#contract/image-addresses.ts'
import type { Database } from '#server/database/open.ts'
import type { Db } from '#server/database/tables.ts'
import type { Storage } from '#server/storage/storage.ts'
import { archiveLimits } from './archive.rules.ts'
import * as queries from './backups.queries.ts'
import { ensureRoom } from './disk-room.ts'
import { type RecordList, recordLists } from './export.rules.ts'
import { withLocalFile } from './local-file.ts'
import {
  contentSum,
  contentSums,
  type KnownContents,
  type MergeMode,
  mergeContacts,
  mergeProjects,
  momentOf,
  type Newcomer,
} from './merge.rules.ts'
import { type CheckedExport, eachIncoming } from './read-export.ts'

export type Merged = {
  added: Counts
  broughtBack: Counts
  alreadyThere: Counts
  /** The photos that the projects of the file show; of a file that shows more than a site can have, as many as that. */
  shown: Set<string>
}

type Where = { database: Database; storage: Storage; lock: string }

/** In one transaction, which reads the records from a file of this machine. */
export async function mergeAtOnce<T>(
  { database, storage, lock }: Where,
  records: CheckedExport,
  merge: (tx: Db, here: CheckedExport) => Promise<T>,
): Promise<T> {
  await ensureRoom(storage, records.bytes)
  return withLocalFile(storage, async (file) => {
    await file.write(records.read())
    const here = { ...records, read: file.read }
    return database.exclusively(lock, (tx) => merge(tx, here), { withoutTimeout: true })
  })
}

/** Adds and brings back what the file has, some records at a time; to be called in a transaction. */
export async function mergeRecords(tx: Db, file: CheckedExport, mode: MergeMode, newcomer: Newcomer): Promise<Merged> {
  const nameless = recordLists.filter((list) => file.withoutIds[list] > 0)
  const known = nameless.length > 0 ? await knownContents(tx, file, nameless) : undefined
  const merged: Merged = { added: none(), broughtBack: none(), alreadyThere: none(), shown: new Set() }
  for await (const incoming of eachIncoming(file.read)) {
    const likeProjects = await queries.projectsLike(tx, incoming.projects)
    const projects = mergeProjects(incoming.projects, likeProjects, mode, newcomer, known)
    await queries.insertProjects(tx, projects.add)
    for (const project of projects.bringBack) await queries.overwriteProject(tx, project)
    const likeContacts = await queries.contactsLike(tx, incoming.contacts)
    const contacts = mergeContacts(incoming.contacts, likeContacts, newcomer, known)
    await queries.insertContacts(tx, contacts.add)

    merged.added.projects += projects.add.length
    merged.added.contacts += contacts.add.length
    merged.broughtBack.projects += projects.bringBack.length
    merged.alreadyThere.projects += projects.alreadyThere
    merged.alreadyThere.contacts += contacts.alreadyThere
    for (const hash of incoming.projects.flatMap(hashesShown)) {
      if (merged.shown.size < archiveLimits.images) merged.shown.add(hash)
    }
  }
  return merged
}

/** Of the contents that come without an id, the sums of those that are there. Only what comes in is remembered. */
async function knownContents(tx: Db, file: CheckedExport, lists: readonly RecordList[]) {
  const wanted = new Set<string>()
  for (const list of lists) {
    for await (const incoming of eachIncoming(file.read)) {
      for (const record of incoming[list].filter(({ id }) => id === undefined)) wanted.add(contentSum(record, momentOf(record)))
    }
  }
  const there = new Set<string>()
  const known: KnownContents = { has: (sum) => there.has(sum), add: (sum) => wanted.has(sum) && there.add(sum) }
  for (const list of lists) {
    for await (const records of queries.eachRecord(tx, list)) {
      for (const sum of records.flatMap(contentSums)) known.add(sum)
    }
  }
  return known
}

export function changesNothing({ added, broughtBack }: Merged) {
  return added.projects + added.contacts + broughtBack.projects === 0
}

type Images = { added: number; alreadyThere: number }

export function reportOf({ added, broughtBack, alreadyThere }: Merged, images: Images) {
  return {
    imported: { ...added, projects: added.projects + broughtBack.projects, images: images.added },
    added: { ...added, images: images.added },
    broughtBack,
    alreadyThere: { ...alreadyThere, images: images.alreadyThere },
  }
}

function none(): Counts {
  return { projects: 0, contacts: 0, images: 0 }
}
