import { randomBytes } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { cp, mkdir, mkdtemp, open, readdir, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { describe, expect, test } from 'vitest'
import { createCompleteBackup, createDatabaseBackup } from '#contract/backups.ts'
import { sendContact } from '#contract/contacts.ts'
import { createProject } from '#contract/projects.admin.ts'
import { openDatabase } from '#server/database/open.ts'
import { runBuilt } from '../built-site.ts'
import { post, signInAt } from '../calls.ts'
import { anInquiry, aProject } from '../factories.ts'
import { layOlderRelease, olderAccount } from '../older-release.ts'
import { aPhoto } from '../photos.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { emptyDatabase } from '../test-database.ts'
import { uploadPhoto } from '../upload-photo.ts'
import { type Content, contentAt } from './content.ts'
import { owner, ownerAccount, startSite } from './site.ts'

/** A site with a photo, a project, a message and two backups, stopped. */
async function makeSite(dataDir: string) {
  const site = await startSite({ DATA_DIR: dataDir })
  const cookie = await signInAt(site.url, ownerAccount)
  const imageUrl = await uploadPhoto(site.url, cookie, await aPhoto())
  await post(site.url, createProject.path, aProject({ title: 'Tugboat', imageUrl }), { cookie })
  await post(site.url, sendContact.path, anInquiry())
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

const losses: [string, (file: string) => Promise<void>][] = [
  ['missing', (file) => rm(file)],
  ['emptied', (file) => truncate(file, 0)],
  ['damaged', garble],
  ['half of it', (file) => truncate(file, Math.floor(statSync(file).size / 8192) * 4096)],
]

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
function withoutVersions({ projects, ...rest }: Content) {
  return { ...rest, projects: projects.map(({ version: _version, ...project }) => project) }
}

describe.each(losses)('a site whose database is %s', (_name, lose) => {
  test('does not start, changes nothing, and is whole again by the command it prints', async () => {
    const { dataDir, content, settings } = await aSite()
    await lose(path.join(dataDir, 'vitrina.sqlite'))
    const before = listing(dataDir)
    const stderr = await refusalOf(settings)
    expect(stderr).toMatch(/^Cannot start: .*database/)
    expect(stderr).toContain('Nothing was changed. One of these helps:\n')
    expect(listing(dataDir)).toEqual(before)

    const args = commandIn(stderr, 'database_backup')
    expect(args).toEqual([expect.stringMatching(/^database_backup_.*\.sqlite$/)])
    expect(await runBuilt('backup', settings, ['restore', ...args]).ended).toMatchObject({ code: 0, stderr: '' })
    const site = await startSite(settings)
    expect(await contentAt(site.url, ownerAccount)).toEqual(content)
  })
})

test.each(losses.slice(1, 3))(
  'a database that is %s is made anew from a complete backup by the command it prints',
  async (_name, lose) => {
    const { dataDir, content, settings } = await aSite(['complete_backup'])
    await lose(path.join(dataDir, 'vitrina.sqlite'))
    const args = commandIn(await refusalOf(settings), 'complete_backup')
    expect(args).toEqual(['--new-database', expect.stringMatching(/^complete_backup_.*\.zip$/)])
    expect(await runBuilt('backup', settings, ['restore', ...args]).ended).toMatchObject({ code: 0, stderr: '' })
    const site = await startSite(settings)
    expect(withoutVersions(await contentAt(site.url, ownerAccount))).toEqual(withoutVersions(content))
  },
)

test('a complete backup that is damaged, or that there is none of, makes no new database', async () => {
  const { dataDir, settings } = await aSite(['complete_backup'])
  await rm(path.join(dataDir, 'vitrina.sqlite'))
  const [, name = ''] = commandIn(await refusalOf(settings), 'complete_backup')
  await garble(path.join(dataDir, 'files/backups', name))
  const before = listing(dataDir)
  const restore = (file: string) => runBuilt('backup', settings, ['restore', '--new-database', file]).ended
  expect(await restore(name)).toMatchObject({ code: 1, stderr: expect.stringContaining('Nothing was changed.') })
  expect(await restore('nowhere.zip')).toMatchObject({ code: 2 })
  expect(listing(dataDir)).toEqual(before)
  expect(await refusalOf(settings)).toMatch(/^Cannot start: There is no database/)
})

test('a new database that a killed command has left empty is refused by a start, and made by the same command again', async () => {
  const { dataDir, content, settings } = await aSite(['complete_backup'])
  await rm(path.join(dataDir, 'vitrina.sqlite'))
  await (await openDatabase({ dataDir })).close()
  const args = commandIn(await refusalOf(settings), 'complete_backup')
  expect(await runBuilt('backup', settings, ['restore', ...args]).ended).toMatchObject({ code: 0, stderr: '' })
  const site = await startSite(settings)
  expect(withoutVersions(await contentAt(site.url, ownerAccount))).toEqual(withoutVersions(content))
  await site.stop()
  expect(await runBuilt('backup', settings, ['restore', ...args]).ended).toMatchObject({ code: 2 })
})

test('a site goes back to the copy that an update has kept, and forward again', async () => {
  const dataDir = await temporaryFolder()
  const settings = { ...owner, DATA_DIR: dataDir }
  await layOlderRelease(dataDir)
  const first = await startSite(settings)
  const content = await contentAt(first.url, olderAccount)
  await first.stop()
  const [copy = ''] = await readdir(path.join(dataDir, 'before-update'))
  const file = path.join(dataDir, 'before-update', copy)
  expect(await runBuilt('backup', settings, ['restore', file]).ended).toMatchObject({ code: 0, stderr: '' })
  const again = await startSite(settings)
  expect(await contentAt(again.url, olderAccount)).toEqual(content)
})

test('a site without photos and backups is not begun anew when its database is lost', async () => {
  const dataDir = await temporaryFolder()
  const settings = { ...owner, DATA_DIR: dataDir }
  const site = await startSite(settings)
  await post(site.url, sendContact.path, anInquiry())
  const content = await contentAt(site.url, ownerAccount)
  await site.stop()
  const lost = path.join(dataDir, 'set-aside/2026-11-16T00-00-00.000Z')
  await mkdir(lost, { recursive: true })
  await rename(path.join(dataDir, 'vitrina.sqlite'), path.join(lost, 'vitrina.sqlite'))
  const stderr = await refusalOf(settings)
  expect(stderr).toContain(`npm run restore -- ${path.join(lost, 'vitrina.sqlite')}\n`)
  expect(await runBuilt('backup', settings, ['restore', path.join(lost, 'vitrina.sqlite')]).ended).toMatchObject({ code: 0 })
  const again = await startSite(settings)
  expect(await contentAt(again.url, ownerAccount)).toEqual(content)
})

test('a copy that is empty, of another program, or no database is not put in the place of one', async () => {
  const { dataDir, settings } = await aSite([])
  const folder = await temporaryFolder()
  const copies = ['empty', 'tableless', 'foreign', 'text'].map((name) => path.join(folder, `${name}.sqlite`))
  const [empty = '', tableless = '', foreign = '', text = ''] = copies
  await writeFile(empty, '')
  await writeFile(text, 'not a database')
  for (const [file, sql] of [
    [tableless, 'pragma user_version = 1'],
    [foreign, 'create table other (id)'],
  ] as const) {
    const database = new DatabaseSync(file)
    database.exec(sql)
    database.close()
  }
  const before = listing(dataDir)
  for (const copy of copies) {
    for (const command of ['verify', 'restore']) {
      expect(await runBuilt('backup', settings, [command, copy]).ended).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining('damaged'),
      })
    }
  }
  expect(listing(dataDir)).toEqual(before)
})

test('a copy whose last writes lie beside it is put back with them', async () => {
  const dataDir = await temporaryFolder()
  const older = await temporaryFolder()
  // As the release before leaves it: all its records are in the -wal file.
  await layOlderRelease(older)
  const settings = { ...owner, DATA_DIR: dataDir }
  const file = path.join(older, 'vitrina.sqlite')
  expect(await runBuilt('backup', settings, ['restore', file]).ended).toMatchObject({ code: 0, stderr: '' })
  const site = await startSite(settings)
  expect((await contentAt(site.url, olderAccount)).projects.length).toBeGreaterThan(0)
})

test('a database that was removed under a running site is not backed up as an empty one', async () => {
  const dataDir = await temporaryFolder()
  const site = await startSite({ DATA_DIR: dataDir })
  const cookie = await signInAt(site.url, ownerAccount)
  await rename(path.join(dataDir, 'vitrina.sqlite'), path.join(dataDir, 'elsewhere'))
  const made = await fetch(new URL(createDatabaseBackup.path, site.url), { method: 'POST', headers: { cookie } })
  expect([made.status, ((await made.json()) as { code: string }).code]).toEqual([503, 'database_replaced'])
  expect(readdirSync(dataDir)).not.toContain('vitrina.sqlite')
})

test('damage in the files that only lock changes nothing', async () => {
  const { dataDir, content, settings } = await aSite(['complete_backup'])
  for (const name of ['running.lock', 'chores.lock', 'backups.lock']) {
    await writeFile(path.join(dataDir, name), randomBytes(3_000))
  }
  const site = await startSite(settings)
  expect(await contentAt(site.url, ownerAccount)).toEqual(content)
  const cookie = await signInAt(site.url, ownerAccount)
  expect((await fetch(new URL(createCompleteBackup.path, site.url), { method: 'POST', headers: { cookie } })).status).toBe(200)
})

test('a PostgreSQL that knows nothing of the photos in the folder is refused, and without it everything is there', async () => {
  const { dataDir, content, settings } = await aSite()
  const { url: DATABASE_URL = '' } = await emptyDatabase('postgres')
  const before = listing(dataDir)
  const stderr = await refusalOf({ ...settings, DATABASE_URL })
  expect(stderr).toContain(
    `The PostgreSQL database is empty, but ${dataDir} belongs to a site: it holds 1 photos and 2 backups.`,
  )
  expect(stderr).toContain('npm run move')
  expect(listing(dataDir)).toEqual(before)
  const site = await startSite(settings)
  expect(await contentAt(site.url, ownerAccount)).toEqual(content)
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
  await swap()
  for (const { settings, dataDir } of [one, other]) {
    const photos = listing(path.join(dataDir, 'files'))
    expect(await refusalOf(settings)).toContain('belong to another database than the one that was opened. Nothing was changed.')
    expect(listing(path.join(dataDir, 'files'))).toEqual(photos)
  }
  await swap()
  for (const { settings, content } of [one, other]) {
    const site = await startSite(settings)
    expect(await contentAt(site.url, ownerAccount)).toEqual(content)
  }
})
