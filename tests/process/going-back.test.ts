import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, stat, utimes } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { checkSession } from '#contract/accounts.ts'
import { createDatabaseBackup } from '#contract/backups.ts'
import { createProject } from '#contract/projects.admin.ts'
import { listProjects } from '#contract/projects.ts'
import { daysBefore } from '#server/clock.ts'
import { dateOf, nameInQuarantine } from '#server/features/images/image-quarantine.ts'
import { hashOf } from '../backups.ts'
import { post, signInAt } from '../calls.ts'
import { aProject } from '../factories.ts'
import { layFirstTables, layOlderRelease, olderRecordsIn, rowsInCopyOf } from '../older-release.ts'
import { aPhoto } from '../photos.ts'
import { read } from '../source-files.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { emptyDatabase } from '../test-database.ts'
import { uploadPhoto } from '../upload-photo.ts'
import { ownerAccount, startSite } from './site.ts'

/** The commands docs/deploy.md gives under a heading, run word for word. */
function followTheSteps(heading: string, settings: Record<string, string>) {
  const section = read('docs/deploy.md').split(`### ${heading}\n`)[1]?.split(/^##/m)[0] ?? ''
  const commands = /```sh\n(.*?)```/s.exec(section)?.[1] ?? ''
  expect(commands).not.toBe('')
  const { status, stderr } = spawnSync('sh', ['-e', '-u', '-c', commands], {
    env: { PATH: process.env.PATH, ...settings },
    encoding: 'utf8',
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
}

type Settings = Record<string, string>

/** A site with one project, backed up; then a second project is added. */
async function liveALittle(settings: Settings) {
  const site = await startSite(settings)
  const cookie = await signInAt(site.url, ownerAccount)
  const add = async (title: string, colour: string) => {
    const imageUrl = await uploadPhoto(site.url, cookie, await aPhoto({ colour }))
    expect((await post(site.url, createProject.path, aProject({ title, imageUrl }), { cookie })).status).toBe(200)
  }
  await add('Before the backup', '#b8893b')
  const made = await fetch(new URL(createDatabaseBackup.path, site.url), { method: 'POST', headers: { cookie } })
  expect(made.status).toBe(200)
  await add('After the backup', '#3f6b62')
  expect(await titles(site.url)).toEqual(['After the backup', 'Before the backup'])
  return { site, cookie }
}

async function isSignedIn(url: string, cookie: string) {
  const check = await fetch(new URL(checkSession.path, url), { headers: { cookie } })
  return ((await check.json()) as { authenticated: boolean }).authenticated
}

async function projectsAt(url: string) {
  return (await (await fetch(new URL(listProjects.path, url))).json()) as { title: string; imageUrl: string }[]
}

async function titles(url: string) {
  return (await projectsAt(url)).map(({ title }) => title).toSorted()
}

/** Name, content and time of each original; smaller variants are made as they are asked for. */
async function photosIn(dataDir: string) {
  const folder = path.join(dataDir, 'files/objects')
  const names = (await readdir(folder)).toSorted()
  return Promise.all(
    names.map(async (name) => {
      const file = path.join(folder, name)
      return { name, sum: hashOf(await readFile(file)), changed: (await stat(file)).mtimeMs }
    }),
  )
}

/** As if all of them had been there for days, so that a sweep at the next start would take what it does not know. */
async function photosOfOldIn(dataDir: string) {
  const daysAgo = daysBefore(new Date(), 3)
  for (const { name } of await photosIn(dataDir)) await utimes(path.join(dataDir, 'files/objects', name), daysAgo, daysAgo)
  const photos = await photosIn(dataDir)
  expect(photos).toHaveLength(2)
  return photos
}

async function theBackupIn(dataDir: string) {
  const folder = path.join(dataDir, 'files/backups')
  const [name = ''] = (await readdir(folder)).filter((each) => each.startsWith('database_backup'))
  return path.join(folder, name)
}

function onAnotherDatabase(url: string) {
  const name = `back_${randomUUID().replaceAll('-', '')}`
  const newUrl = url.replace(/test_[0-9a-f]+/, name)
  return { newUrl, settings: { DATABASE_URL: url, NEW_DATABASE: name, NEW_DATABASE_URL: newUrl } }
}

describe('going back to a database backup, by the steps in docs/deploy.md, touches no photo', () => {
  test('of the built-in database, and forward again, when a sweep has taken the photos that the database did not know', async () => {
    const { dataDir } = await emptyDatabase('sqlite')
    const settings = { DATA_DIR: dataDir }
    const { site: first, cookie } = await liveALittle(settings)
    expect(await isSignedIn(first.url, cookie)).toBe(true)
    await first.stop()
    const photos = await photosOfOldIn(dataDir)
    followTheSteps('The built-in database', { DATA_DIR: dataDir, BACKUP: await theBackupIn(dataDir) })
    const site = await startSite(settings)
    expect(await titles(site.url)).toEqual(['Before the backup'])
    expect(await isSignedIn(site.url, cookie)).toBe(false)
    await signInAt(site.url, ownerAccount)
    const shown = (await projectsAt(site.url)).map(({ imageUrl }) => path.basename(imageUrl))
    await site.stop()
    expect(await photosIn(dataDir)).toEqual(photos)

    const unknown = photos.filter(({ name }) => !shown.includes(name))
    expect(unknown).toHaveLength(1)
    const files = path.join(dataDir, 'files')
    await mkdir(path.join(files, 'aside'), { recursive: true })
    for (const { name } of unknown) {
      const inQuarantine = nameInQuarantine(`objects/${name}`, dateOf(new Date()))
      await rename(path.join(files, 'objects', name), path.join(files, inQuarantine))
    }
    const [moment = ''] = await readdir(path.join(dataDir, 'set-aside'))
    const setAside = path.join(dataDir, 'set-aside', moment, 'vitrina.sqlite')
    followTheSteps('The built-in database', { DATA_DIR: dataDir, BACKUP: setAside })
    const forward = await startSite(settings)
    expect(await titles(forward.url)).toEqual(['After the backup', 'Before the backup'])
    // A database that was set aside still holds the sessions of its day.
    expect(await isSignedIn(forward.url, cookie)).toBe(false)
    expect((await photosIn(dataDir)).map(({ name, sum }) => ({ name, sum }))).toEqual(
      photos.map(({ name, sum }) => ({ name, sum })),
    )
    for (const { imageUrl } of await projectsAt(forward.url)) {
      expect((await fetch(new URL(imageUrl, forward.url))).status).toBe(200)
    }
  })

  test('that was kept before an update, while the newer release is still installed', async () => {
    const dataDir = await temporaryFolder()
    await layOlderRelease(dataDir)
    const file = path.join(dataDir, 'vitrina.sqlite')
    const state = () => ({
      tables: rowsInCopyOf(file, 'select name, sql from sqlite_master order by name'),
      ...olderRecordsIn(file),
    })
    const before = state()
    await (await startSite({ DATA_DIR: dataDir })).stop()
    expect(state()).not.toEqual(before)
    const [copy = ''] = await readdir(path.join(dataDir, 'before-update'))
    followTheSteps('The release before an update', { DATA_DIR: dataDir, BACKUP: path.join(dataDir, 'before-update', copy) })
    expect(state()).toEqual(before)
  })

  test('that was kept before an update of PostgreSQL', async () => {
    const { dataDir, url = '' } = await emptyDatabase('postgres')
    await layFirstTables(url)
    await (await startSite({ DATA_DIR: dataDir, DATABASE_URL: url })).stop()
    const { settings, newUrl } = onAnotherDatabase(url)
    followTheSteps('PostgreSQL', { ...settings, BACKUP: await theBackupIn(dataDir) })
    const client = new pg.Client({ connectionString: newUrl })
    await client.connect()
    const { rows } = await client.query('select name from kysely_migration').finally(() => client.end())
    expect(rows).toEqual([{ name: '0001-first-tables' }])
  })

  test('of PostgreSQL', async () => {
    const { dataDir, url = '' } = await emptyDatabase('postgres')
    const { site: running, cookie } = await liveALittle({ DATA_DIR: dataDir, DATABASE_URL: url })
    const { settings, newUrl } = onAnotherDatabase(url)
    followTheSteps('PostgreSQL', { ...settings, BACKUP: await theBackupIn(dataDir) })
    await running.stop()
    const photos = await photosOfOldIn(dataDir)
    const site = await startSite({ DATA_DIR: dataDir, DATABASE_URL: newUrl })
    expect(await titles(site.url)).toEqual(['Before the backup'])
    expect(await isSignedIn(site.url, cookie)).toBe(false)
    await signInAt(site.url, ownerAccount)
    await site.stop()
    expect(await photosIn(dataDir)).toEqual(photos)
  })
})
