import { randomUUID } from 'node:crypto'
import type { Database } from '#server/database/open.ts'
import type { NewImage } from '#server/database/tables.ts'
import type { OpenFile, Storage } from '#server/storage/storage.ts'
import { sumOf } from '#server/storage/sum-of.ts'
import * as queries from './backups.queries.ts'
import { checkImages, type JudgedImage, type JudgeImage, newLanes, readIn } from './check-images.ts'
import { ensureRoom } from './disk-room.ts'
import { inLanes } from './lanes.ts'
import { changesNothing, mergeAtOnce, mergeRecords, reportOf } from './merge-records.ts'
import { type ImageInArchive, openArchive } from './open-archive.ts'
import type { Progress } from './progress.ts'

/** Keeps how things are before the work; not for longer, when it has changed nothing. */
export type WithRestorePoint = <Report>(
  work: () => Promise<{ report: Report; isChanged: boolean }>,
) => Promise<Report & { restorePoint: string | null }>

type Parts = {
  database: Database
  storage: Storage
  images: { nameOf(hash: string): string; judge: JudgeImage; lock: string }
  now: Date
  withRestorePoint: WithRestorePoint
  progress: Progress
}

/**
 * Checks the whole archive, then adds the photos (which nothing refers to yet), then keeps a restore point, then changes the
 * records in one transaction. Stopped at any moment, the site is wholly as before or wholly as after.
 */
export async function restoreArchive(file: OpenFile, parts: Parts) {
  const { database, storage, images, now, withRestorePoint, progress } = parts
  const newcomer = { newId: randomUUID, now: now.toISOString() }
  const archive = await openArchive(file)
  const { records } = archive
  const isThere = await imagesThere(parts)
  const isMissing = async (image: ImageInArchive) => !isThere(image) || !(await isSound(image, parts))
  const facts = await checkImages(archive.images, isMissing, images.judge, progress)
  const missing = archive.images.filter(({ hash }) => facts.has(hash))
  const counts = { added: missing.length, alreadyThere: archive.images.length - missing.length }

  await ensureRoom(storage, sum(missing))
  await storeImages(missing, facts, parts)
  // Only now, because photos may take minutes: what somebody changes meanwhile is in it.
  return withRestorePoint(async () => {
    const rows = missing.map(({ hash, bytes }) => ({ ...facts.get(hash), hash, bytes, createdAt: newcomer.now }) as NewImage)
    const merged = await mergeAtOnce({ database, storage, lock: images.lock }, records, async (tx, here) => {
      await queries.insertImages(tx, rows)
      return mergeRecords(tx, here, 'restore', newcomer)
    })
    const report = { ...reportOf(merged, counts), shown: merged.shown, newImages: missing.map(({ hash }) => hash) }
    return { report, isChanged: missing.length > 0 || !changesNothing(merged) }
  })
}

/** A photo is there when both its bytes and what is known of it are. */
async function imagesThere({ database: { db }, storage, images }: Parts) {
  const known = new Set(await queries.listImageHashes(db))
  const stored = new Map((await storage.list('objects')).map(({ name, bytes }) => [name, bytes]))
  return ({ hash, bytes }: ImageInArchive) => known.has(hash) && stored.get(images.nameOf(hash)) === bytes
}

/** What a disk has damaged is as good as missing. */
async function isSound({ hash }: ImageInArchive, { storage, images }: Parts) {
  return (await sumOf(images.nameOf(hash), storage)) === hash
}

async function storeImages(
  missing: readonly ImageInArchive[],
  facts: ReadonlyMap<string, JudgedImage>,
  { storage, images, progress }: Parts,
) {
  let done = 0
  await inLanes(missing, newLanes(), async (image, lane) => {
    const { contentType = '' } = facts.get(image.hash) ?? {}
    await storage.put(images.nameOf(image.hash), await readIn(lane, image), { contentType })
    done += 1
    progress('storing', done, missing.length)
  })
}

function sum(images: readonly ImageInArchive[]) {
  return images.reduce((total, { bytes }) => total + bytes, 0)
}
