import { DatabaseSync } from '@photostructure/sqlite'
import { DumpFailed } from './dump-failed.ts'

/** Copies the database as it is at this moment into a new file, and reads the copy through. */
export function dumpSqlite(database: string, file: string) {
  const source = new DatabaseSync(database, { timeout: 5_000 })
  try {
    source.prepare('vacuum into ?').run(file)
  } finally {
    source.close()
  }
  const copy = new DatabaseSync(file, { readOnly: true })
  try {
    const [found] = copy.prepare('pragma integrity_check').all() as { integrity_check?: string }[]
    if (found?.integrity_check !== 'ok') throw new DumpFailed('broken', `integrity_check: ${found?.integrity_check}`)
  } finally {
    copy.close()
  }
}
