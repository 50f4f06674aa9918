import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { projectRoot } from '#server/project-root.ts'

/** The account of the sample. */
export const olderAccount = { username: 'Álvaro', password: 'brass and pear' }

/** Lays a site of the release before this one into a data folder, with its photos. */
export async function layOlderRelease(dataDir: string) {
  const objects = path.join(dataDir, 'files/objects')
  await mkdir(objects, { recursive: true })
  const database = new DatabaseSync(path.join(dataDir, 'vitrina.sqlite'))
  try {
    database.exec('pragma journal_mode = wal')
    database.exec(`begin; ${readFileSync(path.join(projectRoot, 'tests/older-release.sql'), 'utf8')}; commit`)
    const photos = database.prepare('select hash, content from stored_photos').all() as { hash: string; content: Uint8Array }[]
    for (const { hash, content } of photos) await writeFile(path.join(objects, hash), content)
  } finally {
    database.close()
  }
}

/** Every record of a database that the older release knows as well, by table. */
export function olderRecordsIn(file: string) {
  const database = new DatabaseSync(file)
  try {
    return Object.fromEntries(
      ['projects', 'contact_messages', 'images', 'admin_users'].map((table) => [
        table,
        (database.prepare(`select * from ${table} order by 1`).all() as Record<string, unknown>[]).map(
          ({ version: _version, ...record }) => record,
        ),
      ]),
    )
  } finally {
    database.close()
  }
}
