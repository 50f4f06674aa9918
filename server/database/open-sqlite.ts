import { statSync } from 'node:fs'
import path from 'node:path'
import { watchContentVersion } from './content-version.ts'
import { DatabaseUnusable } from './database-errors.ts'
import { healthQueries, kyselyOn } from './dialect.ts'
import { tryFileLock } from './file-lock.ts'
import { type MigrationRules, migrate } from './migrate.ts'
import type { Database, OpenOptions } from './open.ts'
import { openSqlite, quickCheck } from './sqlite.ts'
import { dumpSqlite, keepCopyBeforeUpdate } from './sqlite-dump.ts'

export async function openSqliteDatabase({ dataDir, readOnly = false, ...options }: OpenOptions): Promise<Database> {
  const file = path.join(dataDir, 'vitrina.sqlite')
  const rules = { asGuest: options.asGuest || readOnly, onNew: options.onNew }
  await checkBeforeOpening(file, rules, readOnly)
  const sqlite = openSqlite(file, { readOnly })
  const db = kyselyOn(sqlite.dialect, options.onStatement)
  const reader = kyselyOn(sqlite.reader)
  const beforeUpdate = () => keepCopyBeforeUpdate(file, new Date())
  await migrate(db, 'sqlite', { ...rules, beforeUpdate }).catch(async (error: unknown) => {
    await db.destroy()
    throw error
  })
  sqlite.checkpoint()
  return {
    db,
    dialect: 'sqlite',
    // There is one writer at a time: transactions never overlap.
    exclusively: (_name, work) => db.transaction().execute(work),
    /** Between processes that share a data folder: the site and a command at the console. */
    async unlessBusy(name, work) {
      if (readOnly) return { done: await work() }
      const lock = tryFileLock(path.join(dataDir, `${name}.lock`))
      try {
        return lock && { done: await work() }
      } finally {
        lock?.release()
      }
    },
    // What is written during a long read stays in the -wal file until the checkpoint.
    snapshot: (work) => reader.transaction().execute(work).finally(sqlite.checkpoint),
    watchContent: (changed, unknown) => watchContentVersion(db, changed, unknown),
    async dump(write) {
      // Opening a removed file would make an empty one, and its copy would look like a backup.
      sqlite.check([])
      await dumpSqlite(file, path.join(dataDir, 'unfinished'), write).finally(sqlite.checkpoint)
    },
    check: async () => sqlite.check(healthQueries),
    checkpoint: sqlite.checkpoint,
    connections: () => undefined,
    async close() {
      await reader.destroy()
      await db.destroy()
    },
  }
}

/** Refuses before anything is created or changed: SQLite itself would make an empty database where a lost one was. */
async function checkBeforeOpening(file: string, { asGuest, onNew }: MigrationRules, readOnly: boolean) {
  const bytesOf = (name: string) => statSync(name, { throwIfNoEntry: false })?.size ?? 0
  if (bytesOf(file) > 0) return quickCheck(file, { readOnly, mayBeEmpty: true })
  if (bytesOf(`${file}-wal`) > 0) {
    throw new DatabaseUnusable('damaged', `The database ${file} is missing or empty, and its last writes lie beside it.`)
  }
  if (asGuest) throw new DatabaseUnusable('missing', `There is no database in ${path.dirname(file)}.`)
  await onNew?.()
}
