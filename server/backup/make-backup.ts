import type { FastifyBaseLogger } from 'fastify'
import type { BackupMaker } from '#contract/backups.ts'
import type { Clock } from '#server/clock.ts'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/database/open.ts'
import type { Storage } from '#server/storage/storage.ts'
import type { Images } from './archive/backup-photos.ts'
import { createBackups } from './create-backups.ts'
import type { Progress } from './job.ts'

export type JobParts = {
  config: Config
  database: Database
  storage: Storage
  clock: Clock
  log: FastifyBaseLogger
  images: Images
}

export function makeComplete(parts: JobParts, { madeBy = 'person' }: { madeBy?: BackupMaker }, progress: Progress) {
  return createBackups(parts).keepComplete({ madeBy, progress })
}

export function recheckComplete(parts: JobParts, filename: string, _progress: Progress) {
  return createBackups(parts).recheckComplete(filename)
}
