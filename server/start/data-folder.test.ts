import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#tests/temporary-folder.ts'
import { DataFolderUnusable, prepareDataFolder } from './data-folder.ts'

test('a data folder that is a file, or in one, is named as such', async () => {
  const file = path.join(await temporaryFolder(), 'data')
  await writeFile(file, '')
  expect(() => prepareDataFolder(file)).toThrow(
    new DataFolderUnusable(`DATA_DIR is ${file}, which is a file and not a folder. Name a folder.`),
  )
  expect(() => prepareDataFolder(path.join(file, 'deeper'))).toThrow(/^Cannot start: .*is a file and not a folder/)
})
