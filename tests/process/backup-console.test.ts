import { chown, readdir, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { listProjects } from '#contract/projects.ts'
import { openDatabase } from '#server/database/open.ts'
import { imageName } from '#server/features/images/image.rules.ts'
import { archiveEntries, contentOf, fill } from '../backups.ts'
import { runBuilt } from '../built-site.ts'
import { storeVersion } from '../factories.ts'
import { rawZip } from '../raw-zip.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { databases, emptyDatabase } from '../test-database.ts'
import { settingsOf, startSite, within } from './site.ts'

/** With tables and no demo, as the first start of an owner makes it. */
async function aSite() {
  const place = { dataDir: await temporaryFolder() }
  await (await openDatabase(place)).close()
  const settings = settingsOf(place)
  const run = (...args: string[]) => runBuilt('backup', settings, args).ended
  return { place, settings, run, backups: path.join(place.dataDir, 'files/backups') }
}

describe('backups from the console', () => {
  test('are made and restored into another site while it runs, whose visitors see it unasked, and undone', async () => {
    const from = await aSite()
    const { projects } = await within(from.place, fill)
    const made = await from.run('backup')
    expect(made).toMatchObject({ code: 0, stderr: '' })
    expect(made.stdout).toContain('Whole, and read again: 3 projects, 2 messages, 3 photos, 2 photos of visitors')
    const filename = /^Kept: (complete_backup_\S+\.zip)$/m.exec(made.stdout)?.[1] ?? ''

    const to = await aSite()
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
    await expect.poll(titles, { interval: 50 }).toHaveLength(3)
    expect(await within(to.place, contentOf)).toEqual(await within(from.place, contentOf))

    const changed = { id: projects[1]?.id ?? '', title: 'Changed since' }
    const words = { 'maker.brand': 'Changed since' }
    await within(to.place, async ({ db }) => {
      await db.updateTable('projects').set({ title: changed.title }).where('id', '=', changed.id).execute()
      await storeVersion(db, words)
    })
    const again = await to.run('restore', path.join(from.backups, filename))
    expect(again.stdout).toContain('Brought back: 1 project, 0 messages.')
    expect(again.stdout).toContain('Texts and photos of the site itself: 5 added, 1 brought back.')
    expect(await within(to.place, contentOf)).toEqual(await within(from.place, contentOf))
    expect(await to.run('restore', '--undo')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('As before: 1 project, 0 messages.'),
    })
    const after = await within(to.place, contentOf)
    expect(after.projects.find(({ id }) => id === changed.id)?.title).toBe(changed.title)
    expect(after.site).toEqual(words)
  })

  test.each(databases)('never make a site on %s where there is none', async (dialect) => {
    const place = await emptyDatabase(dialect)
    const stderr = expect.stringContaining(place.url ? 'that DATABASE_URL names' : place.dataDir)
    // All commands open it in the same way.
    for (const [program, ...args] of [['backup', 'backup'] as const, ['admin', 'list'] as const]) {
      expect(await runBuilt(program, settingsOf(place), args).ended).toMatchObject({ code: 1, stdout: '', stderr })
    }
    expect(await readdir(place.dataDir)).toEqual([])
  })

  test('say when photos are missing, and end with 3', async () => {
    const { place, run } = await aSite()
    const { photos } = await within(place, fill)
    await rm(path.join(place.dataDir, 'files', imageName(photos[0]?.hash ?? '')))
    const made = await run('backup')
    expect(made.code).toBe(3)
    expect(made.stdout).toMatch(/^Not whole, and read again: 3 projects, 2 messages, 2 photos.*_without_1_photos\.zip$/ms)
    expect(made.stderr).toBe(
      'Missing from it, because their files are gone or damaged: 1 photo. They belong to “Tugboat “Ñandú” 🚢”.\n',
    )
  })

  test('say which records are missing, and end with 3', async () => {
    const { place, run, backups } = await aSite()
    await within(place, fill)
    await within(place, ({ db }) => db.updateTable('projects').set({ category: '' }).where('title', '=', 'Second').execute())
    const left = {
      code: 3,
      stderr: expect.stringMatching(/^Created, but without records that cannot be read: “Second”\. .*\n$/),
    }
    const made = await run('backup')
    expect(made).toMatchObject({ ...left, stdout: expect.stringMatching(/^Not whole, .*_without_1_records\.zip$/ms) })
    expect(await run('backup', 'export')).toMatchObject({
      ...left,
      stdout: expect.stringMatching(/_without_1_records\.json\n$/),
    })
    const archive = (await readdir(backups)).find((name) => name.endsWith('.zip')) ?? ''
    expect(await run('verify', path.join(backups, archive))).toMatchObject({
      code: 3,
      stdout: expect.stringContaining('Whole: 2 projects, 2 messages'),
      stderr: 'Missing from it since it was made: 1 record.\n',
    })
  })

  test('run as root, leave nothing that the account of the site cannot write', async () => {
    const { place, run, backups } = await aSite()
    await within(place, fill)
    await giveTo(place.dataDir, 12_345)
    expect(await run('backup')).toMatchObject({ code: 0, stderr: '' })
    expect(await ownersIn(place.dataDir)).toEqual([12_345])
    expect(await readdir(backups)).toHaveLength(1)
  })
})

describe('the console', () => {
  test('refuses a file that is no backup or no database with a sentence and with 1, and names a file that it does not find', async () => {
    const { run } = await aSite()
    const folder = await temporaryFolder()
    for (const name of ['photos.zip', 'copy.sqlite']) await writeFile(path.join(folder, name), 'neither of them')
    expect(await run('restore', path.join(folder, 'photos.zip'))).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^That is not a backup of this site\. Nothing was changed\..*\n.+\n$/),
    })
    expect(await run('verify', path.join(folder, 'copy.sqlite'))).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('damaged'),
    })
    expect(await run('restore', 'nowhere.zip')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /^There is no file .*nowhere\.zip that .* can read, and no backup of that name on the site\.\n$/,
      ),
    })
  })

  test('takes a path from where it was typed, and needs no site to verify', async () => {
    const offsite = await temporaryFolder()
    await writeFile(path.join(offsite, 'mine.zip'), rawZip(archiveEntries()))
    const anywhere = { DATA_DIR: path.join(offsite, 'nothing'), INIT_CWD: offsite }
    const { code, stdout } = await runBuilt('backup', anywhere, ['verify', 'mine.zip']).ended
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^Whole: /) })
  })
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
