import type { FastifyBaseLogger } from 'fastify'
import { sweepSentFiles } from '../backup/restore/sent-files.ts'
import { pruneUnlessBusy } from '../backup/retention.ts'
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
import { sweepOutbox } from '../mail/outbox.queries.ts'
import type { Storage } from '../storage/storage.ts'
import type { ScheduledJob } from './jobs.ts'
import { isTimeFor } from './jobs.ts'
import { noteRunningTime, ranDaysBefore } from './running-time.ts'

export type HourlyParts = {
  database: Database
  storage: Storage
  clock: Clock
  encoder: Encoder
  log: FastifyBaseLogger
  isStopping?(): boolean
}

/** All that is swept every hour. One that fails does not keep the others from running. */
export function hourlyJob(parts: HourlyParts): ScheduledJob {
  const { database, storage, clock, isStopping } = parts
  const { db } = database
  const steps: Record<string, () => unknown> = {
    // First: what is deleted by its age depends on it.
    'note the running time': () => noteRunningTime(parts),
    'delete expired sessions': () => sweepExpiredSessions(db, clock),
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
    'prune backups': () => pruneUnlessBusy(parts),
    'delete sent mails': () => sweepOutbox(db, clock),
    'write the checkpoint': () => database.checkpoint(),
    'delete unfinished files': async () => storage.clearUnfinished(await ranDaysBefore(db, clock, 1)),
  }
  return {
    name: 'hourly',
    // The name in earlier releases, whose processes may still run.
    lock: 'chores',
    isDue: ({ hourly }, now) => isTimeFor(hourly, hour, now),
    async run() {
      const failed: string[] = []
      const errors: unknown[] = []
      for (const [step, take] of Object.entries(steps)) {
        if (isStopping?.()) return undefined
        try {
          await take()
        } catch (error) {
          failed.push(step)
          errors.push(error)
        }
      }
      if (errors.length > 0) throw new AggregateError(errors, `Could not ${failed.join(', ')}.`)
      return {}
    },
  }
}
