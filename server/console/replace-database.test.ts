import { copyFile, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { expect, test } from 'vitest'
import { quickCheck } from '#server/database/sqlite.ts'
import { layOlderRelease, olderRecordsIn, rowsInCopyOf } from '#tests/older-release.ts'
import { temporaryFolder } from '#tests/temporary-folder.ts'
import { putBackDatabase } from './replace-database.ts'

const now = new Date('2026-05-01T12:00:00.000Z')

/** As the console does: with the last writes of a database that was not closed well. */
const layingOut = (file: string, endings: string[]) => async (folder: string) => {
  for (const ending of endings) await copyFile(`${file}${ending}`, path.join(folder, `vitrina.sqlite${ending}`))
}

test.each([
  ['is empty', ''],
  ['is no database', 'not a database'],
  ['has no tables', { sql: 'pragma user_version = 1' }],
  ['is of another program', { sql: 'create table other (id)' }],
])('a copy that %s is neither taken for whole nor put in the place of a database', async (_, content) => {
  const dataDir = await temporaryFolder()
  await writeFile(path.join(dataDir, 'vitrina.sqlite'), 'the present one')
  const copy = path.join(await temporaryFolder(), 'copy.sqlite')
  if (typeof content === 'string') await writeFile(copy, content)
  else {
    const database = new DatabaseSync(copy)
    database.exec(content.sql)
    database.close()
  }
  expect(() => quickCheck(copy, { readOnly: true })).toThrow('damaged')
  await expect(putBackDatabase(dataDir, layingOut(copy, ['']), now)).rejects.toThrow('damaged')
  expect((await readdir(dataDir)).filter((name) => !name.endsWith('.lock')).toSorted()).toEqual([
    'unfinished',
    'vitrina.sqlite',
  ])
  expect(await readdir(path.join(dataDir, 'unfinished'))).toEqual([])
})

test('a copy whose last writes lie beside it is put back with them, and without the sessions in it', async () => {
  const older = await temporaryFolder()
  // As the release before leaves it: all its records are in the -wal file.
  await layOlderRelease(older)
  const file = path.join(older, 'vitrina.sqlite')
  const records = olderRecordsIn(file)
  const withSessions = new DatabaseSync(file)
  withSessions.exec(`insert into sessions select 'a session', id, '{}', '2099-01-01T00:00:00.000Z' from admin_users`)
  const dataDir = await temporaryFolder()
  await putBackDatabase(dataDir, layingOut(file, ['', '-wal']), now)
  withSessions.close()
  const restored = path.join(dataDir, 'vitrina.sqlite')
  expect(olderRecordsIn(restored)).toEqual(records)
  expect(records.projects).toHaveLength(3)
  expect(rowsInCopyOf(restored, 'select * from sessions')).toEqual([[]])
})
