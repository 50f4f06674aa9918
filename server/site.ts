import type { FastifyBaseLogger } from 'fastify'
import type { BackupParts } from './backup/backup-parts.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Database } from './database/open.ts'
import type { Encoder } from './features/images/encoder.ts'
import type { HiddenImages } from './features/images/hidden-images.ts'
import type { Variants } from './features/images/variants.ts'
import type { Renderer } from './features/pages/renderer.ts'
import type { Published, ReadyAnswers } from './http/published.ts'
import type { Mailer } from './mail/mailer.ts'
import type { Storage } from './storage/storage.ts'

/** What every feature is built from: one object for a process. */
export type Site = {
  config: Config
  database: Database
  storage: Storage
  clock: Clock
  log: FastifyBaseLogger
  encoder: Encoder
  variants: Variants
  renderer: Renderer
  /** Sends mails; undefined where mail is not set up. */
  mailer: Mailer | undefined
  ready: ReadyAnswers
  published: Published
  hidden: HiddenImages
  backups: BackupParts
  development: boolean
}
