import { mkdir } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import path from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '#server/clock.ts'
import type { Config } from '#server/config.ts'
import { isDatabaseAway } from '#server/database/database-errors.ts'
import { type Database, openDatabase } from '#server/database/open.ts'
import { createImages } from '#server/features/images/image-store.ts'
import { judgeImage } from '#server/features/images/image-tasks.ts'
import { Problem } from '#server/http/problem.ts'
import { freeBytesAt } from '#server/storage/disk.ts'
import { openFolder } from '#server/storage/folder.ts'
import type { OpenFile, Storage } from '#server/storage/storage.ts'
import { withUnfinished } from '#server/storage/unfinished.ts'
import { openBackupFile } from './archive/read-backup.ts'
import { storedBackup } from './backup-names.ts'
import { ensureRoom, nightMargin } from './disk-space.ts'
import { findDifference } from './find-difference.ts'
import type { Progress } from './job.ts'
import { photosOf } from './restore/merge-records.ts'
import { mergeBackup } from './restore/restore.ts'

type Parts = {
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 'bucket'>
  database: Database
  storage: Storage
  clock: Clock
  log: FastifyBaseLogger
}

/**
 * Restores a complete backup into an empty site on the same kind of database, and compares the two. `onBuiltIn` tells that
 * PostgreSQL refused a temporary database and the built-in one was used. To be called under the lock of backups.
 */
export async function testRestore(parts: Parts, { filename }: { filename: string }, progress: Progress) {
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
        return { difference: await restoreAndCompare(file, { ...parts, database, filename, folder }, progress), onBuiltIn }
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
function folderFor({ dataDir, databaseUrl, bucket }: Parts['config']) {
  return path.join(databaseUrl && bucket ? path.join(tmpdir(), `vitrina-${userInfo().uid}`) : dataDir, 'unfinished')
}

async function openEmpty({ database, log }: Parts, folder: string) {
  try {
    return { database: await database.openTemporary(folder), onBuiltIn: false }
  } catch (error) {
    if (database.dialect === 'sqlite' || isDatabaseAway(error)) throw error
    log.warn({ err: error }, 'PostgreSQL refused a temporary database: the restore test uses the built-in one')
    return { database: await openDatabase({ dataDir: folder }), onBuiltIn: true }
  }
}

type EmptySite = Parts & { filename: string; folder: string }

async function restoreAndCompare(file: OpenFile, { filename, folder, ...parts }: EmptySite, progress: Progress) {
  const storage = await openFolder(path.join(folder, 'files'))
  const images = createImages({ ...parts, storage, encoder: { judge: judgeImage } })
  const site = { ...parts, storage, images }
  const incoming = await openBackupFile(file, filename)
  await mergeBackup(incoming, { mode: 'restore', filename }, site, progress)
  return findDifference(incoming, { db: parts.database.db, photos: photosOf(site) }, progress)
}
