import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readBackupStatus } from '#contract/backup-status.ts'
import { imageName } from '#server/features/images/image.rules.ts'
import { fill, hashOf } from '../backups.ts'
import type { BuiltSite } from '../built-site.ts'
import { signInAt } from '../calls.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { copySite, findWorker, ownerAccount, startSite, within } from './site.ts'

/** So many that a kill comes before the end. */
const photos = 1200

/** Data folders of sites that are due for a backup as soon as they run. */
async function sitesWithManyPhotos(count: number) {
  const original = await temporaryFolder()
  await within({ dataDir: original }, async (site) => {
    await fill(site)
    const { db } = site
    await db.updateTable('site').set({ createdAt: '2026-01-01T00:00:00.000Z' }).execute()
    const rows = Array.from({ length: photos }, () => {
      const content = randomBytes(2000)
      const hash = hashOf(content)
      writeFileSync(path.join(original, 'files', imageName(hash)), content)
      return { hash, bytes: content.length, contentType: 'image/jpeg', width: 10, height: 10, placeholder: '' }
    })
    for (let start = 0; start < photos; start += 100)
      await db
        .insertInto('images')
        .values(rows.slice(start, start + 100))
        .execute()
  })
  return Promise.all(
    Array.from({ length: count }, async () => {
      const dataDir = path.join(await temporaryFolder(), 'data')
      await copySite(original, dataDir)
      return aSiteIn(dataDir)
    }),
  )
}

function aSiteIn(dataDir: string) {
  const listed = (folder: string) => readdir(path.join(dataDir, 'files', folder)).catch((): string[] => [])
  const backups = () => listed('backups')
  const drafts = () => listed('incoming')
  return {
    dataDir,
    backups,
    /** Starts it, and waits until its night is under way: the schedule looks 5 seconds after a start. */
    async beginNight() {
      const left = await drafts()
      const site = await startSite({ DATA_DIR: dataDir })
      await expect.poll(async () => (await drafts()).some((name) => !left.includes(name)), { interval: 20 }).toBe(true)
      return site
    },
  }
}

test('a night that is cut off by a kill or a stop leaves nothing that is listed, and is made after the next start; one whose worker is killed is noted with the time of the next try', async () => {
  // At the same time, because each waits for the schedule.
  const [killed, stopped, alone] = await sitesWithManyPhotos(3)
  if (!killed || !stopped || !alone) throw new Error('There are too few.')
  await Promise.all([
    killed.beginNight().then((site) => site.kill()),
    stopped.beginNight().then(async (site) => expect((await site.stop()).code).toBe(0)),
    alone.beginNight().then(killWorker),
  ])
  expect(await Promise.all([killed, stopped, alone].map(({ backups }) => backups()))).toEqual([[], [], []])

  const { dataDir, backups, beginNight } = killed
  const site = await beginNight()
  await expect.poll(backups, { interval: 20 }).toEqual([expect.stringMatching(/^complete_backup_.*_nightly\.zip$/)])
  expect((await fetch(site.url)).status).toBe(200)
  const known = () => within({ dataDir }, ({ db }) => db.selectFrom('knownBackups').select('filename').execute())
  await expect.poll(known, { interval: 100 }).toEqual([{ filename: (await backups())[0] }])
})

async function killWorker(site: BuiltSite) {
  process.kill((await findWorker(site)) ?? 0, 'SIGKILL')
  const cookie = await signInAt(site.url, ownerAccount)
  const readStatus = async () => (await fetch(new URL(readBackupStatus.path, site.url), { headers: { cookie } })).json()
  await expect
    .poll(async () => (await readStatus()).nightly.fault, { interval: 50 })
    .toMatchObject({ code: 'backup_job_ended', tries: 1, nextTryAt: expect.any(String) })
  expect((await readStatus()).working).toBeNull()
  expect((await fetch(site.url)).status).toBe(200)
  expect(site.output.stdout).toContain('The backup worker ended with SIGKILL.')
  expect((await site.stop()).code).toBe(0)
}
