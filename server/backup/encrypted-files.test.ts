import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { createCompleteBackup, downloadBackup, restoreComplete } from '#contract/backups.ts'
import type { BackupSecret } from '#server/config.ts'
import { fill, formWith } from '#tests/backups.ts'
import { openTestApp, sites } from '#tests/test-app.ts'
import { openTestStorage } from '#tests/test-storage.ts'
import { storedBackup } from './backup-names.ts'
import { openEncryption } from './encryption.ts'

const backupSecret: BackupSecret = { passphrase: 'correct horse battery staple' }

test.each(sites)(
  'a site with a secret on %s and %s hands out encrypted files, and takes them back',
  async (dialect, storage) => {
    const site = await openTestApp(dialect, { storage, config: { backupSecret } })
    const maker = await site.signedIn()
    await fill(site)
    const { filename } = await site.ask(createCompleteBackup, { as: maker })
    const sent = await site.call(downloadBackup, { params: { filename }, as: maker })
    expect(sent.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': String(sent.rawPayload.length),
      'content-disposition': `attachment; filename="${filename}.age"`,
    })
    const url = downloadBackup.path.replace(':filename', filename)
    const head = await site.app.inject({ method: 'HEAD', url, headers: { cookie: maker.cookie } })
    expect(head.headers['content-length']).toBe(sent.headers['content-length'])
    const plain = await buffer(openEncryption(backupSecret).decrypt(Readable.from([sent.rawPayload], { objectMode: false })))
    expect((await site.storage.read(storedBackup(filename)))?.equals(plain)).toBe(true)

    const other = await openTestApp(dialect, { storage, config: { backupSecret } })
    const form = formWith(sent.rawPayload, { filename: `${filename}.age` })
    const restored = await other.ask(restoreComplete, { ...form, as: await other.signedIn() })
    expect(restored.imported.projects).toBeGreaterThan(0)
    expect(await other.storage.list('incoming')).toEqual([])
  },
)

test('the connection is cut when a file cannot be read to its end', async () => {
  const storage = await openTestStorage('folder')
  async function* cut(content: Readable) {
    yield* content
    throw new Error('the disk went away')
  }
  let isCut = false
  const stream: typeof storage.stream = async (name) => {
    const stored = await storage.stream(name)
    return stored && isCut ? { ...stored, content: Readable.from(cut(stored.content), { objectMode: false }) } : stored
  }
  const site = await openTestApp('sqlite', { storage: { ...storage, stream }, config: { backupSecret } })
  const maker = await site.signedIn()
  const { filename } = await site.ask(createCompleteBackup, { as: maker })
  const address = await site.app.listen({ port: 0, host: '127.0.0.1' })
  const url = `${address}${downloadBackup.path.replace(':filename', filename)}`
  const download = async () => (await fetch(url, { headers: { cookie: maker.cookie } })).arrayBuffer()
  isCut = true
  await expect(download()).rejects.toThrow('terminated')
  isCut = false
  expect((await download()).byteLength).toBeGreaterThan(0)
})
