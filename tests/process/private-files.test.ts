import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { createCompleteBackup, createDatabaseBackup } from '#contract/backups.ts'
import { runBuilt } from '../built-site.ts'
import { signInAt } from '../calls.ts'
import { aPhoto } from '../photos.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { uploadPhoto } from '../upload-photo.ts'
import { ownerAccount, startSite } from './site.ts'

/** What other accounts of the machine may do anything with. */
async function openToOthers(folder: string) {
  const names = ['.', ...(await readdir(folder, { recursive: true }))]
  const modes = await Promise.all(names.map(async (name) => ({ name, mode: (await stat(path.join(folder, name))).mode })))
  return modes.filter(({ mode }) => (mode & 0o077) !== 0).map(({ name }) => name)
}

describe('the data folder', () => {
  test('holds nothing that another account of the machine can read: database, photos, backups', async () => {
    const dataDir = path.join(await temporaryFolder(), 'data')
    const site = await startSite({ DATA_DIR: dataDir })
    const cookie = await signInAt(site.url, ownerAccount)
    await uploadPhoto(site.url, cookie, await aPhoto())
    for (const { path: address } of [createDatabaseBackup, createCompleteBackup]) {
      const made = await fetch(new URL(address, site.url), { method: 'POST', headers: { cookie } })
      expect(made.status).toBe(200)
    }
    for (const args of [['backup'], ['backup', 'database'], ['backup', 'export']]) {
      expect(await runBuilt('backup', { DATA_DIR: dataDir }, args).ended).toMatchObject({ code: 0 })
    }
    expect((await readdir(path.join(dataDir, 'files/backups'))).length).toBe(5)
    expect(await openToOthers(dataDir)).toEqual([])
  })
})
