import { daysAside } from '#contract/quarantine.ts'
import { type Clock, day } from '#server/clock.ts'
import type { Database } from '#server/database/open.ts'
import { type Storage, sumOf } from '#server/storage/storage.ts'
import type { Encoder } from './encoder.ts'
import { hashIn, imageName } from './image.rules.ts'
import * as images from './images.queries.ts'

/** A file that was set aside: `aside/2026-11-16.objects.<hash>` was `objects/<hash>` until that day. */
export type AsideFile = { name: string; original: string; hash: string; since: string; bytes: number }

const asideName = /^aside\/(\d{4}-\d\d-\d\d)\.(objects|variants|inquiry-photos)\.(.+)$/

export function nameAside(original: string, today: string) {
  return `aside/${today}.${original.replace('/', '.')}`
}

function readAsideName({ name, bytes }: { name: string; bytes: number }): AsideFile | undefined {
  const [, since = '', folder, rest] = asideName.exec(name) ?? []
  return folder ? { name, original: `${folder}/${rest}`, hash: hashIn(name), since, bytes } : undefined
}

export function dateOf(moment: Date) {
  return moment.toISOString().slice(0, 10)
}

/**
 * What has lain aside long enough. `days` are the dates on which a sweep has run: a clock that is wrong for a moment adds one
 * of them and not thirty. Both must agree, the clock and the count.
 */
function longAside(files: readonly AsideFile[], days: readonly string[], today: string) {
  return files.filter(({ since }) => {
    const counted = days.filter((date) => date > since).length
    return counted >= daysAside && (Date.parse(today) - Date.parse(since)) / day >= daysAside
  })
}

type Stored = { name: string; modifiedAt: Date }

type Situation = {
  files: readonly Stored[]
  /** The images the database knows, or that a project shows. */
  known: ReadonlySet<string>
  /** When the database was made. */
  madeAt: Date
  /** Younger files may not be in the database yet. */
  before: Date
}

/** A killed process leaves a few images; more are unknown because the database is wrong or damaged. */
const maxStray = 5

/** The files the database does not know that may be set aside; none when the database may be at fault. */
export function strayFiles({ files, known, madeAt, before }: Situation) {
  const unknown = files.filter(({ name }) => !known.has(hashIn(name)))
  const old = unknown.filter(({ modifiedAt }) => modifiedAt < before)
  const images = new Set(old.map(({ name }) => hashIn(name))).size
  const isDoubtful = known.size === 0 || images > maxStray || old.some(({ modifiedAt }) => modifiedAt < madeAt)
  return { stray: isDoubtful ? [] : old.map(({ name }) => name), untouched: isDoubtful ? images : 0 }
}

/** The dates on which a sweep has run while something lay aside. */
const daysName = 'aside/days'

async function listAside(storage: Storage): Promise<AsideFile[]> {
  return (await storage.list('aside')).flatMap((file) => readAsideName(file) ?? [])
}

/** The images themselves, not their smaller copies. */
export async function listHashesAside(storage: Storage) {
  return new Set((await listAside(storage)).flatMap(({ original, hash }) => (original.startsWith('objects/') ? hash : [])))
}

export async function setAside({ storage, clock }: { storage: Storage; clock: Clock }, names: readonly string[]) {
  for (const name of names) await storage.move(name, nameAside(name, dateOf(clock.now())))
}

/** What lies aside, for people. */
export async function describeAside(storage: Storage) {
  const files = await listAside(storage)
  const originals = files.filter(({ original }) => original.startsWith('objects/'))
  return {
    photos: originals.length,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    since: originals.map(({ since }) => since).toSorted()[0] ?? null,
  }
}

type Parts = { database: Database; storage: Storage; clock: Clock; encoder: Pick<Encoder, 'judge'> }

/**
 * Brings back what lies aside and is wanted, and inserts again what a project shows and only the storage has: after going
 * back to another database, an import, or an image that came again while it was being set aside.
 */
export async function bringBackWanted({ database: { db }, storage, clock, encoder }: Parts) {
  const shown = new Set(await images.listShown(db))
  const known = new Set(await images.listHashes(db))
  const wanted = await images.listWanted(db)
  const failures: unknown[] = []
  for (const file of await listAside(storage)) {
    if (!wanted.has(file.hash)) continue
    // One that cannot be moved must not keep the others aside.
    await bringBack(storage, file).catch((error: unknown) => failures.push(error))
  }
  for (const hash of shown) {
    if (known.has(hash)) continue
    const content = await storage.read(imageName(hash))
    if (!content) continue
    // One that is damaged stays unknown.
    const judged = await encoder.judge(content).catch(() => undefined)
    if (judged?.hash !== hash) continue
    await images.insertImages(db, [{ ...judged, bytes: content.length, createdAt: clock.now().toISOString() }])
  }
  if (failures.length > 0) throw failures[0]
}

/** One that was uploaded again meanwhile is whole where it belongs: its copy would be counted for ever. */
async function bringBack(storage: Storage, { name, original, hash }: AsideFile) {
  const isVariant = original.startsWith('variants/')
  const isThere = isVariant ? await storage.has(original) : (await sumOf(original, storage)) === hash
  await (isThere ? storage.remove(name) : storage.move(name, original))
}

/** Removes for good what has lain aside for long enough and is not wanted: the only place where an image is deleted. */
export async function removeLongAside({ database: { db }, storage, clock }: Omit<Parts, 'encoder'>) {
  const files = await listAside(storage)
  if (files.length === 0) return storage.remove(daysName)
  const today = dateOf(clock.now())
  const days = await readDays(storage)
  if (!days.includes(today)) await storage.put(daysName, Buffer.from(JSON.stringify([...days, today])))
  const wanted = await images.listWanted(db)
  for (const { name, hash } of longAside(files, days, today)) if (!wanted.has(hash)) await storage.remove(name)
}

/** Empty when it is lost or damaged: the days are then counted again. */
async function readDays(storage: Storage): Promise<string[]> {
  try {
    const days: unknown = JSON.parse((await storage.read(daysName))?.toString('utf8') ?? '[]')
    return Array.isArray(days) ? days.map(String) : []
  } catch {
    return []
  }
}
