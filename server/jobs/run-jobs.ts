import type { FastifyBaseLogger } from 'fastify'
import { backupsLock } from '../backup/backup-state.ts'
import { sweepSentFiles } from '../backup/restore/sent-files.ts'
import { pruneBackups } from '../backup/retention.ts'
import { type BackupJobParts, backupJobs } from '../backup/schedule.ts'
import { hour, minute } from '../clock.ts'
import type { JobName } from '../database/tables.ts'
import { sweepAttempts } from '../features/accounts/sign-in-attempts.ts'
import { sweepTokens } from '../features/accounts/tokens.queries.ts'
import { sweepActivity } from '../features/activity/activity.queries.ts'
import { sweepSpam } from '../features/contacts/contacts.queries.ts'
import { sweepPhotos } from '../features/contacts/visitor-photos.ts'
import type { Encoder } from '../features/images/encoder.ts'
import { releaseNeeded, removeExpired } from '../features/images/image-quarantine.ts'
import { sweepStrayFiles, sweepUnreferencedImages, sweepUploads } from '../features/images/sweep-images.ts'
import { sweepTrash } from '../features/projects/trash.queries.ts'
import { sweepStatistics } from '../features/statistics/statistics.queries.ts'
import { sweepRequestCounts } from '../http/request-counts.ts'
import { sweepExpiredSessions } from '../http/sessions.ts'
import { sweepOutbox } from '../mail/outbox.queries.ts'
import { remindersJob } from '../mail/reminders.ts'
import { isTimeFor, readJobs, runIfDue, type ScheduledJob } from './jobs.ts'
import { noteRunningTime, ranDaysBefore } from './running-time.ts'

export type SiteJobParts = BackupJobParts & { encoder: Encoder; log: FastifyBaseLogger; isStopping?(): boolean }

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

export function listJobs(parts: SiteJobParts): ScheduledJob[] {
  return [hourlyJob(parts), ...backupJobs(parts), remindersJob(parts)]
}

/** All that is swept every hour. One that fails does not keep the others from running. */
export function hourlyJob(parts: SiteJobParts): ScheduledJob {
  const { config, database, storage, clock, log, isStopping } = parts
  const { db } = database
  const steps: Record<string, () => Promise<unknown>> = {
    // First: what is deleted by its age depends on it.
    'note the running time': () => noteRunningTime(parts),
    'delete expired sessions': () => sweepExpiredSessions(db, clock),
    'delete expired tokens': () => sweepTokens(db, clock),
    'delete old activity': () => sweepActivity(db, clock),
    'delete old figures': () => sweepStatistics(db, clock, config.timeZone),
    'delete old sign-in attempts': () => sweepAttempts(db, clock),
    'delete old request counts': () => sweepRequestCounts(db, clock),
    'empty the trash': () => sweepTrash(db, clock),
    'delete old spam': () => sweepSpam(db, clock),
    'delete photos of no message': () => sweepPhotos(parts),
    'delete abandoned uploads': () => sweepUploads(parts),
    'delete files sent to be restored': () => sweepSentFiles(parts),
    'delete unreferenced photos': () => sweepUnreferencedImages(parts),
    'quarantine files of no photo': () => sweepStrayFiles(parts),
    'bring photos back from quarantine': () => releaseNeeded(parts),
    'empty the quarantine': () => removeExpired(parts),
    'prune backups': () => database.unlessBusy(backupsLock, () => pruneBackups(parts)),
    'delete sent mails': () => sweepOutbox(db, clock),
    'write the checkpoint': async () => database.checkpoint(),
    'delete unfinished files': async () => storage.clearUnfinished(await ranDaysBefore(db, clock, 1)),
  }
  return {
    name: 'hourly',
    isDue: ({ hourly }, now) => isTimeFor(hourly, hour, now),
    async run() {
      const failed: string[] = []
      for (const [step, take] of Object.entries(steps)) {
        if (isStopping?.()) return undefined
        await take().catch((error: unknown) => {
          failed.push(step)
          log.error({ err: error, step }, 'a step of the hourly job failed')
        })
      }
      if (failed.length > 0) throw new Error(`Could not ${failed.join(', ')}.`)
      return {}
    },
  }
}
