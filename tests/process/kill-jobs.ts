import { copyFile, mkdir, readdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { scheduler } from 'node:timers/promises'
import { expect } from 'vitest'
import { createCompleteBackup, createDatabaseBackup, exportData } from '#contract/backups.ts'
import { homePage } from '#contract/pages.ts'
import { applyMerge, previewMerge, type RestoredReport, undoMerge } from '#contract/restores.ts'
import type { Dialect } from '#server/database/dialect.ts'
import { openDatabase } from '#server/database/open.ts'
import { imageName } from '#server/features/images/image.rules.ts'
import { openFolder } from '#server/storage/folder.ts'
import { aStoredPhoto, contentOf, fill } from '../backups.ts'
import { type BuiltSite, runBuilt, startBuiltSite } from '../built-site.ts'
import { post, signInAt } from '../calls.ts'
import { aStoredProject, storeProject, storeVersion } from '../factories.ts'
import { newSeed, rounds, seededRandom } from '../random.ts'
import { emptyDatabase, type Place } from '../test-database.ts'
import { owner, ownerAccount } from './site.ts'

/** Each job twice: its worker is killed, and the site. */
export const killRounds = rounds(12)
const photos = 15
const projects = 150

type Content = Awaited<ReturnType<typeof contentOf>>

async function within<T>(place: Place, work: (site: Parameters<typeof fill>[0]) => Promise<T>) {
  const { db, close } = await openDatabase(place)
  try {
    return await work({ db, storage: await openFolder(path.join(place.dataDir, 'files')) })
  } finally {
    await close()
  }
}

/** The days in the trash begin when an undo puts a project there. */
const stateOf = (place: Place) =>
  within(place, async (site) => {
    const content = await contentOf(site)
    return { ...content, projects: content.projects.map((project) => ({ ...project, deletedAt: project.deletedAt !== null })) }
  })

async function fillWell(site: Parameters<typeof fill>[0]) {
  await fill(site)
  for (let number = 0; number < photos; number += 1) {
    const { hash, content, ...facts } = await aStoredPhoto(10 + number, { width: 160, height: 120 })
    await site.storage.put(imageName(hash), content)
    await site.db
      .insertInto('images')
      .values({ hash, bytes: content.length, ...facts })
      .execute()
  }
  for (let number = 0; number < projects; number += 1) await storeProject(site.db, aStoredProject({ title: `Model ${number}` }))
}

/** Back to how it was before any restore: with nothing but other words than the archive has. */
async function forget({ db }: Parameters<typeof fill>[0]) {
  const tables = ['projects', 'contactMessages', 'contactPhotos', 'images', 'siteVersions', 'mergedRecords'] as const
  for (const table of tables) await db.deleteFrom(table).execute()
  await storeVersion(db, { 'maker.brand': 'Before', 'maker.city': 'Xalapa' })
}

const settingsOf = (place: Place) => ({ ...owner, DATA_DIR: place.dataDir, ...(place.url && { DATABASE_URL: place.url }) })

/** The backup worker of a site; undefined while there is none. */
export async function findWorker({ pid }: { pid: number }) {
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')).split(' ').filter(Boolean)
  for (const child of children) {
    const command = await readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '')
    if (command.includes('worker')) return Number(child)
  }
  return undefined
}

const isThere = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Kills the worker, and the site, at random moments of every job that a person begins. */
export async function killJobsOn(dialect: Dialect) {
  const seed = newSeed()
  const random = seededRandom(seed)
  const source = await emptyDatabase(dialect)
  await within(source, fillWell)
  const { stdout } = await runBuilt('backup', settingsOf(source), ['backup']).ended
  const filename = /^Kept: (\S+)$/m.exec(stdout)?.[1] ?? ''
  const restored = await stateOf(source)

  const place = await emptyDatabase(dialect)
  const files = path.join(place.dataDir, 'files')
  let site: BuiltSite = await startBuiltSite(settingsOf(place))
  const cookie = await signInAt(site.url, ownerAccount)
  const ask = (address: string, body: unknown = {}) => post(site.url, address, body, { cookie })
  const file = { source: { filename }, mode: 'restore' }
  const restore = () => ask(applyMerge.path, { ...file, without: [] })
  const undo = (id: string) => ask(undoMerge.path.replace(':id', id))

  async function reset() {
    await within(place, forget)
    for (const folder of ['objects', 'inquiry-photos', 'backups'])
      await rm(path.join(files, folder), { recursive: true, force: true })
    await mkdir(path.join(files, 'backups'), { recursive: true })
    await copyFile(path.join(source.dataDir, 'files/backups', filename), path.join(files, 'backups', filename))
  }

  await reset()
  const before = await stateOf(place)
  const { id } = (await (await restore()).json()) as RestoredReport
  expect(await stateOf(place)).toEqual(restored)
  expect((await undo(id)).status).toBe(200)
  const undone = await stateOf(place)

  type Started = { answer: Promise<Response>; states: Content[] | unknown[] }
  const jobs: Record<string, () => Promise<Started>> = {
    complete: async () => ({ answer: ask(createCompleteBackup.path), states: [before] }),
    database: async () => ({ answer: ask(createDatabaseBackup.path), states: [before] }),
    export: async () => ({ answer: ask(exportData.path), states: [before] }),
    preview: async () => ({ answer: ask(previewMerge.path, file), states: [before] }),
    restore: async () => ({ answer: restore(), states: [before, restored] }),
    undo: async () => {
      const report = (await (await restore()).json()) as RestoredReport
      return { answer: undo(report.id), states: [restored, undone] }
    },
  }
  for (let round = 0; round < killRounds; round += 1) {
    const [name = '', begin] = Object.entries(jobs)[round % Object.keys(jobs).length] ?? []
    const victim = Math.floor(round / Object.keys(jobs).length) % 2 === 0 ? 'worker' : 'site'
    const told = `TEST_SEED=${seed}, round ${round}: the ${victim} of ${name}`
    await reset()
    const { answer, states } = (await begin?.()) ?? { answer: undefined, states: [] }
    const answered = answer?.then(
      ({ status }) => status,
      () => 0,
    )
    let worker: number | undefined
    await expect.poll(async () => (worker = await findWorker(site)), { timeout: 20_000, interval: 2 }).toBeDefined()
    await scheduler.wait(random() * 700)
    if (victim === 'worker') {
      if (isThere(worker ?? 0)) process.kill(worker ?? 0, 'SIGKILL')
      expect([200, 503], told).toContain(await answered)
      expect((await fetch(new URL(homePage.path, site.url))).status, told).toBe(200)
    } else {
      await site.kill()
      await expect.poll(() => isThere(worker ?? 0), { timeout: 20_000 }).toBe(false)
      site = await startBuiltSite(settingsOf(place))
    }
    expect(states, told).toContainEqual(await stateOf(place))
    // What was begun is not listed, and the same can be done again.
    const listed = (await readdir(path.join(files, 'backups'))).filter((each) => each !== filename)
    if ((await answered) !== 200) expect(listed.length, told).toBeLessThan(2)
  }
  await reset()
  expect((await restore()).status).toBe(200)
  expect(await stateOf(place)).toEqual(restored)
  await site.kill()
}
