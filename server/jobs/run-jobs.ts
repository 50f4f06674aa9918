import { type BackupJobParts, backupJobs } from '../backup/schedule.ts'
import { minute } from '../clock.ts'
import type { JobName } from '../database/tables.ts'
import { remindersJob } from '../mail/reminders.ts'
import { type HourlyParts, hourlyJob } from './hourly-jobs.ts'
import { readJobs, runIfDue, type ScheduledJob } from './jobs.ts'

export type SiteJobParts = HourlyParts & BackupJobParts

const firstLookAfter = 5_000

/** Looks 5 seconds after the start and then every minute which jobs are due, and runs them side by side. */
export function startJobs(site: SiteJobParts): { stop(): Promise<void> } {
  const { database, log } = site
  let isStopping = false
  const parts = { ...site, isStopping: () => isStopping }
  const jobs = listJobs(parts)
  const running = new Map<JobName, Promise<void>>()
  const look = async () => {
    const rows = await readJobs(database.db)
    for (const job of jobs) {
      if (isStopping || running.has(job.name)) continue
      const run = runIfDue(job, parts, rows)
        .catch((error: unknown) => log.error({ err: error, job: job.name }, 'a job could not be run'))
        .finally(() => running.delete(job.name))
      running.set(job.name, run)
    }
  }
  const lookSafely = () => void look().catch((error: unknown) => log.error({ err: error }, 'the jobs could not be read'))
  let timer = setTimeout(() => {
    timer = setInterval(lookSafely, minute).unref()
    lookSafely()
  }, firstLookAfter).unref()
  return {
    async stop() {
      isStopping = true
      clearInterval(timer)
      await Promise.all(running.values())
    },
  }
}

/** All that is due, one after the other. */
export async function runDueJobs(parts: SiteJobParts) {
  for (const job of listJobs(parts)) await runIfDue(job, parts)
}

function listJobs(parts: SiteJobParts): ScheduledJob[] {
  const { mailer } = parts
  return [hourlyJob(parts), ...backupJobs(parts), ...(mailer ? [remindersJob({ ...parts, mailer })] : [])]
}
