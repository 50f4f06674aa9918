import { backupMaker } from '#contract/backups.ts'
import { readMaker } from '#server/features/site-content/site-content.queries.ts'
import { asProblem, Problem } from '#server/http/problem.ts'
import { listCheckedBackups, readBackupJobs } from './backup-jobs.ts'
import { listStoredBackups, madeAt } from './backup-names.ts'
import type { Progress } from './job.ts'
import { type JobParts, makeComplete, recheckComplete } from './make-backup.ts'
import { pruneBackups } from './retention.ts'
import { lastDue } from './schedule.rules.ts'

type Options = { always?: boolean | undefined }

/** Makes the nightly backup, unless a process that was killed has made it. The caller holds the lock. */
export async function makeNightly(parts: JobParts, { always = false }: Options, progress: Progress) {
  const made = (!always && (await findMade(parts, progress))) || (await make(parts, progress))
  // Without its row it does not count as checked: the next try checks it again.
  if (!(await listCheckedBackups(parts.database.db)).has(made.filename)) throw new Problem('unexpected')
  await pruneBackups(parts)
  return made
}

async function findMade(parts: JobParts, progress: Progress) {
  const { database, storage, clock } = parts
  const now = clock.now()
  const [{ at }, { timeZone }] = await Promise.all([readBackupJobs(database.db), readMaker(database.db)])
  const due = lastDue({ now, at, timeZone })
  const made = (await listStoredBackups(storage, now)).find(
    ({ filename }) => backupMaker(filename) === 'night' && madeAt(filename) >= due && madeAt(filename) <= now,
  )
  const isChecked = made && (await listCheckedBackups(database.db)).has(made.filename)
  return made && (isChecked || (await recheckComplete(parts, made.filename, progress))) ? made : undefined
}

async function make(parts: JobParts, progress: Progress) {
  const makeOne = () => makeComplete(parts, { madeBy: 'night' }, progress)
  return makeOne().catch(async (error: unknown) => {
    // What goes once it is made may go before, to make room.
    if (asProblem(error).code !== 'disk_full' || (await pruneBackups(parts, { countsNext: true })) === 0) throw error
    return makeOne()
  })
}
