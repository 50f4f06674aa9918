import { statSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { watchContentVersion } from './content-version.ts'
import { DatabaseUnusable } from './database-errors.ts'
import { healthQueries, kyselyOn } from './dialect.ts'
import { tryFileLock } from './file-lock.ts'
import { type MigrationRules, migrate } from './migrate.ts'
import type { Database, OpenOptions } from './open.ts'
import { openSqlite, quickCheck } from './sqlite.ts'
import { dumpSqlite, keepCopyBeforeUpdate } from './sqlite-dump.ts'

export async function openSqliteDatabase({
  dataDir,
  readOnly = false,
  unchecked = false,
  ...options
}: OpenOptions): Promise<Database> {
  const file = path.join(dataDir, 'vitrina.sqlite')
  const rules = { asGuest: options.asGuest || readOnly, onNew: options.onNew }
  await refuseLost(file, rules)
  if (!unchecked && bytesOf(file) > 0) quickCheck(file, { readOnly, mayBeEmpty: true })
  const sqlite = openSqlite(file, { readOnly })
  const db = kyselyOn(sqlite.dialect, options.onStatement)
  const reader = kyselyOn(sqlite.reader)
  /** A page that another process reads at this moment stays in the -wal: it is tried again. */
  const checkpoint = async () => {
    for (const pause of checkpointPauses) {
      if (!sqlite.checkpoint()) return
      await wait(pause)
    }
    sqlite.checkpoint()
  }
  const beforeUpdate = () => keepCopyBeforeUpdate(file, new Date())
  await migrate(db, 'sqlite', { ...rules, beforeUpdate }).catch(async (error: unknown) => {
    await db.destroy()
    throw error
  })
  await checkpoint()
  return {
    db,
    dialect: 'sqlite',
    // There is one writer at a time: transactions never overlap.
    async exclusively(_name, work, { withoutTimeout = false } = {}) {
      const done = await db.transaction().execute(work)
      // Otherwise, where the site was reading, its next write would move what may be hundreds of megabytes, and block it.
      if (withoutTimeout) await checkpoint()
      return done
    },
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
    snapshot: (work) => reader.transaction().execute(work).finally(checkpoint),
    watchContent: (changed, unknown) => watchContentVersion(db, changed, unknown),
    async dump(write) {
      // Opening a removed file would make an empty one, and its copy would look like a backup.
      await sqlite.check([])
      await dumpSqlite(file, path.join(dataDir, 'unfinished'), write).finally(checkpoint)
    },
    openTemporary: (folder) => openSqliteDatabase({ dataDir: folder }),
    check: () => sqlite.check(healthQueries),
    checkpoint,
    measure: async () => ({ bytes: bytesOf(file), now: undefined }),
    async findDamage() {
      try {
        quickCheck(file, { readOnly })
        return null
      } catch (error) {
        if (error instanceof DatabaseUnusable) return error.message
        throw error
      } finally {
        await checkpoint()
      }
    },
    connections: () => undefined,
    async close() {
      await reader.destroy()
      // Closing tries once more, and tells what is wrong.
      await checkpoint().catch(() => {})
      await db.destroy()
    },
  }
}

/** In milliseconds. */
const checkpointPauses = [5, 50, 500]

const bytesOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0

/** Before anything is created or changed: SQLite itself would make an empty database where a lost one was. */
async function refuseLost(file: string, { asGuest, onNew }: MigrationRules) {
  if (bytesOf(file) > 0) return
  if (bytesOf(`${file}-wal`) > 0) {
    throw new DatabaseUnusable('damaged', `The database ${file} is missing or empty, and its last writes lie beside it.`)
  }
  if (asGuest) throw new DatabaseUnusable('missing', `There is no database in ${path.dirname(file)}.`)
  await onNew?.()
}
