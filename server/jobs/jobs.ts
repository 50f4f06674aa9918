import type { FastifyBaseLogger } from 'fastify'
import type { BackupFault } from '#contract/backup-status.ts'
import { type Clock, day, isFuture, minute } from '../clock.ts'
import type { Database } from '../database/open.ts'
import { type Db, type JobName, type JobRow, jobNames } from '../database/tables.ts'
import { asProblem, type Problem } from '../http/problem.ts'

export type JobRows = Record<JobName, JobRow>
type JobChanges = Partial<Omit<JobRow, 'name'>>

export type ScheduledJob = {
  name: JobName
  lock?: string
  isDue(rows: JobRows, now: Date): boolean | Promise<boolean>
  /** What is stored with the success or the failure; undefined where nothing is to be stored. */
  run(row: JobRow): Promise<(JobChanges & { problem?: Problem }) | undefined>
  /** Until the retries, in milliseconds. */
  waits?: number[]
}

type Parts = { database: Database; clock: Clock; log: FastifyBaseLogger; isStopping?(): boolean }

/** In one process at a time. Takes no lock unless the job is due. */
export async function runIfDue(job: ScheduledJob, { database, clock, log, isStopping }: Parts, rows?: JobRows) {
  const { db } = database
  const { name, lock = `job ${name}` } = job
  if (!(await job.isDue(rows ?? (await readJobs(db)), clock.now()))) return
  await database.unlessBusy(lock, async () => {
    const present = await readJobs(db)
    // Another process may have run it meanwhile.
    if (!(await job.isDue(present, clock.now()))) return
    const row = present[name]
    const outcome = await job.run(row).catch((error: unknown) => ({ problem: asProblem(error) }))
    // It was ended with the site.
    if (!outcome || (outcome.problem && isStopping?.())) return
    const { problem, ...changes } = outcome
    const now = clock.now()
    if (!problem) return writeJob(db, name, { lastSuccess: now.toISOString(), ...noFault, ...changes })
    log.error({ err: problem, job: name }, 'a job failed')
    await writeJob(db, name, { ...failureAfter(row, problem, now, job.waits), ...changes })
  })
}

export const noFault = { failures: 0, lastError: null, nextTry: null }

export async function readJobs(db: Db) {
  return jobRows(await db.selectFrom('jobs').selectAll().execute())
}

/** With a row for each job that has never run. */
export function jobRows(stored: readonly (Pick<JobRow, 'name'> & JobChanges)[]): JobRows {
  const neverRun = { lastSuccess: null, result: null, ...noFault }
  return Object.fromEntries(
    jobNames.map((name) => [name, { name, ...neverRun, ...stored.find((row) => row.name === name) }]),
  ) as JobRows
}

export async function writeJob(db: Db, name: JobName, changes: JobChanges) {
  const values = Object.entries(changes).map(([column, value]) => [
    column,
    typeof value === 'object' && value ? JSON.stringify(value) : value,
  ])
  const row = { name, ...Object.fromEntries(values) }
  await db
    .insertInto('jobs')
    .values(row)
    .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
    .execute()
}

/** Until the first, the second and every later retry. */
const usualWaits = [5 * minute, 15 * minute, 60 * minute]
const longestWait = day

export function failureAfter(
  { failures }: JobRow,
  { code, details }: Pick<BackupFault, 'code' | 'details'>,
  now: Date,
  waits = usualWaits,
) {
  const wait = waits[Math.min(failures, waits.length - 1)] ?? longestWait
  const lastError = { code, ...(details !== undefined && { details }), at: now.toISOString() }
  return { failures: failures + 1, lastError, nextTry: new Date(now.getTime() + wait).toISOString() }
}

/** As the panel is shown it; null when the job went well the last time. */
export function faultOf({ failures, lastError, nextTry }: JobRow): BackupFault | null {
  return lastError && { ...lastError, tries: failures, nextTryAt: nextTry ?? lastError.at }
}

/** When it is tried again; null also for a moment that a clock that was ahead has written. */
export function nextTryOf({ nextTry }: JobRow, now: Date) {
  return nextTry && !isFuture(nextTry, new Date(now.getTime() + longestWait)) ? new Date(nextTry) : null
}

/** Whether a job is due that runs so many milliseconds after its last success, or when it is to be tried again. */
export function isTimeFor(row: JobRow, every: number, now: Date) {
  const nextTry = nextTryOf(row, now)
  if (nextTry) return nextTry <= now
  return !row.lastSuccess || isFuture(row.lastSuccess, now) || Date.parse(row.lastSuccess) + every <= now.getTime()
}
