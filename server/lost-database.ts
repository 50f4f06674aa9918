import { missingFromBackup } from '#contract/backups.ts'
import type { Config } from './config.ts'
import { DatabaseUnusable } from './database/database-unusable.ts'
import type { Db } from './database/tables.ts'
import { listStoredBackups } from './features/backups/backup-names.ts'
import { describeAside } from './features/images/aside.ts'
import { forgetStorageId } from './site-id.ts'
import type { Storage } from './storage/storage.ts'

type Parts = { config: Pick<Config, 'dataDir' | 'databaseUrl' | 'bucket'>; storage: Storage }

/** Nobody's yet: no account, no project, no message. */
export async function isNobodysSite(db: Db) {
  const tables = ['adminUsers', 'projects', 'contactMessages'] as const
  const rows = await Promise.all(tables.map((table) => db.selectFrom(table).select('id').limit(1).executeTakeFirst()))
  return rows.every((row) => row === undefined)
}

/** A first start must not happen where a site has been: its photos would belong to nobody. */
export async function refuseFirstStart({ config, storage }: Parts) {
  const photos = (await storage.list('objects')).length + (await describeAside(storage)).photos
  const backups = await listStoredBackups(storage)
  // An empty place may still be marked by a site that was given up.
  if (photos + backups.length === 0) return forgetStorageId(storage)
  const where = config.databaseUrl
    ? 'The PostgreSQL database is empty'
    : `There is no database in ${config.dataDir}, or an empty one`
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
  const cures: [when: string, what: string][] = onPostgres
    ? [
        ['the site is still one of the built-in database', 'npm run move'],
        ['DATABASE_URL names the wrong database', 'name the right one'],
      ]
    : [
        ['you have a copy of vitrina.sqlite elsewhere', 'npm run restore -- <that copy>'],
        ['the site has moved to PostgreSQL', 'set DATABASE_URL'],
      ]
  if (complete) cures.unshift(['go back to the newest complete backup', `npm run restore -- --new-database ${complete}`])
  if (database) cures.unshift(['go back to the newest database backup', `npm run restore -- ${database}`])
  cures.push(['this is to be a new site', 'name an empty folder in DATA_DIR, and a bucket or an S3_PREFIX of its own'])
  const width = Math.max(...cures.map(([when]) => when.length))
  return cures.map(([when, what]) => `  ${`${when}:`.padEnd(width + 2)} ${what}`)
}
