import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Database } from '../database/open.ts'
import type { Encoder } from '../features/images/encoder.ts'
import { createImages } from '../features/images/image-store.ts'
import type { Variants } from '../features/images/variants.ts'
import type { Storage } from '../storage/storage.ts'
import { backupName, storedBackup } from './backup-names.ts'
import type { Job } from './job.ts'
import { runJob } from './run-job.ts'
import { readStatus } from './status.ts'

declare module 'fastify' {
  interface FastifyInstance {
    backups: BackupParts
  }
}

type Parts = {
  config: Config
  database: Database
  storage: Storage
  clock: Clock
  encoder: Encoder
  variants: Variants
  log: FastifyBaseLogger
  demoAdminActive(): Promise<boolean>
}

export type BackupParts = ReturnType<typeof backupParts>

/** Makes, copies and tests backups. Loaded with the first call: archives and encryption would make every start slower. */
export function backupParts({ config, database, storage, clock, encoder, variants, log, demoAdminActive }: Parts) {
  const parts = { database, storage, clock, log }
  const openBackups = retriedUntilLoaded(async () => {
    const { createBackups } = await import('./create-backups.ts')
    const images = createImages({ ...parts, encoder, variants })
    return createBackups({ ...parts, images, secret: config.backupSecret })
  })
  return {
    openBackups,
    demoAdminActive,
    readStatus: () => readStatus({ ...parts, config, demoAdminActive }),
    startJob: (job: Job): Promise<unknown> =>
      runJob({ ...parts, config, images: createImages({ ...parts, encoder, variants }) }, job),
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
