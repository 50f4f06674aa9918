import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../clock.ts'
import type { Database } from '../database/open.ts'
import type { JobName, JobRow } from '../database/tables.ts'
import { asProblem, type Problem } from '../http/problem.ts'
import { type JobChanges, type JobRows, readJobs, recordSuccess, writeJob } from './jobs.queries.ts'
import { failureAfter } from './jobs.rules.ts'

export type ScheduledJob = {
  name: JobName
  lock?: string
  isDue(rows: JobRows, now: Date): boolean | Promise<boolean>
  /** What is stored with the success or the failure; undefined where nothing is to be stored. */
  run(row: JobRow): Promise<Outcome | undefined>
  /** Until the retries, in milliseconds. */
  waits?: number[]
}
type Outcome = Pick<JobChanges, 'result'> & { problem?: Problem }

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
    const outcome = await job.run(row).catch((error: unknown): Outcome => ({ problem: asProblem(error) }))
    // It was ended with the site.
    if (!outcome || (outcome.problem && isStopping?.())) return
    const { problem, ...changes } = outcome
    if (!problem) return recordSuccess(db, name, clock.now(), changes)
    log.error({ err: problem, job: name }, 'a job failed')
    await writeJob(db, name, { ...failureAfter(row, problem, clock.now(), job.waits), ...changes })
  })
}
