import { copyFile, mkdir, readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { scheduler } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createCompleteBackup, createDatabaseBackup, exportData } from '#contract/backups.ts'
import { homePage } from '#contract/pages.ts'
import { applyMerge, previewMerge, type RestoredReport, undoMerge } from '#contract/restores.ts'
import type { Dialect } from '#server/database/dialect.ts'
import { imageName } from '#server/features/images/image.rules.ts'
import { aStoredPhoto, contentOf, fill } from '../backups.ts'
import { runBuilt } from '../built-site.ts'
import { post, signInAt } from '../calls.ts'
import { aStoredProject, storeProject, storeVersion } from '../factories.ts'
import { newSeed, rounds, seededRandom } from '../random.ts'
import { databases, emptyDatabase, type Place } from '../test-database.ts'
import { findWorker, ownerAccount, settingsOf, startSite, within } from './site.ts'

/** Of the built-in database all jobs in turn; of PostgreSQL those that write records. */
const killRounds = { sqlite: rounds(6), postgres: rounds(2) }
const photos = 10
const projects = 60

type Content = Awaited<ReturnType<typeof contentOf>>

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
  for (const table of [...tables, 'statistics'] as const) await db.deleteFrom(table).execute()
  await storeVersion(db, { 'maker.brand': 'Before', 'maker.city': 'Xalapa' })
}

/** Whether there was such a process. */
function sendSignal(pid: number, signal: NodeJS.Signals | 0) {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}

/** Kills the worker, and the site, at random moments of every job that a person begins. */
async function killJobsOn(dialect: Dialect) {
  const seed = newSeed()
  const random = seededRandom(seed)
  const source = await emptyDatabase(dialect)
  await within(source, fillWell)
  const { stdout } = await runBuilt('backup', settingsOf(source), ['backup']).ended
  const filename = /^Kept: (\S+)$/m.exec(stdout)?.[1] ?? ''
  const restored = await stateOf(source)

  const place = await emptyDatabase(dialect)
  const files = path.join(place.dataDir, 'files')
  let site = await startSite(settingsOf(place))
  let cookie = await signInAt(site.url, ownerAccount)
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
  const began = performance.now()
  const { id } = (await (await restore()).json()) as RestoredReport
  const duration = performance.now() - began
  expect(await stateOf(place)).toEqual(restored)
  expect((await undo(id)).status).toBe(200)
  const undone = await stateOf(place)

  type Started = { answer: Promise<Response>; states: Content[] | unknown[] }
  const jobs: Record<string, () => Promise<Started>> = {
    restore: async () => ({ answer: restore(), states: [before, restored] }),
    undo: async () => {
      const report = (await (await restore()).json()) as RestoredReport
      return { answer: undo(report.id), states: [restored, undone] }
    },
    ...(dialect === 'sqlite' && {
      complete: async () => ({ answer: ask(createCompleteBackup.path), states: [before] }),
      database: async () => ({ answer: ask(createDatabaseBackup.path), states: [before] }),
      export: async () => ({ answer: ask(exportData.path), states: [before] }),
      preview: async () => ({ answer: ask(previewMerge.path, file), states: [before] }),
    }),
  }
  const names = Object.keys(jobs)
  const first = Math.floor(random() * names.length * 2)
  for (let round = 0; round < killRounds[dialect]; round += 1) {
    const turn = first + round
    const name = names[turn % names.length] ?? ''
    // Another one when it is the turn of the same job again.
    const victim = (turn + Math.floor(turn / names.length)) % 2 === 0 ? 'worker' : 'site'
    const told = `TEST_SEED=${seed}, round ${round}: the ${victim} of ${name}`
    // Restores ask for the password again after a quarter of an hour.
    if (round % 20 === 19) cookie = await signInAt(site.url, ownerAccount)
    await reset()
    const { answer, states } = (await jobs[name]?.()) ?? { answer: undefined, states: [] }
    let status: number | undefined
    const answered = answer?.then(
      (response) => (status = response.status),
      () => (status = 0),
    )
    let worker: number | undefined
    const hasBegun = async () => {
      worker = await findWorker(site)
      return worker !== undefined || status !== undefined
    }
    await expect.poll(hasBegun, { interval: 2 }).toBe(true)
    await scheduler.wait(random() * duration)
    if (victim === 'worker') {
      if (worker) sendSignal(worker, 'SIGKILL')
      expect([200, 503], told).toContain(await answered)
      expect((await fetch(new URL(homePage.path, site.url))).status, told).toBe(200)
    } else {
      await site.kill()
      await expect.poll(() => worker && sendSignal(worker, 0)).toBeFalsy()
      site = await startSite(settingsOf(place))
    }
    expect(states, told).toContainEqual(await stateOf(place))
    // What was begun is not listed, and the same can be done again.
    const listed = (await readdir(path.join(files, 'backups'))).filter((each) => each !== filename)
    if ((await answered) !== 200) expect(listed.length, told).toBeLessThan(2)
  }
  await reset()
  expect((await restore()).status).toBe(200)
  expect(await stateOf(place)).toEqual(restored)
}

test.each(databases)(
  'backups, previews, restores and undos on %s, killed with their worker or with the site, leave the site wholly before or after',
  { timeout: 120_000 + killRounds.sqlite * 12_000 },
  killJobsOn,
)
