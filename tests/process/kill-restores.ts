import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { scheduler } from 'node:timers/promises'
import { expect } from 'vitest'
import { listProjects } from '#contract/projects.ts'
import type { Dialect } from '#server/database/dialect.ts'
import { openDatabase } from '#server/database/open.ts'
import { imageName } from '#server/features/images/image.rules.ts'
import { openFolder } from '#server/storage/folder.ts'
import { aStoredPhoto, contentOf, fill } from '../backups.ts'
import { runBuilt, startBuiltSite } from '../built-site.ts'
import { aStoredProject, storeProject, storeVersion } from '../factories.ts'
import { newSeed, rounds, seededRandom } from '../random.ts'
import { emptyDatabase, type Place } from '../test-database.ts'
import { owner } from './site.ts'

export const killRounds = rounds(8)
const photos = 15
const projects = 150

type Site = Parameters<typeof fill>[0]

async function within<T>(place: Place, work: (site: Site) => Promise<T>) {
  const { db, close } = await openDatabase(place)
  try {
    return await work({ db, storage: await openFolder(path.join(place.dataDir, 'files')) })
  } finally {
    await close()
  }
}

async function fillWell(site: Site) {
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
async function forget({ db }: Site) {
  const tables = ['projects', 'contactMessages', 'contactPhotos', 'images', 'siteVersions'] as const
  for (const table of tables) await db.deleteFrom(table).execute()
  await storeVersion(db, { 'maker.brand': 'Before', 'maker.city': 'Xalapa' })
}

const settingsOf = (place: Place) => ({ DATA_DIR: place.dataDir, ...(place.url && { DATABASE_URL: place.url }) })

/**
 * Restores the same archive again and again, killed in turn while it reads the archive, while it stores photos and records,
 * once it says what it has added, and at any moment.
 */
export async function killRestoresOn(dialect: Dialect) {
  const seed = newSeed()
  const random = seededRandom(seed)
  const source = await emptyDatabase(dialect)
  await within(source, fillWell)
  const { stdout } = await runBuilt('backup', settingsOf(source), ['backup']).ended
  const archive = path.join(source.dataDir, 'files/backups', /^Kept: (\S+)$/m.exec(stdout)?.[1] ?? '')
  const after = await within(source, contentOf)

  const place = await emptyDatabase(dialect)
  // An owner, because photos beside a database on which no site was ever started look like a lost database.
  await (await startBuiltSite({ ...owner, ...settingsOf(place) })).stop()
  await within(place, forget)
  const before = await within(place, contentOf)
  const restore = () => runBuilt('backup', settingsOf(place), ['restore', archive])

  const began = performance.now()
  const whole = restore()
  await untilSaid(whole, 'Storing photos')
  const untilStoring = performance.now() - began
  expect(await whole.ended).toMatchObject({ code: 0 })
  const duration = performance.now() - began
  const moments: ((restoring: ReturnType<typeof restore>) => Promise<unknown>)[] = [
    (restoring) => untilSaid(restoring, 'Checking photos'),
    async (restoring) => {
      await untilSaid(restoring, 'Storing photos')
      await scheduler.wait(random() * (duration - untilStoring))
    },
    (restoring) => untilSaid(restoring, 'Added'),
    () => scheduler.wait(random() * duration * 1.1),
  ]

  const states = { before: 0, after: 0 }
  for (let round = 0; round < killRounds; round += 1) {
    await within(place, forget)
    for (const folder of ['objects', 'inquiry-photos', 'backups'])
      await rm(path.join(place.dataDir, 'files', folder), { recursive: true, force: true })
    const restoring = restore()
    await moments[round % moments.length]?.(restoring)
    restoring.child.kill('SIGKILL')
    await restoring.ended

    // Once after each kind of moment. Without a start in between, the next restore finds what the killed one has left.
    const shown = round < moments.length ? await projectsOfSite(place) : undefined
    const state = await within(place, contentOf)
    const isAfter = state.projects.length > 0
    expect(state, `TEST_SEED=${seed}, round ${round}`).toEqual(isAfter ? after : before)
    if (shown) expect(shown).toHaveLength(state.projects.length)
    states[isAfter ? 'after' : 'before'] += 1
  }
  expect(states, `TEST_SEED=${seed}: both must have come up`).toEqual({
    before: expect.toSatisfy((count: number) => count > 0),
    after: expect.toSatisfy((count: number) => count > 0),
  })
  expect(await restore().ended).toMatchObject({ code: 0 })
  expect(await within(place, contentOf)).toEqual(after)
}

async function projectsOfSite(place: Place) {
  const site = await startBuiltSite({ ...owner, ...settingsOf(place) })
  const shown = (await (await fetch(new URL(listProjects.path, site.url))).json()) as unknown[]
  await site.kill()
  return shown
}

/** A line of a restore that does not come has been printed by its end at the latest, or something is wrong with it. */
async function untilSaid({ child, ended, output }: ReturnType<typeof runBuilt>, line: string) {
  while (!output.stdout.includes(line)) {
    await Promise.race([once(child.stdout, 'data'), ended])
    if (child.exitCode !== null && !output.stdout.includes(line)) throw new Error(`It never said ${line}: ${output.stderr}`)
  }
}
