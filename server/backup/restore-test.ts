import { mkdir } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import path from 'node:path'
import { keyOf } from '#contract/statistics.ts'
import { isDatabaseAway } from '#server/database/database-errors.ts'
import { openDatabase } from '#server/database/open.ts'
import { countRows } from '#server/database/slices.ts'
import type { Db } from '#server/database/tables.ts'
import { readPublished } from '#server/features/site-content/site-content.queries.ts'
import { listSums } from '#server/features/statistics/statistics.queries.ts'
import { Problem } from '#server/http/problem.ts'
import { freeBytesAt } from '#server/storage/disk.ts'
import { openFolder } from '#server/storage/folder.ts'
import { withUnfinished } from '#server/storage/unfinished.ts'
import { intactIn } from './archive/backup-photos.ts'
import { type CheckedRecord, type RecordList, recordLists, sumOfRecord } from './archive/export.rules.ts'
import { type IncomingBackup, openBackupFile } from './archive/read-backup.ts'
import { photoEntry } from './archive/zip-archive.ts'
import { storedBackup } from './backup-names.ts'
import { ensureRoom, nightMargin, type Progress } from './job.ts'
import type { JobParts } from './make-backup.ts'
import { mergeBackup, withPresent } from './restore/restore.ts'

/**
 * Restores a complete backup into an empty site on the same kind of database, and fails where the two differ. `onBuiltIn` tells
 * that PostgreSQL refused a temporary database and the built-in one was used.
 */
export async function testRestore(parts: JobParts, { filename }: { filename: string }, progress: Progress) {
  const file = await parts.storage.open(storedBackup(filename))
  if (!file) throw new Problem('backup_not_found')
  const parent = folderFor(parts.config)
  try {
    // What a killed test has left there is removed first.
    return await withUnfinished(parent, async (folder) => {
      await ensureRoom({ freeBytes: () => freeBytesAt(parent) }, file.bytes, nightMargin)
      await mkdir(folder)
      const { database, onBuiltIn } = await openEmpty(parts, folder)
      try {
        const storage = await openFolder(path.join(folder, 'files'))
        const site = { ...parts, database, storage }
        const incoming = await openBackupFile(file, filename)
        await mergeBackup(incoming, { mode: 'restore', filename }, site, progress)
        const difference = await findDifference(incoming, site, progress)
        if (difference) throw new Problem('trial_differs', { cause: new Error(difference) })
        return { onBuiltIn }
      } finally {
        // A temporary database that cannot be dropped now is dropped by the next test.
        await database.close().catch((error: unknown) => parts.log.warn({ err: error }, 'temporary database was not removed'))
      }
    })
  } finally {
    await file.close()
  }
}

/** With PostgreSQL and a bucket the site may have no data folder. */
function folderFor({ dataDir, databaseUrl, bucket }: JobParts['config']) {
  return path.join(databaseUrl && bucket ? path.join(tmpdir(), `vitrina-${userInfo().uid}`) : dataDir, 'unfinished')
}

async function openEmpty({ database, log }: JobParts, folder: string) {
  try {
    return { database: await database.openTemporary(folder), onBuiltIn: false }
  } catch (error) {
    if (database.dialect === 'sqlite' || isDatabaseAway(error)) throw error
    log.warn({ err: error }, 'PostgreSQL refused a temporary database: the restore test uses the built-in one')
    return { database: await openDatabase({ dataDir: folder }), onBuiltIn: true }
  }
}

/**
 * Compares a site with the complete backup that was restored into it when it was empty: every field of every record that the
 * file has, and every photo by its row and its hash. Names the first difference, and never holds the text itself: it is logged.
 */
export async function findDifference(incoming: IncomingBackup, site: JobParts, progress: Progress) {
  const { db } = site.database
  const total = incoming.counts.projects + incoming.counts.contacts + incoming.photos.length
  let done = 0
  for await (const records of incoming.records()) {
    for (const list of recordLists) {
      const difference = await findDiffering(db, list, records)
      if (difference) return difference
    }
    done += records.length
    progress('checking', done, total)
  }
  const texts: Fields = incoming.site ?? {}
  const restored: Fields = (await readPublished(db)).fields
  const field = Object.keys({ ...texts, ...restored }).find((name) => texts[name] !== restored[name])
  if (field !== undefined) return `site: ${field}`
  const sums = new Map((await listSums(db)).map((sum) => [keyOf(sum), sum.count]))
  const sum = incoming.sums.find((each) => sums.get(keyOf(each)) !== each.count)
  if (sum) return `statistics: ${keyOf(sum)}`
  const counts = { projects: await countRows(db, 'projects'), contacts: await countRows(db, 'contactMessages') }
  const other = recordLists.find((list) => counts[list] !== incoming.counts[list])
  if (other) return `${other}: ${counts[other]} instead of ${incoming.counts[other]}`
  const isIntact = await intactIn(site)
  for (const photo of incoming.photos) {
    if (!(await isIntact(photo))) return photoEntry(photo)
    done += 1
    progress('checking', done, total)
  }
  return undefined
}

type Fields = Record<string, unknown>

async function findDiffering(db: Db, list: RecordList, records: readonly CheckedRecord[]) {
  for (const { checked, before: actual } of await withPresent(db, list, records)) {
    const { record, absent } = checked
    if (!actual) return `${list} ${record.id}: missing`
    const names = Object.keys(record).filter((name) => !absent.includes(name))
    const field = names.find((name) => sumOfField(name, record) !== sumOfField(name, actual))
    if (field) return `${list} ${record.id}: ${field}`
  }
  return undefined
}

function sumOfField(name: string, record: Fields) {
  // The days in the trash begin with the restore.
  return sumOfRecord({ [name]: name === 'deletedAt' ? record[name] !== null : record[name] })
}
