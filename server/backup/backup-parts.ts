import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Database } from '../database/open.ts'
import type { Encoder } from '../features/images/encoder.ts'
import { createImages } from '../features/images/image-store.ts'
import type { Variants } from '../features/images/variants.ts'
import { asProblem } from '../http/problem.ts'
import type { Storage } from '../storage/storage.ts'
import { readBackupJobs, updateBackupJobs } from './backup-jobs.ts'
import { backupName, storedBackup } from './backup-names.ts'
import { noProgress } from './job.ts'
import { faultAfter } from './schedule.rules.ts'
import { readStatus } from './status.ts'

type Parts = {
  config: Config
  database: Database
  storage: Storage
  clock: Clock
  encoder: Encoder
  variants: Variants
  log: FastifyBaseLogger
  /** Whether the site is more than a demo. */
  hasOwner(): Promise<boolean>
}

export type BackupParts = ReturnType<typeof backupParts>

/** Makes, copies and tests backups. Loaded with the first call: archives and encryption would make every start slower. */
export function backupParts({ config, database, storage, clock, encoder, variants, log, hasOwner }: Parts) {
  const parts = { database, storage, clock, log }
  const openBackups = retriedUntilLoaded(async () => {
    const { createBackups } = await import('./create-backups.ts')
    const images = createImages({ ...parts, encoder, variants })
    return createBackups({ ...parts, images, secret: config.backupSecret })
  })
  const openRestoreTests = retriedUntilLoaded(async () => {
    const { createRestoreTests } = await import('./restore-test.ts')
    return createRestoreTests({ ...parts, settings: config })
  })
  const readCopyFault = async () => (await readBackupJobs(database.db)).copyFault
  /** Undefined where no off-site target is set. */
  const offsiteCopies = config.offsite && {
    async copyIfDue() {
      const { copyOffsite, openTarget, waitingForCopy } = await import('./offsite-copies.ts')
      const before = await readCopyFault()
      if (!config.offsite || !(before || (await waitingForCopy(parts)))) return
      if (before && Date.parse(before.nextTryAt) > clock.now().getTime()) return
      const fault = await copyOffsite({ ...parts, config }, await openTarget(config.offsite), noProgress).then(
        () => undefined,
        asProblem,
      )
      if (fault) log.error({ err: fault.cause ?? fault }, 'a backup could not be copied off-site')
      await updateBackupJobs(database.db, { copyFault: fault ? faultAfter(before, fault, clock.now()) : null })
    },
    async describe() {
      const { describeOffsite } = await import('./offsite-copies.ts')
      return describeOffsite({ ...parts, config }, await readCopyFault())
    },
  }
  return {
    openBackups,
    hasOwner,
    offsiteCopies,
    readStatus: () =>
      readStatus({
        ...parts,
        hasOwner,
        describeOffsite: async () => (await offsiteCopies?.describe()) ?? null,
        isEncrypted: config.backupSecret !== undefined,
      }),
    restoreTests: { runIfDue: async (signal?: AbortSignal) => (await openRestoreTests()).runIfDue(signal) },
  }
}

/** A database backup of PostgreSQL before an update. Where pg_dump is missing, the update goes on without one. */
export async function keepBeforeUpdate(
  { storage, clock, log }: Pick<Parts, 'storage' | 'clock' | 'log'>,
  dump: Database['dump'],
) {
  const filename = backupName('database', { at: clock.now(), dialect: 'postgres' })
  const draft = storage.newDraft()
  try {
    await dump(draft.write)
    await draft.keepAs(storedBackup(filename))
    log.info({ filename }, 'database backup made before an update of the tables')
  } catch (error) {
    log.warn({ err: error }, 'no database backup could be made before an update of the tables')
  } finally {
    await draft.drop()
  }
}

/** Loads once; a load that failed is repeated with the next call. */
function retriedUntilLoaded<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | undefined
  return () => {
    opened ??= open().catch((error: unknown) => {
      opened = undefined
      throw error
    })
    return opened
  }
}
