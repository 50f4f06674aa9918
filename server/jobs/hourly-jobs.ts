import type { FastifyBaseLogger } from 'fastify'
import { sweepSentFiles } from '../backup/restore/sent-files.ts'
import { pruneBackups } from '../backup/retention.ts'
import { type Clock, hour } from '../clock.ts'
import type { Database } from '../database/open.ts'
import { sweepAttempts } from '../features/accounts/sign-in-attempts.ts'
import { sweepSpam } from '../features/contacts/contacts.queries.ts'
import { sweepPhotos } from '../features/contacts/visitor-photos.ts'
import type { Encoder } from '../features/images/encoder.ts'
import { releaseNeeded, removeExpired } from '../features/images/image-quarantine.ts'
import { sweepStrayFiles, sweepUnreferencedImages, sweepUploads } from '../features/images/sweep-images.ts'
import { sweepTrash } from '../features/projects/trash.queries.ts'
import { sweepRequestCounts } from '../http/request-counts.ts'
import { sweepExpiredSessions } from '../http/sessions.ts'
import type { Mailer } from '../mail/mailer.ts'
import { sweepOutbox } from '../mail/outbox.queries.ts'
import { remindOfWaiting } from '../mail/reminders.ts'
import type { Storage } from '../storage/storage.ts'
import { noteRunningTime, ranDaysBefore } from './running-time.ts'

type Parts = {
  database: Database
  storage: Storage
  clock: Clock
  encoder: Encoder
  log: FastifyBaseLogger
  mailer?: Mailer | undefined
  publicUrl?: string | undefined
}

/** Runs now and every hour, in one process at a time. A job that fails is tried again the next time. */
export function startHourlyJobs(parts: Parts): { stop(): Promise<void> } {
  const { database, storage, clock, encoder, log, mailer, publicUrl } = parts
  const { db } = database
  const jobs: Record<string, () => Promise<void>> = {
    // First: what is deleted by its age depends on it.
    'note the running time': () => noteRunningTime({ database, clock, log }),
    'delete expired sessions': () => sweepExpiredSessions(db, clock),
    'delete old sign-in attempts': () => sweepAttempts(db, clock),
    'delete old request counts': () => sweepRequestCounts(db, clock),
    'empty the trash': () => sweepTrash(db, clock),
    'delete old spam': () => sweepSpam(db, clock),
    'delete photos of no message': () => sweepPhotos({ database, storage, clock }),
    'delete abandoned uploads': () => sweepUploads({ database, storage, clock }),
    'delete files sent to be restored': () => sweepSentFiles({ database, storage, clock }),
    'delete unreferenced photos': () => sweepUnreferencedImages({ database, storage, clock }),
    'quarantine files of no photo': () => sweepStrayFiles({ database, storage, clock, log }),
    'bring photos back from quarantine': () => releaseNeeded({ database, storage, clock, encoder }),
    'empty the quarantine': () => removeExpired({ database, storage, clock }),
    'prune backups': async () => void (await pruneBackups({ database, storage, clock })),
    'delete sent mails': () => sweepOutbox(db, clock),
    ...(mailer && { 'remind of messages': () => remindOfWaiting({ database, clock, mailer, publicUrl }) }),
    'write the checkpoint': () => database.checkpoint(),
    'delete unfinished files': async () => storage.clearUnfinished(await ranDaysBefore(db, clock, 1)),
  }
  let stopped = false
  const runAll = async () => {
    for (const [job, run] of Object.entries(jobs)) {
      if (stopped) return
      await run().catch((error: unknown) => log.error({ err: error, job }, 'an hourly job failed'))
    }
  }
  // The name of the lock is that of earlier releases, whose processes may still run.
  const runUnlessBusy = async () => {
    await database
      .unlessBusy('chores', runAll)
      .catch((error: unknown) => log.error({ err: error }, 'the hourly jobs could not be started'))
  }
  let running = runUnlessBusy()
  const timer = setInterval(() => {
    running = runUnlessBusy()
  }, hour).unref()
  return {
    async stop() {
      stopped = true
      clearInterval(timer)
      await running
    },
  }
}
