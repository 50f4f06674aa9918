import type { FastifyBaseLogger } from 'fastify'
import { sweepSentFiles } from '../backup/restore/sent-files.ts'
import { letGoOfOld } from '../backup/retention.ts'
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
import { sweepSentFiles } from './backup/restore/sent-files.ts'
import { pruneBackups } from './backup/retention.ts'
import { type Clock, hour } from './clock.ts'
import type { Database } from './database/open.ts'
import { sweepAttempts } from './features/accounts/attempts.ts'
import { sweepPhotos, sweepSpam } from './features/contacts/sweep-contacts.ts'
import { bringBackWanted, removeLongAside } from './features/images/aside.ts'
import type { Encoder } from './features/images/encoder.ts'
import { sweepStrayFiles, sweepUnreferencedImages, sweepUploads } from './features/images/sweep-images.ts'
import { sweepTrash } from './features/projects/trash.queries.ts'
import { sweepRequestCounts } from './http/request-counts.ts'
import { sweepExpiredSessions } from './http/sessions.ts'
import type { Mailer } from './mail/mailer.ts'
import { sweepOutbox } from './mail/outbox.queries.ts'
import { remindOfWaiting } from './mail/reminders.ts'
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

/** Runs now and every hour, in one process at a time. A chore that fails is tried again the next time. */
export function startChores({ database, storage, clock, encoder, log, mailer, publicUrl }: Parts): { stop(): Promise<void> } {
  const { db } = database
  const chores: Record<string, () => Promise<void>> = {
    // First: what is deleted by its age depends on it.
    'days on which the site ran': () => noteRunningTime({ database, clock, log }),
    'expired sessions': () => sweepExpiredSessions(db, clock),
    'old sign-in attempts': () => sweepAttempts(db, clock),
    'old counts of requests': () => sweepRequestCounts(db, clock),
    'projects long in the trash': () => sweepTrash(db, clock),
    'old spam': () => sweepSpam(db, clock),
    'photos of no inquiry': () => sweepPhotos({ database, storage, clock }),
    'abandoned uploads': () => sweepUploads({ database, storage, clock }),
    'files sent to be restored': () => sweepSentFiles({ database, storage, clock }),
    'unreferenced photos': () => sweepUnreferencedImages({ database, storage, clock }),
    'files of no photo': () => sweepStrayFiles({ database, storage, clock, log }),
    'photos that are wanted again': () => releaseNeeded({ database, storage, clock, encoder }),
    'photos long aside': () => removeExpired({ database, storage, clock }),
    'backups that are kept no longer': async () => void (await pruneBackups({ database, storage, clock })),
    'mails that were sent': () => sweepOutbox(db, clock),
    ...(mailer && { 'reminders of inquiries': () => remindOfWaiting({ database, clock, mailer, publicUrl }) }),
    'last writes': async () => database.checkpoint(),
    'files nobody finished': async () => storage.clearUnfinished(await ranDaysBefore(db, clock, 1)),
  }
  let stopped = false
  const runAll = async () => {
    for (const [name, sweep] of Object.entries(chores)) {
      if (stopped) return
      await sweep().catch((error: unknown) => log.error({ err: error, chore: name }, 'a chore failed'))
    }
  }
  const runUnlessBusy = async () => {
    await database
      .unlessBusy('chores', runAll)
      .catch((error: unknown) => log.error({ err: error }, 'the chores could not be begun'))
  }
  let underWay = runUnlessBusy()
  const timer = setInterval(() => {
    underWay = runUnlessBusy()
  }, hour).unref()
  return {
    async stop() {
      stopped = true
      clearInterval(timer)
      await underWay
    },
  }
}
