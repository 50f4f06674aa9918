import { missingFromBackup } from '#contract/backups.ts'
import type { Config } from './config.ts'
import { DatabaseUnusable } from './database/database-unusable.ts'
import { listStoredBackups } from './features/backups/backup-names.ts'
import { readStorageId } from './site-id.ts'
import type { Storage } from './storage/storage.ts'

type Parts = { config: Pick<Config, 'dataDir' | 'databaseUrl' | 'bucket'>; storage: Storage }

/** A first start must not happen where a site has been: its photos would belong to nobody. */
export async function refuseFirstStart({ config, storage }: Parts) {
  const photos = (await storage.list('objects')).length
  const backups = await listStoredBackups(storage)
  if (photos + backups.length === 0 && !(await readStorageId(storage))) return
  const where = config.databaseUrl ? 'The PostgreSQL database is empty' : `There is no database in ${config.dataDir}`
  const place = config.bucket ? `the bucket ${config.bucket.bucket}` : config.dataDir
  throw new DatabaseUnusable(
    'missing',
    `${where}, but ${place} holds files of a site: ${photos} photos and ${backups.length} backups.`,
  )
}

/** The site cannot start on what was found; the message says what to do. */
export class CannotStart extends Error {
  constructor(lines: readonly string[]) {
    super(lines.join('\n'))
    this.name = 'CannotStart'
  }
}

/** The refusal, with what the person in front of it can do. */
export async function withCures({ message, reason }: DatabaseUnusable, { config, storage }: Parts) {
  const lines = [`Cannot start: ${message}`]
  if (reason === 'missing' || reason === 'damaged') {
    const names = (await listStoredBackups(storage).catch(() => [])).map(({ filename }) => filename)
    lines.push('Nothing was changed. One of these helps:', ...curesFor(names, config.databaseUrl !== undefined))
  }
  return new CannotStart(lines)
}

function curesFor(names: readonly string[], onPostgres: boolean) {
  const complete = names.find((name) => name.endsWith('.zip') && missingFromBackup(name) === 0)
  const database = onPostgres ? undefined : names.find((name) => name.endsWith('.sqlite'))
  return [
    ...(database ? [`  the newest database backup, with accounts:      npm run restore -- ${database}`] : []),
    ...(complete ? [`  the newest whole complete backup, with photos:  npm run restore -- --new-database ${complete}`] : []),
    ...(onPostgres
      ? ['  a site of the built-in database moves here by:  npm run move', '  or name the right database in DATABASE_URL']
      : ['  a site that has moved to PostgreSQL starts with DATABASE_URL set']),
    '  for a new site, name an empty folder in DATA_DIR, and a bucket or S3_PREFIX of its own',
  ]
}
