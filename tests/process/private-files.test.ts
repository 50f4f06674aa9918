import { chmod, mkdir, readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { createCompleteBackup } from '#contract/backups.ts'
import { runBuilt } from '../built-site.ts'
import { post, signInAt } from '../calls.ts'
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
    // As an older release has left it.
    await mkdir(dataDir)
    await chmod(dataDir, 0o755)
    const site = await startSite({ DATA_DIR: dataDir })
    const cookie = await signInAt(site.url, ownerAccount)
    await uploadPhoto(site.url, cookie, await aPhoto())
    expect((await post(site.url, createCompleteBackup.path, {}, { cookie })).status).toBe(200)
    for (const [kind, name] of [
      ['database', 'database_backup_'],
      ['export', 'export_'],
    ] as const) {
      const { code, stdout } = await runBuilt('backup', { DATA_DIR: dataDir }, ['backup', kind]).ended
      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(`^Kept: ${name}`) })
    }
    expect((await readdir(path.join(dataDir, 'files/backups'))).length).toBe(3)
    expect(await openToOthers(dataDir)).toEqual([])
  })
})
