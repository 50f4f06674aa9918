import { randomUUID } from 'node:crypto'
import type { Counts } from '#contract/backups.ts'
import { hashesShown } from '#contract/image-addresses.ts'
import type { Db } from '#server/database/tables.ts'
import { archiveLimits } from './archive.rules.ts'
import * as queries from './backups.queries.ts'
import { fromLine, type RecordList, recordLists } from './export.rules.ts'
import type { LocalFile } from './local-file.ts'
import { contentSums, type KnownContents, type MergeMode, merge } from './merge.rules.ts'
import type { CheckedExport } from './read-export.ts'

export type Merged = {
  added: Counts
  broughtBack: Counts
  alreadyThere: Counts
  /** The images that the projects of the file show; at most as many as a site can have. */
  shown: Set<string>
}

type Options = { plan: LocalFile; mode: MergeMode; now: string }

/** Adds and brings back the records of the plan, some at a time; to be called in a transaction. */
export async function mergeRecords(tx: Db, { withoutIds }: CheckedExport, { plan, mode, now }: Options): Promise<Merged> {
  const known = {
    projects: await knownContents(tx, 'projects', withoutIds.projects),
    contacts: await knownContents(tx, 'contacts', withoutIds.contacts),
  }
  const merged: Merged = { added: none(), broughtBack: none(), alreadyThere: none(), shown: new Set() }
  for await (const lines of plan.readLines()) {
    const records = lines.map(fromLine)
    for (const list of recordLists) {
      const incoming = records.filter((each) => each.list === list)
      const existing = await queries.findRecords(
        tx,
        list,
        incoming.flatMap(({ record }) => record.id ?? []),
      )
      const { add, bringBack, alreadyThere } = merge(list, incoming, existing, {
        mode,
        newId: randomUUID,
        now,
        known: known[list],
      })
      await queries.insertRecords(tx, list, add)
      for (const project of bringBack) await queries.overwriteProject(tx, project as queries.ProjectContent)
      if (list === 'projects') await queries.keepAddresses(tx, records)
      merged.added[list] += add.length
      merged.broughtBack[list] += bringBack.length
      merged.alreadyThere[list] += alreadyThere
    }
    for (const { record } of records) {
      if (!('imageUrl' in record) || merged.shown.size >= archiveLimits.images) continue
      for (const hash of hashesShown(record)) merged.shown.add(hash)
    }
  }
  return merged
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
