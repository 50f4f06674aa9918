import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../clock.ts'
import type { Config, OffsiteSettings } from '../config.ts'
import type { Database } from '../database/open.ts'
import type { Encoder } from '../features/images/encoder.ts'
import { createImages } from '../features/images/image-store.ts'
import type { Variants } from '../features/images/variants.ts'
import type { Storage } from '../storage/storage.ts'
import { backupName, storedBackup } from './backup-names.ts'
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
  const offsiteCopiesTo = (settings: OffsiteSettings) => {
    const open = retriedUntilLoaded(async () => {
      const { createOffsiteCopies } = await import('./offsite-copies.ts')
      const { openTarget } = await import('./offsite-target.ts')
      return createOffsiteCopies({ ...parts, secret: config.backupSecret, target: openTarget(settings) })
    })
    return {
      copyIfDue: async (signal?: AbortSignal) => (await open()).copyIfDue(signal),
      describe: async () => (await open()).describe(),
    }
  }
  /** Undefined where no off-site target is set. */
  const offsiteCopies = config.offsite && offsiteCopiesTo(config.offsite)
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
