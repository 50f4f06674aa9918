import { cp, readdir, readFile, rename, rm, truncate, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { expect, test } from 'vitest'
import { createCompleteBackup, createDatabaseBackup, exportData } from '#contract/backups.ts'
import { sendContact } from '#contract/contacts.ts'
import { createProject } from '#contract/projects.admin.ts'
import { daysBefore } from '#server/clock.ts'
import { allVariants } from '#server/features/images/image.rules.ts'
import { beginBuiltSite } from '../built-site.ts'
import { post, signInAt } from '../calls.ts'
import { aContact, aProject } from '../factories.ts'
import { aPhoto } from '../photos.ts'
import { newSeed, rounds, seededRandom } from '../random.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { uploadPhoto } from '../upload-photo.ts'
import { type Content, contentAt } from './content.ts'
import { faultsInRefusal } from './kill-starts.ts'
import { owner, ownerAccount, startSite } from './site.ts'

const damagesTried = rounds(2)
const colours = ['#b8893b', '#22557a']

type Random = () => number
type Damage = { what: string; files: string[]; apply(dataDir: string): Promise<void> }

/** Models with a photo each, messages, and a backup of each kind; stopped. */
async function makeSite(dataDir: string) {
  const site = await startSite({ DATA_DIR: dataDir, RATE_LIMITS: 'off' })
  const cookie = await signInAt(site.url, ownerAccount)
  for (const colour of colours) {
    const imageUrl = await uploadPhoto(site.url, cookie, await aPhoto({ colour }))
    const project = aProject({ title: `Model ${colour}`, imageUrl, description: 'Built with care. '.repeat(100) })
    expect((await post(site.url, createProject.path, project, { cookie })).status).toBe(200)
  }
  for (let number = 0; number < 10; number += 1) {
    const message = aContact({ name: `Visitor ${number}`, message: `Question ${number}. `.repeat(20) })
    expect((await post(site.url, sendContact.path, message)).status).toBe(200)
  }
  const variants = path.join(dataDir, 'files/variants')
  await expect.poll(async () => (await readdir(variants)).length).toBe(colours.length * allVariants.length)
  const content = await contentAt(site.url, ownerAccount)
  for (const { path: address } of [createCompleteBackup, exportData, createDatabaseBackup]) {
    expect((await post(site.url, address, {}, { cookie })).status).toBe(200)
  }
  await site.stop()
  return content
}

/** As if the site had begun days ago, so that a sweep would take what it does not know. */
function ageDatabase(dataDir: string) {
  const database = new DatabaseSync(path.join(dataDir, 'vitrina.sqlite'))
  database.exec(`update site set created_at = '${daysBefore(new Date(), 10).toISOString()}'`)
  database.exec('pragma wal_checkpoint(truncate)')
  database.close()
}

async function ageFiles(dataDir: string) {
  const daysAgo = daysBefore(new Date(), 3)
  for (const name of await filesIn(dataDir)) await utimes(path.join(dataDir, name), daysAgo, daysAgo)
}

async function filesIn(folder: string) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return files.map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name))).toSorted()
}

/** In their place or in quarantine. */
async function photosOnDisk(dataDir: string) {
  const names = await filesIn(path.join(dataDir, 'files'))
  return names.flatMap((name) => /^(?:objects|aside)\/.*?([0-9a-f]{64})$/.exec(name)?.slice(1) ?? [])
}

async function flipOneBit(file: string, random: Random) {
  const content = await readFile(file)
  const place = Math.floor(random() * content.length)
  content[place] = (content[place] ?? 0) ^ (1 << Math.floor(random() * 8))
  await writeFile(file, content)
}

const ways: Record<string, (file: string, random: Random) => Promise<void>> = {
  flipped: flipOneBit,
  async garbled(file, random) {
    const content = await readFile(file)
    // Locks are empty files.
    const bytes = content.length > 0 ? content : Buffer.alloc(1024)
    const begin = Math.max(0, Math.floor(bytes.length / 2) - 512)
    for (let index = begin; index < Math.min(bytes.length, begin + 1024); index += 1) bytes[index] = Math.floor(random() * 256)
    await writeFile(file, bytes)
  },
  halved: async (file) => truncate(file, Math.floor((await readFile(file)).length / 2)),
  emptied: (file) => truncate(file, 0),
  removed: (file) => rm(file),
}

async function swap(one: string, other: string) {
  await rename(one, `${one}.swapped`)
  await rename(other, one)
  await rename(`${one}.swapped`, other)
}

/** Every file in every way (of the many variants a few), swaps, and more single bits of the database; in random order. */
async function damagesOf(dataDir: string, random: Random) {
  const all = await filesIn(dataDir)
  const isVariant = (name: string) => name.startsWith('files/variants/')
  const names = [...all.filter((name) => !isVariant(name)), ...all.filter(isVariant).slice(0, 4)]
  const flips: Damage[] = Array.from({ length: rounds(2) }, (_, number) => ({
    what: `vitrina.sqlite flipped, number ${number}`,
    files: ['vitrina.sqlite'],
    apply: (folder) => flipOneBit(path.join(folder, 'vitrina.sqlite'), random),
  }))
  const damages = names.flatMap((name) => {
    const others = names.filter((other) => other !== name)
    const swapped = name === 'vitrina.sqlite' ? others : [others[Math.floor(random() * others.length)] ?? '']
    return [
      ...Object.entries(ways).map(([way, damage]) => ({
        what: `${name} ${way}`,
        files: [name],
        apply: (folder: string) => damage(path.join(folder, name), random),
      })),
      ...swapped.map((other) => ({
        what: `${name} swapped with ${other}`,
        files: [name, other],
        apply: (folder: string) => swap(path.join(folder, name), path.join(folder, other)),
      })),
    ]
  })
  return [...damages, ...flips]
    .map((damage) => ({ damage, place: random() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ damage }) => damage)
}

/** What is wrong with a site after a damage: nothing when it is whole but for what was damaged, or refuses to start as it should. */
async function faultsAfter(dataDir: string, { files }: Damage, before: Content, ofBackup: Content) {
  const photos = await photosOnDisk(dataDir)
  const { child, ended, address } = beginBuiltSite({ ...owner, DATA_DIR: dataDir })
  const url = await address
  const after = url ? await contentAt(url, ownerAccount).catch(String) : undefined
  const isLock = files.some((name) => name.endsWith('.lock'))
  const backupStatus = url && isLock ? await statusOfBackup(url) : 200
  child.kill('SIGTERM')
  const { code, stderr } = await ended
  const left = new Set(await photosOnDisk(dataDir))
  const gone = photos.filter((hash) => !left.has(hash)).map((hash) => `${hash} is gone from the disk`)
  if (after === undefined) return [...gone, ...faultsInRefusal(code, stderr)]
  const faults = [...gone, ...(code === 0 ? [] : [`stopping ended with ${code}: ${stderr}`])]
  if (backupStatus !== 200) faults.push(`a backup is answered ${backupStatus}`)
  // SQLite has no checksums for its pages: a changed bit in a text is a changed text.
  if (files.length === 1 && files[0]?.startsWith('vitrina.sqlite')) return faults
  if (typeof after === 'string') return [...faults, after]
  const isBackup = files.some((name) => name.includes('database_backup'))
  const differences = differencesBetween(before, after, files)
  return isBackup && differencesBetween(ofBackup, after, []).length === 0 ? faults : [...faults, ...differences]
}

/** A lock that cannot be read must not keep the site from what it guards. */
async function statusOfBackup(url: string) {
  const headers = { cookie: await signInAt(url, ownerAccount) }
  return (await fetch(new URL(createDatabaseBackup.path, url), { method: 'POST', headers })).status
}

function differencesBetween(before: Content, after: Content, damaged: readonly string[]) {
  const isWhole = ({ address }: Content['photos'][number]) => !damaged.some((name) => name.endsWith(path.basename(address)))
  const text = (value: unknown) => JSON.stringify(value)
  return [
    ...(['projects', 'messages'] as const).filter((kind) => text(before[kind]) !== text(after[kind])),
    ...before.photos.filter(isWhole).flatMap((photo) => {
      const now = after.photos.find(({ address }) => address === photo.address)
      return text(now) === text(photo) ? [] : [`${photo.address} is answered ${now?.status}`]
    }),
  ].map((difference) => `not as before: ${difference}`)
}

test(`a site of which a file is damaged, ${damagesTried} times, is whole but for that, or does not start and names a cure; no other photo is gone`, {
  timeout: 120_000 + damagesTried * 12_000,
}, async () => {
  const seed = newSeed()
  const random = seededRandom(seed)
  const folder = await temporaryFolder()
  const stopped = path.join(folder, 'stopped')
  const ofBackup = await makeSite(stopped)
  ageDatabase(stopped)
  // Killed right after a write, so that there is a -wal with something in it.
  const killed = path.join(folder, 'killed')
  await cp(stopped, killed, { recursive: true })
  const site = await startSite({ DATA_DIR: killed, RATE_LIMITS: 'off' })
  expect((await post(site.url, sendContact.path, aContact({ name: 'The last one' }))).status).toBe(200)
  const contents = { stopped: ofBackup, killed: await contentAt(site.url, ownerAccount) }
  await site.kill()
  await ageFiles(stopped)
  await ageFiles(killed)
  const damages = { stopped: await damagesOf(stopped, random), killed: await damagesOf(killed, random) }
  for (let round = 0; round < damagesTried; round += 1) {
    const state = round % 2 === 0 ? 'stopped' : 'killed'
    const damage = damages[state][round >> 1]
    if (!damage) break
    const dataDir = path.join(folder, 'data')
    await cp(path.join(folder, state), dataDir, { recursive: true, preserveTimestamps: true })
    await damage.apply(dataDir)
    const faults = await faultsAfter(dataDir, damage, contents[state], ofBackup)
    expect(faults, `TEST_SEED=${seed}, round ${round}: ${state}, ${damage.what}`).toEqual([])
    await rm(dataDir, { recursive: true })
  }
})
