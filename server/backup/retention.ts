import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/database/open.ts'
import { readMaker } from '#server/features/site-content/site-content.queries.ts'
import { Problem } from '#server/http/problem.ts'
import { readRunningTime } from '#server/jobs/running-time.ts'
import type { Storage } from '#server/storage/storage.ts'
import { backupsLock, forgetBackup, readBackupJobs } from './backup-jobs.ts'
import { listStoredBackups, storedBackup } from './backup-names.ts'
import { backupsToPrune, lastWhole, type Retention } from './retention.rules.ts'

type Parts = { database: Database; storage: Storage; clock: Clock }

/** Removes a backup that an administrator has chosen; refuses while one is made or restored. */
export async function deleteBackup(parts: Parts, filename: string, { evenTheLast = false } = {}) {
  const turn = await parts.database.unlessBusy(backupsLock, async () => {
    const filenames = await listNames(parts)
    if (!filenames.includes(filename)) throw new Problem('backup_not_found')
    if (!evenTheLast && lastWhole(filenames) === filename) throw new Problem('last_backup')
    await remove(parts, filename)
  })
  if (!turn) throw new Problem('backup_in_progress')
}

/** Removes what retention does not keep, and answers how many. The caller holds the lock. */
export async function pruneBackups(parts: Parts, options: { countsNext?: boolean } = {}) {
  const pruned = await listPruned(parts, options)
  for (const filename of pruned) await remove(parts, filename)
  return pruned.length
}

/** Takes the lock only where there is something to remove: it would refuse a backup that begins meanwhile. */
export async function pruneUnlessBusy(parts: Parts) {
  if ((await listPruned(parts)).length > 0) await parts.database.unlessBusy(backupsLock, () => pruneBackups(parts))
}

async function listPruned(parts: Parts, options: { countsNext?: boolean } = {}) {
  return backupsToPrune(await listNames(parts), await readRetention(parts), options)
}

async function listNames({ storage, clock }: Parts) {
  return (await listStoredBackups(storage, clock.now())).map(({ filename }) => filename)
}

async function remove({ database, storage }: Parts, filename: string) {
  // The file first: a backup that is there without its row would not count as checked.
  await storage.remove(storedBackup(filename))
  await forgetBackup(database.db, filename)
}

export async function readRetention({ database: { db }, clock }: Omit<Parts, 'storage'>): Promise<Retention> {
  const { keepDaily: daily, keepWeekly: weekly, keepMonthly: monthly } = await readBackupJobs(db)
  const [{ timeZone }, { isSettled }] = await Promise.all([readMaker(db), readRunningTime(db, clock)])
  return { keep: { daily, weekly, monthly }, timeZone, now: clock.now(), isClockDoubtful: !isSettled }
}
