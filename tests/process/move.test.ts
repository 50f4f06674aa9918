import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { downloadBackup } from '#contract/backups.ts'
import { readImage } from '#contract/images.ts'
import { listProjects } from '#contract/projects.ts'
import { fill } from '../backups.ts'
import { runBuilt } from '../built-site.ts'
import { signInAt } from '../calls.ts'
import { environmentOf } from '../s3.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { emptyDatabase } from '../test-database.ts'
import { testBucket } from '../test-storage.ts'
import { ownerAccount, startSite, within } from './site.ts'

describe('npm run move', () => {
  /** A site of the owner's on one machine, with projects, messages, photos and a backup. */
  async function aSmallSite() {
    const dataDir = await temporaryFolder()
    await within({ dataDir }, fill)
    await (await startSite({ DATA_DIR: dataDir })).stop()
    await runBuilt('backup', { DATA_DIR: dataDir }, ['backup']).ended
    return dataDir
  }

  test('brings a site to PostgreSQL and a bucket, where it goes on with its accounts, photos and backups', async () => {
    const dataDir = await aSmallSite()
    const { url = '' } = await emptyDatabase('postgres')
    const { S3_BUCKET, ...bucket } = environmentOf(await testBucket())
    const to = { DATA_DIR: dataDir, MOVE_DATABASE_URL: url, ...bucket }
    const first = await runBuilt('move', to, ['--to-database', '--to-bucket', S3_BUCKET]).ended
    expect(first).toMatchObject({ code: 0, stderr: '' })
    expect(first.stdout).toMatch(
      /objects +3 files.+inquiry-photos +2 files.+backups +1 files.+projects +3 rows.+contactMessages +2 rows.+contactPhotos +2 rows/s,
    )
    expect(first.stdout).toContain('All of it was read again and is the same.')
    expect(first.stdout).toContain('start the site with DATABASE_URL and S3_BUCKET set.')

    // A folder of its own: nothing of the old one is needed any more.
    const settings = { DATABASE_URL: url, S3_BUCKET, ...bucket, DATA_DIR: await temporaryFolder() }
    const moved = await startSite(settings)
    const projects = (await (await fetch(new URL(listProjects.path, moved.url))).json()) as { imageUrl: string }[]
    expect(projects).toHaveLength(3)
    const photo = projects.find(({ imageUrl }) => imageUrl.startsWith('/objects/'))?.imageUrl ?? ''
    expect(photo.startsWith(readImage.path.slice(0, '/objects/'.length))).toBe(true)
    const shown = await fetch(new URL(photo, moved.url))
    const stored = await readFile(path.join(dataDir, 'files', photo.slice(1)))
    expect(Buffer.from(await shown.arrayBuffer())).toEqual(stored)

    const cookie = await signInAt(moved.url, ownerAccount)
    const [backup = ''] = await readdir(path.join(dataDir, 'files/backups'))
    const download = downloadBackup.path.replace(':filename', backup)
    const downloaded = await fetch(new URL(download, moved.url), { headers: { cookie } })
    const kept = await readFile(path.join(dataDir, 'files/backups', backup))
    expect(Buffer.from(await downloaded.arrayBuffer()).equals(kept)).toBe(true)

    expect(await runBuilt('backup', settings, ['restore', backup]).ended).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Nothing had to be changed.'),
    })
  })

  test('waits for the site to be stopped, and says what it needs', async () => {
    const dataDir = await temporaryFolder()
    const site = await startSite({ DATA_DIR: dataDir })
    const { url = '' } = await emptyDatabase('postgres')
    const settings = { DATA_DIR: dataDir, MOVE_DATABASE_URL: url }
    const busy = await runBuilt('move', settings, ['--to-database']).ended
    expect(busy).toMatchObject({ code: 1, stderr: expect.stringContaining('another process is using') })
    await site.stop()
    const nothing = await runBuilt('move', { ...settings, DATA_DIR: await temporaryFolder() }, ['--to-database']).ended
    expect(nothing).toMatchObject({ code: 2, stderr: expect.stringContaining('There is no site to move') })
    const nowhere = await runBuilt('move', { DATA_DIR: dataDir }, ['--to-database']).ended
    expect(nowhere).toMatchObject({ code: 2, stderr: expect.stringContaining('Set MOVE_DATABASE_URL') })
  })
})
