import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { createCompleteBackup, downloadBackup, restoreComplete } from '#contract/backups.ts'
import type { BackupSecret } from '#server/config.ts'
import type { Storage } from '#server/storage/storage.ts'
import { fill, formWith } from '#tests/backups.ts'
import { openTestApp, sites } from '#tests/test-app.ts'
import { openTestStorage } from '#tests/test-storage.ts'
import { storedBackup } from './backup-names.ts'
import { openEncryption } from './encryption.ts'

const backupSecret: BackupSecret = { passphrase: 'correct horse battery staple' }

describe.each(sites)('a site with a secret on %s and %s', (dialect, where) => {
  async function openSite(config: { backupSecret?: BackupSecret } = { backupSecret }, storage: Storage | typeof where = where) {
    const site = await openTestApp(dialect, { storage, config })
    const maker = await site.signedIn()
    return { ...site, as: { as: maker } }
  }

  test('hands out encrypted files, and takes them back', async () => {
    const site = await openSite()
    await fill(site)
    const { filename, bytes } = await site.ask(createCompleteBackup, site.as)
    const sent = await site.call(downloadBackup, { params: { filename }, ...site.as })
    expect(sent.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': String(sent.rawPayload.length),
      'content-disposition': `attachment; filename="${filename}.age"`,
    })
    const { cookie } = site.as.as
    const asked = await site.app.inject({
      method: 'HEAD',
      url: downloadBackup.path.replace(':filename', filename),
      headers: { cookie },
    })
    expect(asked.headers['content-length']).toBe(sent.headers['content-length'])
    const plain = await buffer(
      await openEncryption(backupSecret).decrypt(Readable.from([sent.rawPayload], { objectMode: false })),
    )
    expect([plain.length, plain.equals((await site.storage.read(storedBackup(filename))) ?? plain.subarray(1))]).toEqual([
      bytes,
      true,
    ])

    const other = await openSite()
    const restored = await other.ask(restoreComplete, {
      ...formWith(sent.rawPayload, { filename: `${filename}.age` }),
      ...other.as,
    })
    expect(restored.imported.projects).toBeGreaterThan(0)
    expect(await other.storage.list('incoming')).toEqual([])
  })

  test('cuts the connection when a file cannot be read to its end', async () => {
    const storage = await openTestStorage(where)
    async function* cut(content: Readable) {
      for await (const chunk of content) yield chunk
      throw new Error('the disk went away')
    }
    let isCut = false
    const site = await openSite(undefined, {
      ...storage,
      async stream(name) {
        const found = await storage.stream(name)
        return found && isCut ? { ...found, content: Readable.from(cut(found.content), { objectMode: false }) } : found
      },
    })
    const { filename } = await site.ask(createCompleteBackup, site.as)
    const address = await site.app.listen({ port: 0, host: '127.0.0.1' })
    const url = `${address}${downloadBackup.path.replace(':filename', filename)}`
    const download = async () => (await fetch(url, { headers: { cookie: site.as.as.cookie } })).arrayBuffer()
    isCut = true
    await expect(download()).rejects.toThrow('terminated')
    isCut = false
    expect((await download()).byteLength).toBeGreaterThan(0)
  })
})
