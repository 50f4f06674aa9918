import { randomBytes } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, open, readdir, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { createCompleteBackup, createDatabaseBackup } from '#contract/backups.ts'
import { openDatabase } from '#server/database/open.ts'
import { fill } from '../backups.ts'
import { runBuilt } from '../built-site.ts'
import { post, signInAt } from '../calls.ts'
import { olderRecordsIn } from '../older-release.ts'
import { newSeed, rounds, seededRandom } from '../random.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { emptyDatabase } from '../test-database.ts'
import { type Content, contentAt } from './content.ts'
import { killAfter, startAndLook } from './kill-starts.ts'
import { copySite, ownerAccount, settingsOf, startSite, within } from './site.ts'

/** A site with projects, messages, photos and two backups, stopped. */
async function makeSite() {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'vitrina-original-'))
  await within({ dataDir }, fill)
  const site = await startSite({ DATA_DIR: dataDir })
  const cookie = await signInAt(site.url, ownerAccount)
  for (const address of [createCompleteBackup.path, createDatabaseBackup.path]) {
    expect((await post(site.url, address, {}, { cookie })).status).toBe(200)
  }
  const content = await contentAt(site.url, ownerAccount)
  await site.stop()
  return { dataDir, content }
}

/** Made once: each test gets a copy. */
let original: ReturnType<typeof makeSite> | undefined

async function aSite() {
  original ??= makeSite()
  const { dataDir: from, content } = await original
  const dataDir = await temporaryFolder()
  await copySite(from, dataDir)
  const names = await readdir(path.join(dataDir, 'files/backups'))
  const backupOf = (kind: string) => names.find((name) => name.startsWith(kind)) ?? ''
  const settings = settingsOf({ dataDir })
  return {
    dataDir,
    content,
    settings,
    database: path.join(dataDir, 'vitrina.sqlite'),
    complete: backupOf('complete_backup'),
    copy: backupOf('database_backup'),
    restore: (...args: string[]) => runBuilt('backup', settings, ['restore', ...args]).ended,
  }
}

/** Every file with its size and its time, but for those that lock, and those SQLite makes and empties for itself. */
function listing(folder: string) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && !/\.lock|-shm$|-wal$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .toSorted()
    .map((file) => ({ file, bytes: statSync(file).size, changed: statSync(file).mtimeMs }))
}

async function garble(file: string) {
  const handle = await open(file, 'r+')
  await handle.write(Buffer.alloc(8192, 0x5a), 0, 8192, 4096)
  await handle.close()
}

const losses = {
  missing: (file: string) => rm(file),
  emptied: (file: string) => truncate(file, 0),
  damaged: garble,
  halved: (file: string) => truncate(file, Math.floor(statSync(file).size / 8192) * 4096),
}

async function refusalOf(settings: Record<string, string>) {
  const { code, stdout, stderr } = await runBuilt('main', { PORT: '0', ...settings }).ended
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).not.toMatch(/^ {4}at /m)
  return stderr
}

/** Versions are counted anew where records are brought back one by one. */
function withoutVersions(projects: Content['projects']) {
  return projects.map(({ version: _version, ...project }) => project)
}

/** The records of a site that is not running. A photo that is restored is a new one. */
function recordsIn(dataDir: string) {
  const { projects, contact_messages, images = [] } = olderRecordsIn(path.join(dataDir, 'vitrina.sqlite'))
  return { projects, contact_messages, images: images.map(({ created_at: _moment, ...image }) => image) }
}

test('a site whose database is missing, emptied, damaged or cut in half does not start, changes nothing, and is whole again by the command it prints', async () => {
  const { dataDir, content, settings, database, complete, copy, restore } = await aSite()
  const whole = path.join(await temporaryFolder(), 'whole.sqlite')
  await copyFile(database, whole)
  for (const [name, lose] of Object.entries(losses)) {
    await copyFile(whole, database)
    await lose(database)
    const before = listing(dataDir)
    const stderr = await refusalOf(settings)
    expect(stderr, name).toMatch(/^Cannot start: .*database/)
    expect(stderr, name).toContain('Nothing was changed. One of these helps:\n')
    expect(stderr, name).toContain(`go back to ${copy}:\n      npm run restore -- ${copy}\n`)
    expect(stderr, name).toContain(`go back to ${complete}:\n      npm run restore -- --new-database ${complete}\n`)
    expect(listing(dataDir), name).toEqual(before)
  }
  expect(await restore(copy)).toMatchObject({ code: 0, stderr: '' })
  // Files that only lock are never read.
  for (const name of ['running.lock', 'job hourly.lock', 'backups.lock']) {
    await writeFile(path.join(dataDir, name), randomBytes(3_000))
  }
  const site = await startSite(settings)
  expect(await contentAt(site.url, ownerAccount)).toEqual(content)
  const cookie = await signInAt(site.url, ownerAccount)
  expect((await post(site.url, createDatabaseBackup.path, {}, { cookie })).status).toBe(200)
})

test('a database that is damaged, or that a killed command has left empty, is made anew from a complete backup, and from none that is damaged', async () => {
  const { dataDir, content, settings, database, complete, restore } = await aSite()
  const records = recordsIn(dataDir)
  const archive = path.join(dataDir, 'files/backups', complete)
  const whole = path.join(await temporaryFolder(), 'whole.zip')
  await losses.missing(database)
  await copyFile(archive, whole)
  await garble(archive)
  const before = listing(dataDir)
  expect(await restore('--new-database', complete)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Nothing was changed.'),
  })
  expect(listing(dataDir)).toEqual(before)
  await copyFile(whole, archive)

  await (await openDatabase({ dataDir })).close()
  expect(await refusalOf(settings)).toContain(`npm run restore -- --new-database ${complete}\n`)
  for (const lose of [async () => {}, losses.damaged]) {
    await lose(database)
    expect(await restore('--new-database', complete)).toMatchObject({ code: 0, stderr: '' })
    expect(recordsIn(dataDir)).toEqual(records)
  }
  const site = await startSite(settings)
  const found = await contentAt(site.url, ownerAccount)
  expect({ ...found, projects: withoutVersions(found.projects) }).toEqual({
    ...content,
    projects: withoutVersions(content.projects),
  })
  await site.stop()
  expect(await restore('--new-database', complete)).toMatchObject({ code: 2 })
})

const kills = rounds(1)

test.each(['database_backup', 'complete_backup'])(
  `the command that goes back to a %s, killed ${kills} times, leaves a site that is whole or is refused again`,
  { timeout: 120_000 + kills * 12_000 },
  async (kind) => {
    const seed = newSeed()
    const random = seededRandom(seed)
    const { dataDir, content, settings, database, complete, copy } = await aSite()
    await losses.missing(database)
    const folder = { ...settings, DATA_DIR: path.join(await temporaryFolder(), 'data') }
    const begin = async () => {
      await rm(folder.DATA_DIR, { recursive: true, force: true })
      await copySite(dataDir, folder.DATA_DIR)
      return runBuilt('backup', folder, ['restore', ...(kind === 'complete_backup' ? ['--new-database', complete] : [copy])])
    }
    const began = performance.now()
    expect(await (await begin()).ended).toMatchObject({ code: 0 })
    const duration = performance.now() - began
    for (let round = 0; round < kills; round += 1) {
      await killAfter(await begin(), random() * duration)
      const { outcome, faults } = await startAndLook(folder, async (url) => {
        const { projects, messages, photos } = await contentAt(url, ownerAccount)
        const isWhole = projects.length === content.projects.length && messages.length === content.messages.length
        return isWhole && photos.every(({ status }) => status === 200) ? [] : ['it is not whole']
      })
      expect(outcome === 'bad' ? faults : [], `TEST_SEED=${seed}, round ${round}`).toEqual([])
    }
  },
)

test('a database that is lost under a running site without photos and backups is not backed up as an empty one, and the site is not begun anew', async () => {
  const dataDir = await temporaryFolder()
  const settings = settingsOf({ dataDir })
  const site = await startSite(settings)
  const cookie = await signInAt(site.url, ownerAccount)
  const lost = path.join(dataDir, 'set-aside/2026-11-16T00-00-00.000Z')
  await mkdir(lost, { recursive: true })
  await rename(path.join(dataDir, 'vitrina.sqlite'), path.join(lost, 'vitrina.sqlite'))
  const made = await post(site.url, createDatabaseBackup.path, {}, { cookie })
  expect([made.status, ((await made.json()) as { code: string }).code]).toEqual([503, 'database_replaced'])
  expect(readdirSync(dataDir)).not.toContain('vitrina.sqlite')
  await site.stop()
  expect(await refusalOf(settings)).toContain(`npm run restore -- ${path.join(lost, 'vitrina.sqlite')}\n`)
})

test('a PostgreSQL that knows nothing of the photos in the folder is refused, and nothing is changed', async () => {
  const { dataDir, settings } = await aSite()
  const { url: DATABASE_URL = '' } = await emptyDatabase('postgres')
  const before = listing(dataDir)
  const stderr = await refusalOf({ ...settings, DATABASE_URL })
  expect(stderr).toContain(
    `The PostgreSQL database is empty, but ${dataDir} belongs to a site: it holds 3 photos and 2 backups.`,
  )
  expect(stderr).toContain('npm run move')
  expect(listing(dataDir)).toEqual(before)
})

test('two sites whose databases were swapped are refused, and nothing is changed', async () => {
  const one = await aSite()
  const other = settingsOf({ dataDir: await temporaryFolder() })
  await (await startSite(other)).stop()
  const folders = [one.dataDir, other.DATA_DIR]
  const shelf = await temporaryFolder()
  for (const [from = '', to = ''] of [
    [one.dataDir, shelf],
    [other.DATA_DIR, one.dataDir],
    [shelf, other.DATA_DIR],
  ])
    for (const name of readdirSync(from).filter((each) => each.startsWith('vitrina.sqlite')))
      await rename(path.join(from, name), path.join(to, name))
  const before = folders.map(listing)
  for (const settings of [one.settings, other]) {
    expect(await refusalOf(settings)).toContain('belong to another database than the one that was opened. Nothing was changed.')
  }
  expect(folders.map(listing)).toEqual(before)
})
