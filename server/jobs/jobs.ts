import type { FastifyBaseLogger } from 'fastify'
import type { BackupFault } from '#contract/backup-status.ts'
import { type Clock, day, hour, isFuture, minute } from '../clock.ts'
import type { Database } from '../database/open.ts'
import { type Db, type JobName, type JobRow, jobNames } from '../database/tables.ts'
import { asProblem, type Problem } from '../http/problem.ts'

export type JobRows = Record<JobName, JobRow>
type JobChanges = Partial<Omit<JobRow, 'name'>>

export type ScheduledJob = {
  name: JobName
  isDue(rows: JobRows, now: Date): boolean | Promise<boolean>
  /** What is stored with the success or the failure; undefined where nothing is to be stored. */
  run(row: JobRow): Promise<(JobChanges & { problem?: Problem }) | undefined>
}

type Parts = { database: Database; clock: Clock; log: FastifyBaseLogger; isStopping?(): boolean }

/** Until the first and the second retry; later ones are an hour apart. */
const waits = [5 * minute, 15 * minute]

/** In one process at a time. Takes no lock unless the job is due. */
export async function runIfDue(job: ScheduledJob, { database, clock, log, isStopping }: Parts, rows?: JobRows) {
  const { db } = database
  const { name } = job
  if (!(await job.isDue(rows ?? (await readJobs(db)), clock.now()))) return
  await database.unlessBusy(`job ${name}`, async () => {
    const present = await readJobs(db)
    // Another process may have run it meanwhile.
    if (!(await job.isDue(present, clock.now()))) return
    const outcome = await job.run(present[name]).catch((error: unknown) => ({ problem: asProblem(error) }))
    const { problem, ...changes } = outcome ?? {}
    // It was ended with the site, or something else is being made or restored: the next look tries again.
    if (!outcome || (problem && (isStopping?.() || problem.code === 'backup_in_progress'))) return
    const now = clock.now()
    if (!problem) return writeJob(db, name, { lastSuccess: now.toISOString(), ...noFault, ...changes })
    log.error({ err: problem, cause: problem.cause, job: name }, 'a job failed')
    const { failures } = present[name]
    const lastError = { code: problem.code, details: problem.details, at: now.toISOString() }
    const nextTry = new Date(now.getTime() + (waits[failures] ?? hour)).toISOString()
    await writeJob(db, name, { failures: failures + 1, lastError, nextTry, ...changes })
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
  const row = { ...withJson(changes), name }
  await db
    .insertInto('jobs')
    .values(row)
    .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
    .execute()
}

/** Objects as the JSON that their columns hold. */
export function withJson(row: object) {
  const asStored = (value: unknown) => (typeof value === 'object' && value ? JSON.stringify(value) : value)
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [column, asStored(value)]))
}

/** As the panel is shown it; null when the job went well the last time. */
export function faultOf({ failures, lastError, nextTry }: JobRow): BackupFault | null {
  return lastError && { ...lastError, tries: failures, nextTryAt: nextTry ?? lastError.at }
}

/** When it is tried again, in a day at most; null also for a moment that a clock that was ahead has written. */
export function nextTryOf({ nextTry }: JobRow, now: Date) {
  return nextTry && !isFuture(nextTry, new Date(now.getTime() + day)) ? new Date(nextTry) : null
}

/** Whether a job is due that runs so many milliseconds after its last success, or when it is to be tried again. */
export function isTimeFor(row: JobRow, every: number, now: Date) {
  const nextTry = nextTryOf(row, now)
  if (nextTry) return nextTry <= now
  // As far in the future, it was stored by a clock that was ahead.
  return !row.lastSuccess || Math.abs(now.getTime() - Date.parse(row.lastSuccess)) >= every
}
