import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from './clock.ts'
import type { Config, OffsiteSettings } from './config.ts'
import type { Database } from './database/open.ts'
import { backupName, storedBackup } from './features/backups/backup-names.ts'
import { readState } from './features/backups/care/state.ts'
import type { Encoder } from './features/images/encoder.ts'
import { createImages } from './features/images/images.ts'
import type { Variants } from './features/images/variants.ts'
import type { Storage } from './storage/storage.ts'

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

/** What makes backups and looks after them. Loaded when it is first needed: it is no small part of the program. */
export function backupParts({ config, database, storage, clock, encoder, variants, log, hasOwner }: Parts) {
  const parts = { database, storage, clock, log }
  const openBackups = onceItSucceeds(async () => {
    const { createBackups } = await import('./features/backups/backups.ts')
    const images = createImages({ ...parts, encoder, variants })
    return createBackups({ ...parts, images, secret: config.backupSecret })
  })
  const openTrials = onceItSucceeds(async () => {
    const { createTrials } = await import('./features/backups/trial/trials.ts')
    return createTrials({ ...parts, settings: config })
  })
  const copiesIn = (elsewhere: OffsiteSettings) => {
    const open = onceItSucceeds(async () => {
      const { createCopies } = await import('./features/backups/elsewhere/copies.ts')
      const { openPlace } = await import('./features/backups/elsewhere/place.ts')
      return createCopies({ ...parts, secret: config.backupSecret, place: openPlace(elsewhere) })
    })
    return {
      bring: async (signal?: AbortSignal) => (await open()).bring(signal),
      describe: async () => (await open()).describe(),
    }
  }
  /** Undefined while no second place is named. */
  const copies = config.offsite && copiesIn(config.offsite)
  return {
    openBackups,
    hasOwner,
    copies,
    readState: () =>
      readState({
        ...parts,
        hasOwner,
        describeElsewhere: async () => (await copies?.describe()) ?? null,
        isEncrypted: config.backupSecret !== undefined,
      }),
    trials: { runIfDue: async (signal?: AbortSignal) => (await openTrials()).runIfDue(signal) },
  }
}

/** A database backup of PostgreSQL as it is before an update. Without pg_dump the update goes on, and the log says so first. */
export async function keepBeforeUpdate(
  { storage, clock, log }: Pick<Parts, 'storage' | 'clock' | 'log'>,
  dump: Database['dump'],
) {
  const filename = backupName('database', { at: clock.now(), dialect: 'postgres' })
  const draft = storage.newDraft()
  try {
    await dump(draft.write)
    await draft.keepAs(storedBackup(filename))
    log.info({ filename }, 'an update changes the tables of the database: a copy was kept')
  } catch (error) {
    log.warn({ err: error }, 'an update changes the tables of the database, and no copy could be kept')
  } finally {
    await draft.drop()
  }
}

/** One that failed is tried again with the next call. */
function onceItSucceeds<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | undefined
  return () => {
    opened ??= open().catch((error: unknown) => {
      opened = undefined
      throw error
    })
    return opened
  }
}
