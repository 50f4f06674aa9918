import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { maxImageBytes } from '#contract/contact-fields.ts'
import { day } from '#server/clock.ts'
import { slice } from '#server/database/slices.ts'
import type { Encoder } from '#server/features/images/encoder.ts'
import { limitBody } from '#server/http/body-limits.ts'
import { Problem } from '#server/http/problem.ts'
import { countTowards } from '#server/http/request-counts.ts'
import { countedAddress } from '#server/http/visitor.ts'
import { ranDaysBefore } from '#server/jobs/running-time.ts'
import type { Site } from '#server/site.ts'
import type { OpenFile } from '#server/storage/storage.ts'
import * as queries from './photos.queries.ts'
import { contactPhotoName } from './photos.queries.ts'

type PhotoSite = Pick<Site, 'config' | 'database' | 'storage' | 'clock'> & { encoder: Pick<Encoder, 'prepareVisitors'> }
type Prepared = Awaited<ReturnType<Encoder['prepareVisitors']>>

/** In pixels: enough to see a ship's rigging, in a megabyte or less. */
const longestSide = 2_400

/** Of one visitor: those of five messages. */
export const photosOfVisitor = {
  max: 20,
  timeWindow: 60 * 60 * 1000,
  name: 'photos of a visitor',
  refusal: 'too_many_photos',
} as const

const megabyte = 1024 * 1024

/** Of all visitors together. */
export const photoLimits = {
  /** Fifty messages with four photos. */
  perDay: { photos: 500, bytes: 250 * megabyte },
  /** Stored altogether: some thousands. */
  bytes: 4096 * megabyte,
  /** Room on the disk that is left to the maker. */
  leastFree: 512 * megabyte,
  /** At once, in this process: each takes up to 10 MB of the disk until it is encoded. */
  atOnce: 24,
  /** Those of two messages: two addresses cannot block all others with uploads that never end. */
  atOnceOfVisitor: 8,
}

/** A photo whose bytes have arrived: it is to be kept or dropped. */
export type ArrivedPhoto = {
  /** Judges and stores it, and returns the ticket that binds it to a message. */
  keep(): Promise<string>
  /** Does nothing to what is kept already. */
  drop(): Promise<void>
}

/** The visitors whose photos are arriving in this process, once for each photo. */
const arriving: string[] = []

export async function receivePhoto(
  site: PhotoSite,
  content: Readable | AsyncIterable<Buffer>,
  ip: string,
): Promise<ArrivedPhoto> {
  const { storage, encoder } = site
  const visitor = countedAddress(ip)
  const own = arriving.filter((each) => each === visitor)
  if (arriving.length >= photoLimits.atOnce || own.length >= photoLimits.atOnceOfVisitor) throw new Problem('too_many_photos')
  const draft = storage.newDraft()
  arriving.push(visitor)
  let isOpen = true
  const drop = async () => {
    if (!isOpen) return
    isOpen = false
    arriving.splice(arriving.indexOf(visitor), 1)
    // A draft that cannot be removed now is cleared after a day.
    await draft.drop().catch(() => {})
  }
  try {
    await refuseWithoutRoom(site)
    await draft.write(Readable.from(limitBody(content, maxImageBytes, 'image_too_large'), { objectMode: false }))
  } catch (error) {
    await drop()
    throw content instanceof Readable && content.destroyed && !(error instanceof Problem)
      ? new Problem('upload_interrupted', { cause: error })
      : error
  }
  const load = async () => readAll(await draft.open())
  const keep = async () => store(site, await encoder.prepareVisitors(load, longestSide))
  return { keep: () => keep().finally(drop), drop }
}

/** Before any of the photo is read. */
async function refuseWithoutRoom({ database: { db }, storage }: PhotoSite) {
  const [stored, free] = await Promise.all([queries.sumBytes(db), storage.freeBytes()])
  if (stored >= photoLimits.bytes || free < photoLimits.leastFree) throw new Problem('too_many_photos')
}

/** Its row first: a process that is killed in between would leave a file of which nothing is known. */
async function store({ config, database: { db }, storage, clock }: PhotoSite, photo: Prepared) {
  const { content, hash, contentType, width, height } = photo
  const ticket = randomBytes(32).toString('base64url')
  const id = queries.idOfTicket(ticket)
  const now = clock.now()
  const bytes = content.length
  await db.transaction().execute(async (tx) => {
    if (config.rateLimits) await countTowardsDay(tx, bytes, now)
    await queries.insertPhoto(tx, { id, hash, contentType, bytes, width, height, createdAt: now.toISOString() })
  })
  await storage.put(contactPhotoName(hash), content)
  return ticket
}

export async function openPhoto({ database, storage }: Pick<Site, 'database' | 'storage'>, hash: string) {
  const photo = await queries.findPhoto(database.db, hash)
  const file = photo && (await storage.stream(contactPhotoName(hash)))
  return file && { ...file, contentType: photo.contentType }
}

async function countTowardsDay(tx: Parameters<typeof countTowards>[0], bytes: number, now: Date) {
  const counts = [
    { subject: 'photos of all visitors', amount: 1, max: photoLimits.perDay.photos },
    { subject: 'bytes of photos of all visitors', amount: bytes, max: photoLimits.perDay.bytes },
  ]
  for (const { subject, amount, max } of counts) {
    const { count } = await countTowards(tx, subject, { amount, now, timeWindow: day })
    if (count > max) throw new Problem('too_many_photos')
  }
}

async function readAll(file: OpenFile) {
  return file.read(0, file.bytes).finally(() => file.close())
}

type SweptSite = Pick<Site, 'database' | 'storage' | 'clock'>

/** Removes photos that belong to no message: it was not sent within a day, or it was deleted. */
export async function sweepPhotos(site: SweptSite, { most = Number.POSITIVE_INFINITY } = {}) {
  const { database, clock } = site
  const since = await ranDaysBefore(database.db, clock, queries.daysUnbound)
  let removed = 0
  for (;;) {
    const unbound = await queries.listUnbound(database.db, since)
    for (const photo of unbound) {
      if (!(await queries.hasOtherOf(database.db, photo))) await removeFile(site, photo)
      await queries.removePhoto(database.db, photo.id)
    }
    removed += unbound.length
    if (unbound.length < slice || removed >= most) return
  }
}

async function removeFile({ database, storage }: SweptSite, photo: { id: string; hash: string }) {
  const name = contactPhotoName(photo.hash)
  const content = await storage.read(name)
  if (!content) return
  await storage.remove(name)
  // The same photo may have been sent again in this moment.
  if (await queries.hasOtherOf(database.db, photo)) await storage.put(name, content)
}
