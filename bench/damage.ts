import { cp, readdir, readFile, rename, rm, truncate, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseSync } from '@photostructure/sqlite'
import { createCompleteBackup, createDatabaseBackup, exportData } from '#contract/backups.ts'
import { sendContact } from '#contract/contacts.ts'
import { checkHealth } from '#contract/health.ts'
import { createProject } from '#contract/projects.admin.ts'
import { day } from '#server/clock.ts'
import { allVariants } from '#server/features/images/image.rules.ts'
import { beginBuiltSite, startBuiltSite } from '#tests/built-site.ts'
import { post, signInAt } from '#tests/calls.ts'
import { aContact, aProject } from '#tests/factories.ts'
import { aPhoto } from '#tests/photos.ts'
import { type Content, contentAt } from '#tests/process/content.ts'
import { faultsInRefusal } from '#tests/process/kill-starts.ts'
import { uploadPhoto } from '#tests/upload-photo.ts'
import { childrenOf } from './site.ts'

export const maker = { username: 'maker', password: 'a long password' }
export const settingsFor = (dataDir: string) => ({
  DATA_DIR: dataDir,
  ADMIN_USERNAME: maker.username,
  ADMIN_PASSWORD: maker.password,
  RATE_LIMITS: 'off',
})

const colours = ['#b8893b', '#22557a', '#7a2233', '#3b7a22', '#553377', '#777733']

/** Six projects with a photo each, thirty messages, and one backup of each kind. Still running when this answers. */
export async function aSiteWithEverything(dataDir: string) {
  const site = await startBuiltSite(settingsFor(dataDir))
  const cookie = await signInAt(site.url, maker)
  const send = async (address: string, body?: unknown) => {
    const headers = { cookie, ...(body !== undefined && { 'content-type': 'application/json' }) }
    const response = await fetch(new URL(address, site.url), {
      method: 'POST',
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${address} answers ${response.status}: ${await response.text()}`)
  }
  for (const [index, colour] of colours.entries()) {
    const imageUrl = await uploadPhoto(site.url, cookie, await aPhoto({ width: 700, height: 500, colour }))
    await send(
      createProject.path,
      aProject({ title: `Model ${index}`, imageUrl, description: `Built with care. `.repeat(100) }),
    )
  }
  for (let number = 0; number < 30; number += 1) {
    const response = await post(
      site.url,
      sendContact.path,
      aContact({ name: `Visitor ${number}`, message: `Question ${number}. `.repeat(20) }),
    )
    if (!response.ok) throw new Error(await response.text())
  }
  while (childrenOf(site.pid).length > 0 && (await copiesIn(dataDir)) < colours.length * allVariants.length) await pause(200)
  const content = await contentAt(site.url, maker)
  for (const address of [createCompleteBackup.path, exportData.path, createDatabaseBackup.path]) await send(address)
  return { site, cookie, send, content }
}

async function copiesIn(dataDir: string) {
  return (await readdir(path.join(dataDir, 'files/variants')).catch(() => [])).length
}

/** As if all this had happened days ago, so that what sweeps old files takes them for old. */
export async function age(dataDir: string) {
  const database = new DatabaseSync(path.join(dataDir, 'vitrina.sqlite'))
  database.exec(`update site set created_at = '${new Date(Date.now() - 10 * day).toISOString()}'`)
  database.exec('pragma wal_checkpoint(truncate)')
  database.close()
  await ageFiles(dataDir)
}

export async function ageFiles(dataDir: string) {
  const then = new Date(Date.now() - 3 * day)
  for (const name of await filesIn(path.join(dataDir, 'files'))) await utimes(path.join(dataDir, 'files', name), then, then)
}

async function filesIn(folder: string) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .toSorted()
}

/** The photos on the disk, in their place or aside. */
export async function photosOnDisk(dataDir: string) {
  const names = await filesIn(path.join(dataDir, 'files'))
  return names.flatMap((name) => (/^(?:objects|aside)\/.*?([0-9a-f]{64})$/.exec(name)?.[1] ?? []) as string | [])
}

type Random = () => number
type Damage = (file: string, random: Random) => Promise<void>

const damages: Record<string, Damage> = {
  flipped: flipOneBit,
  async garbled(file, random) {
    // Files that only lock are empty as they should be.
    const found = await readFile(file)
    const content = found.length > 0 ? found : Buffer.alloc(1024)
    const begin = Math.max(0, Math.floor(content.length / 2) - 512)
    for (let index = begin; index < Math.min(content.length, begin + 1024); index += 1)
      content[index] = Math.floor(random() * 256)
    await writeFile(file, content)
  },
  async halved(file) {
    await truncate(file, Math.floor((await readFile(file)).length / 2))
  },
  emptied: (file) => truncate(file, 0),
  removed: (file) => rm(file),
}

async function flipOneBit(file: string, random: Random) {
  const content = await readFile(file)
  const place = Math.floor(random() * content.length)
  content[place] = (content[place] ?? 0) ^ (1 << Math.floor(random() * 8))
  await writeFile(file, content)
}

async function swap(one: string, other: string) {
  await rename(one, `${one}.swapped`)
  await rename(other, one)
  await rename(`${one}.swapped`, other)
}

type Case = { state: string; what: string; files: string[]; apply: (dataDir: string) => Promise<void> }

/**
 * Every file of a data folder damaged in every way in turn; of those that are many, four. SQLite has no checksums for its
 * pages: a flipped bit in a text is a changed text, and is counted apart.
 */
export async function benchDamage(folder: string, bitFlips: number, random: Random) {
  const clean = path.join(folder, 'clean')
  const killed = path.join(folder, 'killed')
  const made = await aSiteWithEverything(clean)
  await made.site.stop()
  await age(clean)
  // Killed right after a write, so that there is a -wal with something in it.
  await cp(clean, killed, { recursive: true })
  const running = await startBuiltSite(settingsFor(killed))
  await post(running.url, sendContact.path, aContact({ name: 'The last one' }))
  const lastContent = await contentAt(running.url, maker)
  await running.kill()
  await ageFiles(killed)
  await rm(path.join(killed, 'files/backups'), { recursive: true })
  await cp(path.join(clean, 'files/backups'), path.join(killed, 'files/backups'), { recursive: true })
  const contents: Record<string, Content> = { clean: made.content, killed: lastContent }

  const tally = {
    cases: 0,
    whole: 0,
    wholeButThatPhoto: 0,
    refused: 0,
    asInTheBackup: 0,
    changedRecords: 0,
    unreadableRecords: 0,
  }
  const refusals: Record<string, number> = {}
  const changed: string[] = []
  const findings: unknown[] = []
  for (const [state, content] of Object.entries(contents)) {
    const source = path.join(folder, state)
    const cases = await casesFor(source, state, bitFlips, random)
    for (const [number, each] of cases.entries()) {
      const dataDir = path.join(folder, `${state}-${number}`)
      await cp(source, dataDir, { recursive: true, preserveTimestamps: true })
      await each.apply(dataDir)
      const { outcome, details } = await judge(dataDir, each, content, contents.clean as Content)
      tally.cases += 1
      if (outcome === 'finding') findings.push({ state, what: each.what, details })
      else tally[outcome] += 1
      if (outcome === 'refused') refusals[details[0] ?? ''] = (refusals[details[0] ?? ''] ?? 0) + 1
      if (outcome === 'changedRecords' || outcome === 'unreadableRecords')
        changed.push(`${state}, ${each.what}: ${details.join('; ')}`)
      await rm(dataDir, { recursive: true, force: true })
    }
  }
  return { ...tally, files: (await filesIn(clean)).length, refusals, changed, findings }
}

async function casesFor(source: string, state: string, bitFlips: number, random: Random) {
  const all = await filesIn(source)
  const many = ['files/objects/', 'files/variants/']
  const chosen = [
    ...all.filter((name) => !many.some((folder) => name.startsWith(folder))),
    ...many.flatMap((folder) => all.filter((name) => name.startsWith(folder)).slice(0, 4)),
  ]
  const one = (names: string[]) => names[Math.floor(random() * names.length)] ?? ''
  const cases: Case[] = []
  for (const name of chosen) {
    for (const [kind, damage] of Object.entries(damages))
      cases.push({
        state,
        what: `${name} ${kind}`,
        files: [name],
        apply: (dataDir) => damage(path.join(dataDir, name), random),
      })
    const isMain = name === 'vitrina.sqlite'
    const others = isMain ? chosen.filter((other) => other !== name) : [one(chosen.filter((other) => other !== name))]
    for (const other of others)
      cases.push({
        state,
        what: `${name} swapped with ${other}`,
        files: [name, other],
        apply: (dataDir) => swap(path.join(dataDir, name), path.join(dataDir, other)),
      })
  }
  for (let flip = 0; flip < bitFlips; flip += 1)
    cases.push({
      state,
      what: `vitrina.sqlite flipped, number ${flip}`,
      files: ['vitrina.sqlite'],
      apply: (dataDir) => flipOneBit(path.join(dataDir, 'vitrina.sqlite'), random),
    })
  return cases
}

type Verdict = {
  outcome: 'whole' | 'wholeButThatPhoto' | 'refused' | 'asInTheBackup' | 'changedRecords' | 'unreadableRecords' | 'finding'
  details: string[]
}

async function judge(dataDir: string, { files }: Case, before: Content, ofBackup: Content): Promise<Verdict> {
  const photos = new Set(await photosOnDisk(dataDir))
  const { child, ended, address } = beginBuiltSite(settingsFor(dataDir))
  const url = await address
  const found = url ? await contentAt(url, maker).catch((error: unknown) => String(error)) : undefined
  const locks = url && files.some((name) => name.endsWith('.lock')) ? await faultsOfBackups(url) : []
  const health = url && (await fetch(new URL(checkHealth.path, url))).status
  child.kill('SIGTERM')
  const { code, stderr } = await ended
  const after = new Set(await photosOnDisk(dataDir))
  const gone = [...photos].filter((hash) => !after.has(hash))
  if (gone.length > 0) return { outcome: 'finding', details: [`${gone.length} photos are gone from the disk`, stderr] }
  if (found === undefined) {
    const faults = faultsInRefusal(code, stderr)
    const sentence = stderr.split('\n')[0]?.replaceAll(dataDir, 'DATA_DIR') ?? ''
    return { outcome: faults.length > 0 ? 'finding' : 'refused', details: faults.length > 0 ? [...faults, stderr] : [sentence] }
  }
  const touchesDatabase = files.some((name) => name.startsWith('vitrina.sqlite'))
  if (typeof found === 'string') {
    return {
      outcome: touchesDatabase && files.length === 1 ? 'unreadableRecords' : 'finding',
      details: [found, `health ${health}`],
    }
  }
  if (locks.length > 0) return { outcome: 'finding', details: locks }
  if (code !== 0) return { outcome: 'finding', details: [`stopping ended with ${code}`, stderr] }
  const differences = differencesBetween(before, found, new Set(files.map((name) => path.basename(name))))
  if (differences.length === 0) {
    const isWhole = found.photos.every(({ status }) => status === 200)
    return {
      outcome: isWhole && !files.some((name) => name.startsWith('files/objects')) ? 'whole' : 'wholeButThatPhoto',
      details: [],
    }
  }
  const isSwap = files.length === 2 && files.some((name) => name.includes('database_backup'))
  if (isSwap && differencesBetween(ofBackup, found, new Set()).length === 0) return { outcome: 'asInTheBackup', details: [] }
  return { outcome: touchesDatabase && files.length === 1 ? 'changedRecords' : 'finding', details: differences }
}

/** A lock that cannot be read must not keep the site from what it guards. */
async function faultsOfBackups(url: string) {
  const headers = { cookie: await signInAt(url, maker) }
  const { status } = await fetch(new URL(createDatabaseBackup.path, url), { method: createDatabaseBackup.method, headers })
  return status === 200 ? [] : [`a database backup is answered ${status}`]
}

/** Of the photos whose own file was damaged, anything goes; of nothing else. */
function differencesBetween(before: Content, found: Content, damaged: ReadonlySet<string>) {
  const differences: string[] = []
  const text = (value: unknown) => JSON.stringify(value)
  for (const key of ['projects', 'messages'] as const) {
    if (before[key].length !== found[key].length)
      differences.push(`${before[key].length} ${key} before, ${found[key].length} now`)
    else {
      const count = before[key].filter((record, index) => text(record) !== text(found[key][index])).length
      if (count > 0) differences.push(`${count} ${key} differ`)
    }
  }
  for (const photo of before.photos) {
    const now = found.photos.find(({ address }) => address === photo.address)
    if (text(now) !== text(photo) && !damaged.has(path.basename(photo.address)))
      differences.push(`${photo.address}: ${now ? now.status : 'not shown'}`)
  }
  return differences
}
