import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/database/open.ts'
import { readMaker } from '#server/features/site-content/site-content.queries.ts'
import { Problem } from '#server/http/problem.ts'
import { readRunningTime } from '#server/jobs/running-time.ts'
import type { Storage } from '#server/storage/storage.ts'
import { backupsLock, forgetBackup, readCare } from './backup-jobs.ts'
import { listStoredBackups, storedBackup } from './backup-names.ts'
import { lastWhole, restorePointDays, toLetGo } from './retention.rules.ts'

type Parts = { database: Database; storage: Storage; clock: Clock }

/** Removes backups while none is being made or restored; undefined when one is. */
async function removeUnlessBusy({ database, storage, clock }: Parts, choose: (filenames: string[]) => string[]) {
  const chooseNow = async () => choose((await listStoredBackups(storage, clock.now())).map(({ filename }) => filename))
  // Mostly there is nothing to do, and nobody is kept from making a backup meanwhile.
  if ((await chooseNow()).length === 0) return []
  const turn = await database.unlessBusy(backupsLock, async () => {
    const chosen = await chooseNow()
    for (const filename of chosen) {
      // In this order: what is known of a backup is worth something while it is there, and nothing without it.
      await storage.remove(storedBackup(filename))
      await forgetBackup(database.db, filename)
    }
    return chosen
  })
  return turn?.done
}

/** Removes what a person does not want any more. */
export async function deleteBackup(parts: Parts, filename: string, { evenTheLast = false } = {}) {
  const removed = await removeUnlessBusy(parts, (filenames) => {
    if (!filenames.includes(filename)) throw new Problem('backup_not_found')
    if (!evenTheLast && lastWhole(filenames) === filename) throw new Problem('last_backup')
    return [filename]
  })
  if (!removed) throw new Problem('backup_in_progress')
}

/** By what it is decided how long backups are kept. */
export async function readKeeping({ database: { db }, clock }: { database: Database; clock: Clock }) {
  const [{ keepDaily: daily, keepWeekly: weekly, keepMonthly: monthly }, { timeZone }] = await Promise.all([
    readCare(db),
    readMaker(db),
  ])
  const { daysBefore, isSettled } = await readRunningTime(db, clock)
  const restorePointsSince = daysBefore(restorePointDays)
  return { keep: { daily, weekly, monthly }, timeZone, now: clock.now(), restorePointsSince, isDoubtful: !isSettled }
}

/** Removes what is not to be kept any longer, and answers how many; none while a backup is made or restored. */
export async function letGoOfOld(parts: Parts, { isOneComing = false } = {}) {
  const rules = { ...(await readKeeping(parts)), isOneComing }
  const removed = await removeUnlessBusy(parts, (filenames) => toLetGo({ filenames, ...rules }))
  return removed?.length ?? 0
}
