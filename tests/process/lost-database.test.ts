import { randomBytes } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { chmod, copyFile, cp, mkdir, mkdtemp, open, readdir, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { createCompleteBackup, createDatabaseBackup } from '#contract/backups.ts'
import { sendContact } from '#contract/contacts.ts'
import { createProject } from '#contract/projects.admin.ts'
import { openDatabase } from '#server/database/open.ts'
import { runBuilt } from '../built-site.ts'
import { post, signInAt } from '../calls.ts'
import { aContact, aProject } from '../factories.ts'
import { layOlderRelease, olderAccount, olderRecordsIn } from '../older-release.ts'
import { aPhoto } from '../photos.ts'
import { newSeed, rounds, seededRandom } from '../random.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { emptyDatabase } from '../test-database.ts'
import { uploadPhoto } from '../upload-photo.ts'
import { type Content, contentAt } from './content.ts'
import { killAfter, startAndLook } from './kill-starts.ts'
import { owner, ownerAccount, startSite } from './site.ts'

/** A site with a photo, a project, a message and two backups, stopped. */
async function makeSite(dataDir: string) {
  const site = await startSite({ DATA_DIR: dataDir })
  const cookie = await signInAt(site.url, ownerAccount)
  const imageUrl = await uploadPhoto(site.url, cookie, await aPhoto())
  await post(site.url, createProject.path, aProject({ title: 'Tugboat', imageUrl }), { cookie })
  await post(site.url, sendContact.path, aContact())
  for (const address of [createCompleteBackup.path, createDatabaseBackup.path]) {
    const made = await fetch(new URL(address, site.url), { method: 'POST', headers: { cookie } })
    expect(made.status).toBe(200)
  }
  const content = await contentAt(site.url, ownerAccount)
  await site.stop()
  return { dataDir, content }
}

/** Made once: each test gets a copy, without the backups it does not want. */
let original: ReturnType<typeof makeSite> | undefined

async function aSite(backups: readonly string[] = ['complete_backup', 'database_backup']) {
  original ??= mkdtemp(path.join(tmpdir(), 'vitrina-original-')).then(makeSite)
  const { dataDir: from, content } = await original
  const dataDir = await temporaryFolder()
  await cp(from, dataDir, { recursive: true })
  const folder = path.join(dataDir, 'files/backups')
  for (const name of await readdir(folder)) {
    if (!backups.some((kind) => name.startsWith(kind))) await rm(path.join(folder, name))
  }
  return { dataDir, content, settings: { ...owner, DATA_DIR: dataDir } }
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

/** The arguments after `npm run restore --` that go back to such a backup. */
function commandIn(stderr: string, kind: string) {
  const [, args = ''] = new RegExp(`go back to ${kind}\\S+:\\n +npm run restore -- (.+)`).exec(stderr) ?? []
  return args.split(' ')
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
  const { dataDir, content, settings } = await aSite()
  const records = recordsIn(dataDir)
  for (const [name, lose] of Object.entries(losses)) {
    await lose(path.join(dataDir, 'vitrina.sqlite'))
    const before = listing(dataDir)
    const stderr = await refusalOf(settings)
    expect(stderr, name).toMatch(/^Cannot start: .*database/)
    expect(stderr, name).toContain('Nothing was changed. One of these helps:\n')
    expect(listing(dataDir), name).toEqual(before)

    const args = commandIn(stderr, 'database_backup')
    expect(args, name).toEqual([expect.stringMatching(/^database_backup_.*\.sqlite$/)])
    expect(await runBuilt('backup', settings, ['restore', ...args]).ended, name).toMatchObject({ code: 0, stderr: '' })
    expect(recordsIn(dataDir), name).toEqual(records)
  }
  const site = await startSite(settings)
  expect(await contentAt(site.url, ownerAccount)).toEqual(content)
})

test('a database that is missing, damaged, emptied, or that a killed command has left empty is made anew from a complete backup by the command it prints, and from none that is damaged or not there', async () => {
  const { dataDir, content, settings } = await aSite(['complete_backup'])
  const records = recordsIn(dataDir)
  const file = path.join(dataDir, 'vitrina.sqlite')
  const run = (args: string[]) => runBuilt('backup', settings, ['restore', ...args]).ended
  await losses.missing(file)
  const args = commandIn(await refusalOf(settings), 'complete_backup')
  expect(args).toEqual(['--new-database', expect.stringMatching(/^complete_backup_.*\.zip$/)])

  const archive = path.join(dataDir, 'files/backups', args[1] ?? '')
  const whole = path.join(await temporaryFolder(), 'whole.zip')
  await copyFile(archive, whole)
  await garble(archive)
  const before = listing(dataDir)
  expect(await run(args)).toMatchObject({ code: 1, stderr: expect.stringContaining('Nothing was changed.') })
  expect(await run(['--new-database', 'nowhere.zip'])).toMatchObject({ code: 2 })
  expect(listing(dataDir)).toEqual(before)
  await copyFile(whole, archive)

  await (await openDatabase({ dataDir })).close()
  for (const lose of [async () => {}, losses.emptied, losses.damaged]) {
    await lose(file)
    expect(commandIn(await refusalOf(settings), 'complete_backup')).toEqual(args)
    expect(await run(args)).toMatchObject({ code: 0, stderr: '' })
    expect(recordsIn(dataDir)).toEqual(records)
  }
  const site = await startSite(settings)
  const found = await contentAt(site.url, ownerAccount)
  expect({ ...found, projects: withoutVersions(found.projects) }).toEqual({
    ...content,
    projects: withoutVersions(content.projects),
  })
  await site.stop()
  expect(await run(args)).toMatchObject({ code: 2 })
})

const kills = rounds(2)

test.each(['database_backup', 'complete_backup'])(
  `the command that goes back to a %s, killed ${kills} times, leaves a site that is whole or is refused again`,
  {
    timeout: 120_000 + kills * 12_000,
  },
  async (kind) => {
    const seed = newSeed()
    const random = seededRandom(seed)
    const { dataDir, content, settings } = await aSite()
    await losses.missing(path.join(dataDir, 'vitrina.sqlite'))
    const args = commandIn(await refusalOf(settings), kind)
    const copy = { ...settings, DATA_DIR: path.join(await temporaryFolder(), 'data') }
    let duration = 0
    for (let round = 0; round <= kills; round += 1) {
      await cp(dataDir, copy.DATA_DIR, { recursive: true })
      const began = performance.now()
      const command = runBuilt('backup', copy, ['restore', ...args])
      // The first is not killed and tells how long it takes.
      await (round === 0 ? command.ended : killAfter(command, random() * duration))
      if (round === 0) duration = performance.now() - began
      const { outcome, faults } = await startAndLook(copy, async (url) => {
        const { projects, messages, photos } = await contentAt(url, ownerAccount)
        const isWhole = projects.length === content.projects.length && messages.length === content.messages.length
        return isWhole && photos.every(({ status }) => status === 200) ? [] : ['it is not whole']
      })
      expect(outcome === 'bad' ? faults : [], `TEST_SEED=${seed}, round ${round}`).toEqual([])
      if (round === 0) expect(outcome).toBe('whole')
      await rm(copy.DATA_DIR, { recursive: true })
    }
  },
)

test('an update closes a folder that was open to others; the site goes back to the copy it has kept, and forward again', async () => {
  const dataDir = path.join(await temporaryFolder(), 'data')
  await mkdir(dataDir)
  await layOlderRelease(dataDir)
  await chmod(dataDir, 0o755)
  const settings = { ...owner, DATA_DIR: dataDir }
  const first = await startSite(settings)
  expect(statSync(dataDir).mode & 0o777).toBe(0o700)
  const content = await contentAt(first.url, olderAccount)
  expect(content.projects.length).toBeGreaterThan(0)
  await first.stop()
  const copies = await readdir(path.join(dataDir, 'before-update'))
  expect(copies).toHaveLength(1)
  const file = path.join(dataDir, 'before-update', copies[0] ?? '')
  expect(await runBuilt('backup', settings, ['restore', file]).ended).toMatchObject({ code: 0, stderr: '' })
  const again = await startSite(settings)
  expect(await contentAt(again.url, olderAccount)).toEqual(content)
})

test('a database that is lost under a running site without photos and backups is not backed up as an empty one, and the site is not begun anew', async () => {
  const dataDir = await temporaryFolder()
  const settings = { ...owner, DATA_DIR: dataDir }
  const site = await startSite(settings)
  await post(site.url, sendContact.path, aContact())
  const content = await contentAt(site.url, ownerAccount)
  const cookie = await signInAt(site.url, ownerAccount)
  const lost = path.join(dataDir, 'set-aside/2026-11-16T00-00-00.000Z')
  await mkdir(lost, { recursive: true })
  await rename(path.join(dataDir, 'vitrina.sqlite'), path.join(lost, 'vitrina.sqlite'))
  const made = await fetch(new URL(createDatabaseBackup.path, site.url), { method: 'POST', headers: { cookie } })
  expect([made.status, ((await made.json()) as { code: string }).code]).toEqual([503, 'database_replaced'])
  expect(readdirSync(dataDir)).not.toContain('vitrina.sqlite')
  await site.stop()

  const stderr = await refusalOf(settings)
  expect(stderr).toContain(`npm run restore -- ${path.join(lost, 'vitrina.sqlite')}\n`)
  expect(await runBuilt('backup', settings, ['restore', path.join(lost, 'vitrina.sqlite')]).ended).toMatchObject({ code: 0 })
  const again = await startSite(settings)
  expect(await contentAt(again.url, ownerAccount)).toEqual(content)
})

test('a copy that is no database is refused by the console', async () => {
  const { dataDir, settings } = await aSite([])
  const copy = path.join(await temporaryFolder(), 'text.sqlite')
  await writeFile(copy, 'not a database')
  const before = listing(dataDir)
  for (const command of ['verify', 'restore']) {
    expect(await runBuilt('backup', settings, [command, copy]).ended).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('damaged'),
    })
  }
  expect(listing(dataDir)).toEqual(before)
})

test('a PostgreSQL that knows nothing of the photos in the folder is refused, and without it everything is there, also when the files that only lock are damaged', async () => {
  const { dataDir, content, settings } = await aSite()
  const { url: DATABASE_URL = '' } = await emptyDatabase('postgres')
  const before = listing(dataDir)
  const stderr = await refusalOf({ ...settings, DATABASE_URL })
  expect(stderr).toContain(
    `The PostgreSQL database is empty, but ${dataDir} belongs to a site: it holds 1 photos and 2 backups.`,
  )
  expect(stderr).toContain('npm run move')
  expect(listing(dataDir)).toEqual(before)

  for (const name of ['running.lock', 'job hourly.lock', 'backups.lock']) {
    await writeFile(path.join(dataDir, name), randomBytes(3_000))
  }
  const site = await startSite(settings)
  expect(await contentAt(site.url, ownerAccount)).toEqual(content)
  const cookie = await signInAt(site.url, ownerAccount)
  expect((await fetch(new URL(createCompleteBackup.path, site.url), { method: 'POST', headers: { cookie } })).status).toBe(200)
})

test('two sites whose databases were swapped are refused, and whole once they are swapped back', async () => {
  const one = await aSite()
  const { dataDir, content } = await makeSite(await temporaryFolder())
  const other = { dataDir, content, settings: { ...owner, DATA_DIR: dataDir } }
  const swap = async () => {
    const shelf = path.join(await temporaryFolder(), 'shelf')
    await mkdir(shelf)
    for (const [from, to] of [
      [one.dataDir, shelf],
      [other.dataDir, one.dataDir],
      [shelf, other.dataDir],
    ] as const)
      for (const name of readdirSync(from).filter((each) => each.startsWith('vitrina.sqlite')))
        await rename(path.join(from, name), path.join(to, name))
  }
  const before = [one, other].map(({ dataDir }) => listing(dataDir))
  await swap()
  for (const { settings } of [one, other]) {
    expect(await refusalOf(settings)).toContain('belong to another database than the one that was opened. Nothing was changed.')
  }
  await swap()
  expect([one, other].map(({ dataDir }) => listing(dataDir))).toEqual(before)
  const site = await startSite(one.settings)
  expect(await contentAt(site.url, ownerAccount)).toEqual(one.content)
})
