import { chown, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { listProjects } from '#contract/projects.ts'
import { openDatabase } from '#server/database/open.ts'
import { imageName } from '#server/features/images/image.rules.ts'
import { openFolder } from '#server/storage/folder.ts'
import { archiveEntries, contentOf, fill } from '../backups.ts'
import { runBuilt } from '../built-site.ts'
import { storeVersion } from '../factories.ts'
import { rawZip } from '../raw-zip.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { databases, emptyDatabase, type Place } from '../test-database.ts'
import { startSite } from './site.ts'

/** Looks into a site from outside while it may be running. */
async function within<T>(place: Place, look: (site: Parameters<typeof fill>[0]) => Promise<T>) {
  const { db, close } = await openDatabase(place)
  try {
    return await look({ db, storage: await openFolder(path.join(place.dataDir, 'files')) })
  } finally {
    await close()
  }
}

describe.each(databases)('backups from the console on %s', (dialect) => {
  async function newPlace() {
    const place = await emptyDatabase(dialect)
    // What a first start makes, without its demo.
    await (await openDatabase(place)).close()
    const settings = { DATA_DIR: place.dataDir, ...(place.url && { DATABASE_URL: place.url }) }
    const run = (...args: string[]) => runBuilt('backup', settings, args).ended
    return { place, settings, run, backups: path.join(place.dataDir, 'files/backups') }
  }

  test('are made, verified and restored into another site while it runs, whose visitors see it unasked, and undone', async () => {
    const from = await newPlace()
    const { projects } = await within(from.place, fill)
    const made = await from.run('backup')
    expect(made).toMatchObject({ code: 0, stderr: '' })
    expect(made.stdout).toContain('Whole, and read again: 3 projects, 2 messages, 3 photos, 2 photos of visitors')
    const filename = /^Kept: (complete_backup_\S+\.zip)$/m.exec(made.stdout)?.[1] ?? ''
    expect(await from.run('verify', filename)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Whole: 3 projects, 2 messages, 3 photos'),
    })

    const to = await newPlace()
    const site = await startSite(to.settings)
    const titles = async () => {
      const projects = (await (await fetch(new URL(listProjects.path, site.url))).json()) as { title: string }[]
      return projects.map(({ title }) => title).toSorted()
    }
    expect(await titles()).toEqual([])
    const restored = await to.run('restore', path.join(from.backups, filename))
    expect(restored).toMatchObject({ code: 0, stderr: '' })
    expect(restored.stdout).toMatch(
      /Added: 3 projects, 2 messages, 3 photos, 2 photos of visitors\..*Texts and photos of the site itself: 6 added, 0 brought back\..*It can be undone on the page/s,
    )
    await expect.poll(titles, { interval: 50, timeout: 30_000 }).toHaveLength(3)
    expect(await within(to.place, contentOf)).toEqual(await within(from.place, contentOf))

    const again = await to.run('restore', path.join(from.backups, filename))
    expect(again.stdout).toContain('Added: 0 projects, 0 messages, 0 photos.')
    expect(again.stdout).toContain('Nothing had to be changed.')

    const changed = { id: projects[1]?.id ?? '', title: 'Changed since' }
    const words = { 'maker.brand': 'Changed since' }
    await within(to.place, async ({ db }) => {
      await db.updateTable('projects').set({ title: changed.title }).where('id', '=', changed.id).execute()
      await storeVersion(db, words)
    })
    const undone = await to.run('restore', path.join(from.backups, filename))
    expect(undone.stdout).toContain('Brought back: 1 projects, 0 messages.')
    expect(undone.stdout).toContain('Texts and photos of the site itself: 5 added, 1 brought back.')
    expect(await within(to.place, contentOf)).toEqual(await within(from.place, contentOf))
    expect(await to.run('restore', '--undo')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('As before: 1 projects, 0 messages.'),
    })
    expect(await to.run('restore', '--undo')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('nothing left to undo'),
    })
    const after = await within(to.place, contentOf)
    expect(after.projects.find(({ id }) => id === changed.id)?.title).toBe(changed.title)
    expect(after.site).toEqual(words)
  })

  test('never make a site where there is none', async () => {
    const place = await emptyDatabase(dialect)
    const settings = { DATA_DIR: place.dataDir, ...(place.url && { DATABASE_URL: place.url }) }
    const archive = path.join(await temporaryFolder(), 'complete_backup.zip')
    await writeFile(archive, rawZip(archiveEntries()))
    for (const args of [['backup'], ['backup', 'export'], ['backup', 'database'], ['restore', archive]]) {
      expect(await runBuilt('backup', settings, args).ended).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining(place.url ? 'that DATABASE_URL names' : place.dataDir),
      })
    }
    expect(await runBuilt('admin', settings, ['list']).ended).toMatchObject({ code: 1 })
    expect(await readdir(place.dataDir)).toEqual([])
  })

  test('export and database backups are made on request, one from which photos are missing says so and ends with 3, and none while another process makes one', async () => {
    const { place, run, backups } = await newPlace()
    expect(await run('backup', 'export')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Kept: export_\S+\.json\n$/),
    })
    expect(await run('backup', 'database')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Kept: database_backup_/) })
    expect((await readdir(backups)).length).toBe(2)

    const { photos } = await within(place, fill)
    await rm(path.join(place.dataDir, 'files', imageName(photos[0]?.hash ?? '')))
    const { unlessBusy, close } = await openDatabase(place)
    expect(await unlessBusy('backups', () => run('backup'))).toMatchObject({
      done: { code: 1, stderr: expect.stringContaining('Another backup or restore is running.') },
    })
    await close()
    const made = await run('backup')
    expect(made.code).toBe(3)
    expect(made.stdout).toMatch(/^Not whole, and read again: 3 projects, 2 messages, 2 photos.*_without_1_photos\.zip$/ms)
    expect(made.stderr).toBe(
      'Missing from it, because their files are gone or damaged: 1 photos. They belong to “Tugboat “Ñandú” 🚢”.\n',
    )
  })
})

test.each([[], ['help'], ['restore'], ['verify'], ['backup', 'everything'], ['restore', 'a.zip', 'b.zip']])(
  'the console explains itself to %j and ends with 2',
  async (...args: string[]) => {
    const { code, stdout, stderr } = await runBuilt('backup', { DATA_DIR: await temporaryFolder() }, args).ended
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('npm run restore -- <file>')
  },
)

test('a file that is no backup is refused with a sentence and with 1', async () => {
  const settings = await aSite()
  const file = path.join(await temporaryFolder(), 'photos.zip')
  await writeFile(file, 'not a zip')
  for (const command of ['restore', 'verify']) {
    expect(await runBuilt('backup', settings, [command, file]).ended).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^That is not a backup of this site\. Nothing was changed\..*\n.+\n$/),
    })
  }
})

async function aSite() {
  const DATA_DIR = await temporaryFolder()
  await (await openDatabase({ dataDir: DATA_DIR })).close()
  return { DATA_DIR }
}

test('a name that leads to nothing is named', async () => {
  const { code, stderr } = await runBuilt('backup', await aSite(), ['restore', 'nowhere.zip']).ended
  expect(code).toBe(2)
  expect(stderr).toMatch(/^There is no file .*nowhere\.zip that .* can read, and no backup of that name on the site\.\n$/)
})

test('a path is meant from where it was typed', async () => {
  const settings = await aSite()
  await runBuilt('backup', settings, ['backup', 'export']).ended
  const [name = ''] = await readdir(path.join(settings.DATA_DIR, 'files/backups'))
  const offsite = await temporaryFolder()
  await rename(path.join(settings.DATA_DIR, 'files/backups', name), path.join(offsite, 'mine.json'))
  // Verifying needs no site.
  const anywhere = { DATA_DIR: path.join(offsite, 'nothing'), INIT_CWD: offsite }
  const { code, stdout } = await runBuilt('backup', anywhere, ['verify', 'mine.json']).ended
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'Whole: 0 projects, 0 messages.\n' })
})

test('run as root, leave nothing that the account of the site cannot write', async () => {
  const settings = await aSite()
  await within({ dataDir: settings.DATA_DIR }, fill)
  const site = await openFolder(path.join(settings.DATA_DIR, 'files'))
  await giveTo(settings.DATA_DIR, 12_345)
  expect(await runBuilt('backup', settings, ['backup']).ended).toMatchObject({ code: 0, stderr: '' })
  expect(await ownersIn(settings.DATA_DIR)).toEqual([12_345])
  expect(await site.list('backups')).toHaveLength(1)
})

/** For each file that is still there: what this process had open of a database goes when its statements are collected. */
async function forFilesIn<T>(folder: string, look: (file: string) => Promise<T>) {
  const names = await readdir(folder, { recursive: true })
  const seen = [folder, ...names.map((name) => path.join(folder, name))].map((file) => look(file).catch(unlessGone))
  return (await Promise.all(seen)).filter((found) => found !== undefined)
}

function unlessGone(error: NodeJS.ErrnoException) {
  if (error.code !== 'ENOENT') throw error
}

async function giveTo(folder: string, account: number) {
  await forFilesIn(folder, (file) => chown(file, account, account))
}

async function ownersIn(folder: string) {
  return [...new Set((await forFilesIn(folder, (file) => stat(file))).map(({ uid }) => uid))]
}
