import { DatabaseSync } from '@photostructure/sqlite'
import { clearTransientTables } from './dump.ts'
import type { CopyOutcome } from './sqlite-dump.ts'

// A process of its own: SQLite copies a database in one call, which would block the site.
const [database = '', file = ''] = process.argv.slice(2)
const outcome = outcomeOf(() => copy(database, file))
process.send?.(outcome)

function copy(from: string, to: string) {
  const source = new DatabaseSync(from, { readOnly: true, timeout: 5_000 })
  source.prepare('vacuum into ?').run(to)
  source.close()
  const made = new DatabaseSync(to)
  // Without a journal file: the copy is dropped when this fails.
  made.exec('pragma journal_mode = memory')
  clearTransientTables(made)
  // Deleted rows would still be readable in the file.
  made.exec('vacuum')
  const [result] = made.prepare('pragma integrity_check').all() as { integrity_check?: string }[]
  made.close()
  return result?.integrity_check === 'ok' ? undefined : `integrity_check: ${result?.integrity_check}`
}

function outcomeOf(work: () => string | undefined): CopyOutcome {
  try {
    return { fault: work() }
  } catch (error) {
    const { message, code, errcode } = error as Error & { code?: string; errcode?: number }
    return { error: { message, code, errcode } }
  }
}
