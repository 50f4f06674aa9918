import { quarantineDays } from '#contract/images.ts'
import { type Clock, day } from '#server/clock.ts'
import type { Database } from '#server/database/open.ts'
import { type Storage, sumOf } from '#server/storage/storage.ts'
import type { Encoder } from './encoder.ts'
import { hashIn, imageName } from './image.rules.ts'
import * as images from './images.queries.ts'

/** `aside/2026-11-16.objects.<hash>` was `objects/<hash>` until that day. */
export type QuarantinedFile = { name: string; original: string; hash: string; since: string; bytes: number }

const quarantinedName = /^aside\/(\d{4}-\d\d-\d\d)\.(objects|variants|inquiry-photos)\.(.+)$/

export function nameInQuarantine(original: string, today: string) {
  return `aside/${today}.${original.replace('/', '.')}`
}

function readQuarantinedName({ name, bytes }: { name: string; bytes: number }): QuarantinedFile | undefined {
  const [, since = '', folder, rest] = quarantinedName.exec(name) ?? []
  return folder ? { name, original: `${folder}/${rest}`, hash: hashIn(name), since, bytes } : undefined
}

export function dateOf(moment: Date) {
  return moment.toISOString().slice(0, 10)
}

/**
 * Files that were in quarantine long enough. `days` are the dates on which a sweep has run: a clock that is wrong for a moment
 * adds one of them and not thirty. Both the clock and the count must agree.
 */
function expiredFiles(files: readonly QuarantinedFile[], days: readonly string[], today: string) {
  return files.filter(({ since }) => {
    const counted = days.filter((date) => date > since).length
    return counted >= quarantineDays && (Date.parse(today) - Date.parse(since)) / day >= quarantineDays
  })
}

type Stored = { name: string; modifiedAt: Date }

type Situation = {
  files: readonly Stored[]
  /** The images that are in the database, or that something shows. */
  needed: ReadonlySet<string>
  /** When the database was made. */
  madeAt: Date
  /** Younger files may not be in the database yet. */
  before: Date
}

/** A killed process leaves a few images; more than this mean that the database is wrong or damaged. */
const maxStray = 5

/** The files that are not in the database and go into quarantine; none when the database itself may be wrong. */
export function strayFiles({ files, needed, madeAt, before }: Situation) {
  const unknown = files.filter(({ name }) => !needed.has(hashIn(name)))
  const old = unknown.filter(({ modifiedAt }) => modifiedAt < before)
  const images = new Set(old.map(({ name }) => hashIn(name))).size
  const isDoubtful = needed.size === 0 || images > maxStray || old.some(({ modifiedAt }) => modifiedAt < madeAt)
  return { stray: isDoubtful ? [] : old.map(({ name }) => name), untouched: isDoubtful ? images : 0 }
}

/** The dates on which a sweep has run while something was in quarantine. */
const daysName = 'aside/days'

async function listQuarantine(storage: Storage): Promise<QuarantinedFile[]> {
  return (await storage.list('aside')).flatMap((file) => readQuarantinedName(file) ?? [])
}

/** The images themselves, not their smaller copies. */
export async function listQuarantinedHashes(storage: Storage) {
  return new Set((await listQuarantine(storage)).flatMap(({ original, hash }) => (original.startsWith('objects/') ? hash : [])))
}

export async function quarantine({ storage, clock }: { storage: Storage; clock: Clock }, names: readonly string[]) {
  for (const name of names) await storage.move(name, nameInQuarantine(name, dateOf(clock.now())))
}

/** For the panel. */
export async function describeQuarantine(storage: Storage) {
  const files = await listQuarantine(storage)
  const originals = files.filter(({ original }) => original.startsWith('objects/'))
  return {
    photos: originals.length,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    since: originals.map(({ since }) => since).toSorted()[0] ?? null,
  }
}

type Parts = { database: Database; storage: Storage; clock: Clock; encoder: Pick<Encoder, 'judge'> }

/**
 * Moves files that are needed again out of quarantine, and inserts images that something shows and only the storage has: after
 * going back to another database, an import, or an upload during the sweep.
 */
export async function releaseNeeded({ database: { db }, storage, clock, encoder }: Parts) {
  const shown = new Set(await images.listShown(db))
  const stored = new Set(await images.listHashes(db))
  const needed = await images.listNeeded(db)
  const failures: unknown[] = []
  for (const file of await listQuarantine(storage)) {
    if (!needed.has(file.hash)) continue
    // One that cannot be moved must not keep the others in quarantine.
    await release(storage, file).catch((error: unknown) => failures.push(error))
  }
  for (const hash of shown) {
    if (stored.has(hash)) continue
    const content = await storage.read(imageName(hash))
    if (!content) continue
    // A damaged one is not inserted.
    const judged = await encoder.judge(content).catch(() => undefined)
    if (judged?.hash !== hash) continue
    await images.insertImages(db, [{ ...judged, bytes: content.length, createdAt: clock.now().toISOString() }])
  }
  if (failures.length > 0) throw failures[0]
}

/** One that was uploaded again is in its place already: its copy is removed, or it would stay in quarantine for ever. */
async function release(storage: Storage, { name, original, hash }: QuarantinedFile) {
  const isVariant = original.startsWith('variants/')
  const isThere = isVariant ? await storage.has(original) : (await sumOf(original, storage)) === hash
  await (isThere ? storage.remove(name) : storage.move(name, original))
}

/** Deletes what was in quarantine long enough and is not needed: the only place where an image is deleted. */
export async function removeExpired({ database: { db }, storage, clock }: Omit<Parts, 'encoder'>) {
  const files = await listQuarantine(storage)
  if (files.length === 0) return storage.remove(daysName)
  const today = dateOf(clock.now())
  const days = await readDays(storage)
  if (!days.includes(today)) await storage.put(daysName, Buffer.from(JSON.stringify([...days, today])))
  const needed = await images.listNeeded(db)
  for (const { name, hash } of expiredFiles(files, days, today)) if (!needed.has(hash)) await storage.remove(name)
}

/** None when the file is lost or damaged: the days are then counted again from the start. */
async function readDays(storage: Storage): Promise<string[]> {
  try {
    const days: unknown = JSON.parse((await storage.read(daysName))?.toString('utf8') ?? '[]')
    return Array.isArray(days) ? days.map(String) : []
  } catch {
    return []
  }
}
