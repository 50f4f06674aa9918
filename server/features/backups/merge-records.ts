import type { Counts } from '#contract/backups.ts'
import { hashesShown } from '#contract/image-addresses.ts'
import type { Database } from '#server/database/open.ts'
import type { Db } from '#server/database/tables.ts'
import type { Storage } from '#server/storage/storage.ts'
import { archiveLimits } from './archive.rules.ts'
import * as queries from './backups.queries.ts'
import { withLocalFile } from './local-file.ts'
import { contentSums, type MergeMode, mergeContacts, mergeProjects, type Newcomer } from './merge.rules.ts'
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
export function mergeAtOnce<T>(
  { database, storage, lock }: Where,
  records: CheckedExport,
  merge: (tx: Db, here: CheckedExport) => Promise<T>,
): Promise<T> {
  return withLocalFile(storage, async (file) => {
    await file.write(records.read())
    const here = { ...records, read: file.read }
    return database.exclusively(lock, (tx) => merge(tx, here), { unhurried: true })
  })
}

/** Adds and brings back what the file has, some records at a time; to be called in a transaction. */
export async function mergeRecords(tx: Db, file: CheckedExport, mode: MergeMode, newcomer: Newcomer): Promise<Merged> {
  const known = {
    projects: file.withoutIds.projects ? await sumsOf(tx, 'projects') : undefined,
    contacts: file.withoutIds.contacts ? await sumsOf(tx, 'contacts') : undefined,
  }
  const merged: Merged = { added: none(), broughtBack: none(), alreadyThere: none(), shown: new Set() }
  for await (const incoming of eachIncoming(file.read)) {
    const likeProjects = await queries.projectsLike(tx, incoming.projects)
    const projects = mergeProjects(incoming.projects, likeProjects, mode, newcomer, known.projects)
    await queries.insertProjects(tx, projects.add)
    for (const project of projects.bringBack) await queries.overwriteProject(tx, project)
    const likeContacts = await queries.contactsLike(tx, incoming.contacts)
    const contacts = mergeContacts(incoming.contacts, likeContacts, newcomer, known.contacts)
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

async function sumsOf(tx: Db, list: 'projects' | 'contacts') {
  const sums = new Set<string>()
  for await (const records of queries.eachRecord(tx, list)) {
    for (const sum of records.flatMap(contentSums)) sums.add(sum)
  }
  return sums
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
