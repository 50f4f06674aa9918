import { chmod, copyFile, mkdir, readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkSession } from '#contract/admins.ts'
import { createCompleteBackup, createDatabaseBackup } from '#contract/backups.ts'
import { runBuilt } from '../built-site.ts'
import { signInAt } from '../calls.ts'
import { layOlderRelease, olderAccount } from '../older-release.ts'
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

  test('that was open to others is closed, with all that lies in it', async () => {
    const dataDir = path.join(await temporaryFolder(), 'data')
    await mkdir(dataDir)
    await layOlderRelease(dataDir)
    await chmod(dataDir, 0o755)
    await startSite({ DATA_DIR: dataDir })
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700)
    expect(await readdir(path.join(dataDir, 'before-update'))).toHaveLength(1)
  })
})

describe('going back to a copy', () => {
  test('with sessions in it signs everybody out', async () => {
    const dataDir = await temporaryFolder()
    await layOlderRelease(dataDir)
    const site = await startSite({ DATA_DIR: dataDir })
    const cookie = await signInAt(site.url, olderAccount)
    await site.stop()
    // As an older release made it: with its sessions.
    const copy = path.join(await temporaryFolder(), 'old.sqlite')
    await copyFile(path.join(dataDir, 'vitrina.sqlite'), copy)
    expect(await runBuilt('backup', { DATA_DIR: dataDir }, ['restore', copy]).ended).toMatchObject({ code: 0 })
    const again = await startSite({ DATA_DIR: dataDir })
    const check = await fetch(new URL(checkSession.path, again.url), { headers: { cookie } })
    expect(await check.json()).toEqual({ authenticated: false })
    await signInAt(again.url, olderAccount)
  })
})
