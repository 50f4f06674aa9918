import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { backupDate } from '#contract/backups.ts'
import { listStoredBackups } from '../backup/backup-names.ts'
import { isWhole } from '../backup/retention.ts'
import type { Config } from '../config.ts'
import { DatabaseUnusable } from '../database/database-errors.ts'
import type { Db } from '../database/tables.ts'
import { describeQuarantine } from '../features/images/image-quarantine.ts'
import type { Storage } from '../storage/storage.ts'
import { readStorageId } from './site-id.ts'

type Parts = { config: Pick<Config, 'dataDir' | 'databaseUrl' | 'bucket'>; storage: Storage }

/** No account, no project, no message, no published texts. */
export async function isEmptySite(db: Db) {
  const tables = ['adminUsers', 'projects', 'contactMessages', 'siteVersions'] as const
  const rows = await Promise.all(tables.map((table) => db.selectFrom(table).selectAll().limit(1).executeTakeFirst()))
  return rows.every((row) => row === undefined)
}

/** Where files of a site exist the database was lost: a first start would present an empty site. */
export async function refuseFirstStart({ config, storage }: Parts) {
  const photos = (await storage.list('objects')).length + (await describeQuarantine(storage)).photos
  const backups = (await listStoredBackups(storage, new Date())).length
  if (photos + backups === 0 && !(await readStorageId(storage))) return
  const where = config.databaseUrl
    ? 'The PostgreSQL database is empty'
    : `There is no database in ${config.dataDir}, or an empty one`
  const place = config.bucket ? `the bucket ${config.bucket.bucket}` : config.dataDir
  throw new DatabaseUnusable(
    'missing',
    `${where}, but ${place} belongs to a site: it holds ${photos} photos and ${backups} backups.`,
  )
}

/** The message says why the site cannot start, and what to do. */
export class CannotStart extends Error {
  constructor(lines: readonly string[]) {
    super(lines.join('\n'))
    this.name = 'CannotStart'
  }
}

/** Adds to the refusal what can be done. */
export async function withCures({ message, reason }: DatabaseUnusable, { config, storage }: Parts) {
  const lines = [`Cannot start: ${message}`]
  if (reason === 'missing' || reason === 'damaged') {
    lines.push('Nothing was changed. One of these helps:', ...(await curesFor({ config, storage })))
  }
  return new CannotStart(lines)
}

async function curesFor({ config, storage }: Parts) {
  const names = (await listStoredBackups(storage, new Date()).catch(() => [])).map(({ filename }) => filename)
  const onPostgres = config.databaseUrl !== undefined
  const complete = names.filter((name) => name.endsWith('.zip'))
  const newest = [
    onPostgres ? undefined : names.find((name) => name.endsWith('.sqlite')),
    complete.find(isWhole) ?? complete[0],
  ].filter((name) => name !== undefined)
  // An export has no photos, and is used where no other backup exists.
  if (newest.length === 0) newest.push(...names.filter((name) => name.endsWith('.json')).slice(0, 1))
  const cures = [
    ...names.filter((name) => newest.includes(name)).map((name) => [`go back to ${name}`, restoreCommand(name)]),
    ...(onPostgres ? [] : copiesIn(config.dataDir).map((file) => ['go back to a copy kept here', restoreCommand(file)])),
    ...(onPostgres
      ? [
          ['the site is still one of the built-in database', 'npm run move'],
          ['DATABASE_URL names the wrong database', 'name the right one'],
        ]
      : [
          ['you have a copy of vitrina.sqlite elsewhere', 'npm run restore -- <that copy>'],
          ['the site has moved to PostgreSQL', 'set DATABASE_URL'],
        ]),
    ['this is to be a new site', 'name an empty folder in DATA_DIR, and a bucket or an S3_PREFIX of its own'],
  ]
  return cures.map(([situation, cure]) => `  ${situation}:\n      ${cure}`)
}

function restoreCommand(file: string) {
  return `npm run restore -- ${file.endsWith('.sqlite') ? '' : '--new-database '}${file}`
}

/** The newest replaced database, and the newest copy made before an update. */
function copiesIn(dataDir: string) {
  return ['set-aside', 'before-update'].flatMap((folder) => {
    const place = path.join(dataDir, folder)
    const files = existsSync(place) ? readdirSync(place, { recursive: true, encoding: 'utf8' }) : []
    const copies = files.filter((name) => name.endsWith('.sqlite')).toSorted()
    // A date in the future was written by a wrong clock.
    const today = new Date().toISOString().slice(0, 10)
    const newest = copies.findLast((name) => (backupDate(name) ?? '') <= today) ?? copies.at(-1)
    return newest ? [path.join(place, newest)] : []
  })
}
