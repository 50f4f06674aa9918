import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readBackupStatus } from '#contract/backup-status.ts'
import { openDatabase } from '#server/database/open.ts'
import { imageName } from '#server/features/images/image.rules.ts'
import { signInAt } from '../calls.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { findWorker } from './kill-jobs.ts'
import { ownerAccount, startSite } from './site.ts'

const polling = { timeout: 30_000, interval: 5 }

/** So many that a kill comes before the end. */
const photos = 3000

/** A site that is due for a backup as soon as it runs. */
async function aSiteWithManyPhotos() {
  const dataDir = await temporaryFolder()
  await (await startSite({ DATA_DIR: dataDir })).stop()
  const files = path.join(dataDir, 'files')
  const { db, close } = await openDatabase({ dataDir })
  await db.updateTable('site').set({ createdAt: '2026-01-01T00:00:00.000Z' }).execute()
  const facts = { contentType: 'image/jpeg', width: 10, height: 10, placeholder: '' }
  await db.transaction().execute(async (tx) => {
    for (let number = 0; number < photos; number += 1) {
      const content = randomBytes(2000)
      const hash = createHash('sha256').update(content).digest('hex')
      const place = path.join(files, imageName(hash))
      await mkdir(path.dirname(place), { recursive: true })
      await writeFile(place, content)
      await tx
        .insertInto('images')
        .values({ ...facts, hash, bytes: content.length })
        .execute()
    }
  })
  await close()
  const listed = (folder: string) => readdir(path.join(files, folder)).catch((): string[] => [])
  return { dataDir, backups: () => listed('backups'), drafts: () => listed('incoming') }
}

test('a night whose worker is killed is noted with the time of the next try, and the site goes on', async () => {
  const { dataDir, backups, drafts } = await aSiteWithManyPhotos()
  const site = await startSite({ DATA_DIR: dataDir })
  await expect.poll(drafts, polling).not.toEqual([])
  process.kill((await findWorker(site)) ?? 0, 'SIGKILL')
  const cookie = await signInAt(site.url, ownerAccount)
  const readStatus = async () => (await fetch(new URL(readBackupStatus.path, site.url), { headers: { cookie } })).json()
  await expect
    .poll(async () => (await readStatus()).nightly.fault, polling)
    .toMatchObject({ code: 'backup_job_ended', tries: 1, nextTryAt: expect.any(String) })
  expect((await readStatus()).working).toBeNull()
  expect((await fetch(site.url)).status).toBe(200)
  expect(site.output.stdout).toContain('the backup worker ended before its job was done')
  expect((await site.stop()).code).toBe(0)
  expect(await backups()).toEqual([])
}, 120_000)

test('a night that is cut off by a kill or a stop leaves nothing that is listed, and is made after the next start', async () => {
  const { dataDir, backups, drafts } = await aSiteWithManyPhotos()
  const beginNight = async () => {
    const left = await drafts()
    const site = await startSite({ DATA_DIR: dataDir })
    await expect.poll(async () => (await drafts()).filter((name) => !left.includes(name)), polling).not.toEqual([])
    return site
  }
  await (await beginNight()).kill()
  expect(await backups()).toEqual([])

  const stopped = await (await beginNight()).stop()
  expect(stopped.code).toBe(0)
  expect(await backups()).toEqual([])

  const site = await beginNight()
  await expect.poll(backups, polling).toEqual([expect.stringMatching(/^complete_backup_.*_nightly\.zip$/)])
  expect((await fetch(site.url)).status).toBe(200)
  await site.stop()
  const { db, close } = await openDatabase({ dataDir })
  const known = await db.selectFrom('knownBackups').select('filename').execute()
  await close()
  expect(known.map(({ filename }) => filename)).toEqual(await backups())
}, 120_000)
