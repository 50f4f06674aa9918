import { type Kysely, Migrator, sql } from 'kysely'
import { DatabaseUnusable, sqliteFault } from './database-errors.ts'
import type { Dialect } from './dialect.ts'
import { firstTables } from './migrations/0001-first-tables.ts'
import { uploads } from './migrations/0002-uploads.ts'
import { announceContent } from './migrations/0003-announce-content.ts'
import { severalProcesses } from './migrations/0004-several-processes.ts'
import { nothingLost } from './migrations/0005-nothing-lost.ts'
import { nobodyLockedOut } from './migrations/0006-nobody-locked-out.ts'
import { contentVersion } from './migrations/0007-content-version.ts'
import { moreThanOnePhoto } from './migrations/0008-more-than-one-photo.ts'
import { everyInquiryAnswered } from './migrations/0009-every-inquiry-answered.ts'
import { ownWords } from './migrations/0010-own-words.ts'
import { backupCare } from './migrations/0011-backup-care.ts'
import { projectsAndSite } from './migrations/0012-projects-and-site.ts'
import { projectTexts } from './migrations/0013-project-texts.ts'
import { jobs } from './migrations/0014-jobs.ts'
import { undoRows } from './migrations/0015-undo-rows.ts'
import { siteOpened } from './migrations/0017-site-opened.ts'
import { sessions } from './migrations/0020-sessions.ts'
import { accounts } from './migrations/0021-accounts.ts'
import { statistics } from './migrations/0023-statistics.ts'
import { settings } from './migrations/0024-settings.ts'
import type { Db } from './tables.ts'

type Change = (tx: Kysely<unknown>, dialect: Dialect) => Promise<void>

/** In order. Databases have recorded their names: a released one is never changed. */
const migrations: Record<string, Change> = {
  '0001-first-tables': firstTables,
  '0002-uploads': uploads,
  '0003-announce-content': announceContent,
  '0004-several-processes': severalProcesses,
  '0005-nothing-lost': nothingLost,
  '0006-nobody-locked-out': nobodyLockedOut,
  '0007-content-version': contentVersion,
  '0008-more-than-one-photo': moreThanOnePhoto,
  '0009-every-inquiry-answered': everyInquiryAnswered,
  '0010-own-words': ownWords,
  '0011-backup-care': backupCare,
  '0012-projects-and-site': projectsAndSite,
  '0013-project-texts': projectTexts,
  '0014-jobs': jobs,
  '0015-undo-rows': undoRows,
  '0017-site-opened': siteOpened,
  '0020-sessions': sessions,
  '0021-accounts': accounts,
  '0023-statistics': statistics,
  '0024-settings': settings,
}

/** The number of the newest one. */
export const release = Object.keys(migrations).at(-1)?.slice(0, 4) ?? ''

export type MigrationRules = {
  /** For programs beside the site, which neither make tables nor change them. */
  asGuest?: boolean | undefined
  /** Called before tables are made where there are none; refuses by failing. */
  onNew?: (() => Promise<void>) | undefined
  /** Called before the tables of a site are changed. */
  beforeUpdate?: (() => Promise<void>) | undefined
}

/** Brings the tables up to date. Kysely's migrator holds a lock while it works, so that processes can start together. */
export async function migrate(db: Db, dialect: Dialect, rules: MigrationRules) {
  const done = await executedMigrations(db, dialect)
  const newer = done.filter((name) => !(name in migrations))
  if (newer.length > 0) {
    throw new DatabaseUnusable(
      'newer',
      `The database was made by a newer release of this site (it knows ${newer.join(', ')}). Nothing was changed.\n` +
        'Install that release again, or go back to a database backup of this one: docs/deploy.md says how.',
    )
  }
  if (done.length === 0) await beforeFirst(rules, async () => (await executedMigrations(db, dialect)).length > 0)
  else if (done.length < Object.keys(migrations).length) {
    if (rules.asGuest) {
      throw new DatabaseUnusable(
        'older',
        'The database is of an older release of this site. Nothing was changed.\nStart the site once: it keeps a copy and brings the database up to date.',
      )
    }
    await rules.beforeUpdate?.()
  } else return
  const migrator = new Migrator({
    db,
    provider: {
      getMigrations: async () =>
        Object.fromEntries(
          Object.entries(migrations).map(([name, change]) => [name, { up: (tx) => applyChange(tx, dialect, change) }]),
        ),
    },
  })
  const { error } = await migrator.migrateToLatest()
  // The caller tells a full disk from other failures.
  if (sqliteFault(error)) throw error
  if (error) throw new Error('The database could not be brought up to date.', { cause: error })
}

async function applyChange(tx: Kysely<unknown>, dialect: Dialect, change: Change) {
  // PostgreSQL refuses to alter a table whose deferred triggers (0007) have not fired yet.
  if (dialect === 'postgres') await sql`set constraints all immediate`.execute(tx)
  await change(tx, dialect)
}

/** When this fails, another process may have made the tables first. */
async function beforeFirst({ asGuest, onNew }: MigrationRules, madeMeanwhile: () => Promise<boolean>) {
  if (asGuest) throw new DatabaseUnusable('missing', 'There is no site in this database yet.')
  await onNew?.().catch(async (error: unknown) => {
    if (!(await madeMeanwhile())) throw error
  })
}

async function executedMigrations(db: Db, dialect: Dialect) {
  const migrationTable =
    dialect === 'postgres'
      ? sql<{ there: unknown }>`select to_regclass('kysely_migration') as there`
      : sql<{ there: unknown }>`select max(name) as there from sqlite_master where name = 'kysely_migration'`
  if (!(await migrationTable.execute(db)).rows[0]?.there) return []
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  return rows.map(({ name }) => name)
}
