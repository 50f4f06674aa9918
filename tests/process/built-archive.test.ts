import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import yauzl from 'yauzl'
import { openDatabase } from '#server/database/open.ts'
import { openFolder } from '#server/storage/folder.ts'
import { fill } from '../backups.ts'
import { runBuilt } from '../built-site.ts'
import { emptyDatabase } from '../test-database.ts'

// In the build, yazl sums with node:zlib instead of its own library (see vite.config.ts). We read images by their hash and
// would not notice a wrong sum; every other program that opens the archive would.
test('every entry of an archive that the built program writes carries the sum of its bytes', async () => {
  const { dataDir } = await emptyDatabase('sqlite')
  const { db, close } = await openDatabase({ dataDir })
  await fill({ db, storage: await openFolder(path.join(dataDir, 'files')) })
  await close()
  expect(await runBuilt('backup', { DATA_DIR: dataDir }, ['backup']).ended).toMatchObject({ code: 0 })
  const backups = path.join(dataDir, 'files/backups')
  const [archive = ''] = await readdir(backups)
  const zip = await yauzl.openPromise(path.join(backups, archive), { lazyEntries: true, autoClose: false })
  const sums: { name: string; carried: number; found: number }[] = []
  for await (const entry of zip.eachEntry()) {
    const content = await buffer(await zip.openReadStreamPromise(entry))
    sums.push({ name: entry.fileName, carried: entry.crc32, found: crc32(content) })
  }
  zip.close()
  expect(sums.length).toBeGreaterThan(3)
  expect(sums.map(({ carried }) => carried)).toEqual(sums.map(({ found }) => found))
})
