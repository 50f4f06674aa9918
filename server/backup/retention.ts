import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/database/open.ts'
import { readMaker } from '#server/features/site-content/site-content.queries.ts'
import { Problem } from '#server/http/problem.ts'
import { readRunningTime } from '#server/jobs/running-time.ts'
import type { Storage } from '#server/storage/storage.ts'
import { backupsLock, forgetBackup, readBackupJobs } from './backup-jobs.ts'
import { listStoredBackups, storedBackup } from './backup-names.ts'
import { backupsToPrune, lastWhole, type Retention, restorePointDays } from './retention.rules.ts'

type Parts = { database: Database; storage: Storage; clock: Clock }

/** Removes backups while none is being made or restored; undefined when one is. */
async function removeUnlessBusy({ database, storage, clock }: Parts, choose: (filenames: string[]) => string[]) {
  const chooseNow = async () => choose((await listStoredBackups(storage, clock.now())).map(({ filename }) => filename))
  // Without the lock first: mostly there is nothing to remove, and the lock would refuse a backup that begins meanwhile.
  if ((await chooseNow()).length === 0) return []
  const turn = await database.unlessBusy(backupsLock, async () => {
    const chosen = await chooseNow()
    for (const filename of chosen) {
      // The file first: a backup that is there without its row would not count as checked.
      await storage.remove(storedBackup(filename))
      await forgetBackup(database.db, filename)
    }
    return chosen
  })
  return turn?.done
}

/** Removes a backup that an administrator has chosen. */
export async function deleteBackup(parts: Parts, filename: string, { evenTheLast = false } = {}) {
  const removed = await removeUnlessBusy(parts, (filenames) => {
    if (!filenames.includes(filename)) throw new Problem('backup_not_found')
    if (!evenTheLast && lastWhole(filenames) === filename) throw new Problem('last_backup')
    return [filename]
  })
  if (!removed) throw new Problem('backup_in_progress')
}

export async function readRetention({ database: { db }, clock }: { database: Database; clock: Clock }): Promise<Retention> {
  const [{ keepDaily: daily, keepWeekly: weekly, keepMonthly: monthly }, { timeZone }] = await Promise.all([
    readBackupJobs(db),
    readMaker(db),
  ])
  const { daysBefore, isSettled } = await readRunningTime(db, clock)
  const restorePointsSince = daysBefore(restorePointDays)
  return { keep: { daily, weekly, monthly }, timeZone, now: clock.now(), restorePointsSince, isClockDoubtful: !isSettled }
}

/** Removes what retention does not keep, and answers how many; none while a backup is made or restored. */
export async function pruneBackups(parts: Parts, { countsNext = false } = {}) {
  const retention = await readRetention(parts)
  const removed = await removeUnlessBusy(parts, (filenames) => backupsToPrune(filenames, retention, { countsNext }))
  return removed?.length ?? 0
}
