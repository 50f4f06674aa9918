import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { DatabaseSync } from '@photostructure/sqlite'
import { openUnfinished } from '../storage/unfinished.ts'
import { DumpFailed } from './dump-failed.ts'

/** SQLite copies itself into a file only; the copy is read through, and then written where it belongs. */
export async function dumpSqlite(database: string, folder: string, write: (content: Readable) => Promise<void>) {
  const file = (await openUnfinished(folder)).newFile()
  try {
    copyInto(database, file)
    await write(createReadStream(file))
  } finally {
    await rm(file, { force: true })
  }
}

function copyInto(database: string, file: string) {
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
