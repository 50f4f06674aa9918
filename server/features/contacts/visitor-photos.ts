import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { maxImageBytes } from '#contract/contact-fields.ts'
import { type Clock, day } from '#server/clock.ts'
import type { Database } from '#server/database/open.ts'
import { slice } from '#server/database/slices.ts'
import { limitBody } from '#server/http/limit-body.ts'
import { Problem } from '#server/http/problem.ts'
import { countTowards } from '#server/http/request-counts.ts'
import { countedAddress } from '#server/http/visitor-address.rules.ts'
import { ranDaysBefore } from '#server/running-time.ts'
import type { OpenFile, Storage } from '#server/storage/storage.ts'
import * as queries from './photos.queries.ts'
import { contactPhotoName } from './photos.queries.ts'

type Prepared = { hash: string; contentType: string; width: number; height: number; content: Buffer }

type Stores = { database: Database; storage: Storage; clock: Clock }

type Parts = Stores & {
  /** Judges a photo and encodes it anew, its longest side at most so long. */
  prepare(load: () => Promise<Buffer>, longestSide: number): Promise<Prepared>
  hasLimits: boolean
}

/** Enough to see a ship's rigging on, and a megabyte or less. */
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
  /** Kept at all: some thousands. */
  bytes: 4096 * megabyte,
  /** Room on the disk that is the maker's. */
  leastFree: 512 * megabyte,
  /** At once, in this process: each takes up to 10 MB of the disk until it is encoded. */
  atOnce: 24,
  /** Those of two messages: two addresses do not fill all places with forms that never end. */
  atOnceOfVisitor: 8,
}

export type VisitorPhotos = ReturnType<typeof createVisitorPhotos>

/** A photo whose bytes have arrived: it is to be kept or dropped. */
export type ArrivedPhoto = {
  /** Judges and stores it, and answers the ticket that binds it to a message. */
  keep(): Promise<string>
  /** Does nothing to what is kept already. */
  drop(): Promise<void>
}

export function createVisitorPhotos({ database, storage, clock, prepare, hasLimits }: Parts) {
  const { db } = database
  /** Whose photo is in each place. */
  const places: string[] = []

  async function receive(content: Readable | AsyncIterable<Buffer>, ip: string): Promise<ArrivedPhoto> {
    const visitor = countedAddress(ip)
    const own = places.filter((each) => each === visitor)
    if (places.length >= photoLimits.atOnce || own.length >= photoLimits.atOnceOfVisitor) throw new Problem('too_many_photos')
    const draft = storage.newDraft()
    places.push(visitor)
    let isOpen = true
    const drop = async () => {
      if (!isOpen) return
      isOpen = false
      places.splice(places.indexOf(visitor), 1)
      // What stays behind is cleared after a day.
      await draft.drop().catch(() => {})
    }
    try {
      await refuseWithoutRoom()
      await draft.write(Readable.from(limitBody(content, maxImageBytes, 'image_too_large'), { objectMode: false }))
    } catch (error) {
      await drop()
      throw content instanceof Readable && content.destroyed && !(error instanceof Problem)
        ? new Problem('upload_interrupted', { cause: error })
        : error
    }
    const load = async () => readAll(await draft.open())
    return { keep: () => prepare(load, longestSide).then(store).finally(drop), drop }
  }

  /** Before anything of it is read. */
  async function refuseWithoutRoom() {
    const [kept, free] = await Promise.all([queries.sumBytes(db), storage.freeBytes()])
    if (kept >= photoLimits.bytes || free < photoLimits.leastFree) throw new Problem('too_many_photos')
  }

  /** Its row first: a process that is killed in between leaves nothing that no sweep knows. */
  async function store({ content, hash, contentType, width, height }: Prepared) {
    const ticket = randomBytes(32).toString('base64url')
    const id = queries.idOfTicket(ticket)
    const now = clock.now()
    const bytes = content.length
    await db.transaction().execute(async (tx) => {
      if (hasLimits) await countTowardsDay(tx, bytes, now)
      await queries.insertPhoto(tx, { id, hash, contentType, bytes, width, height, createdAt: now.toISOString() })
    })
    await storage.put(contactPhotoName(hash), content)
    return ticket
  }

  return {
    receive,

    async find(hash: string) {
      const photo = await queries.findPhoto(db, hash)
      const file = photo && (await storage.stream(contactPhotoName(hash)))
      return file && { ...file, contentType: photo.contentType }
    },
  }
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

/** Photos that belong to no message: it was not sent within a day, or it was deleted. At most some at a time, if so wanted. */
export async function sweepPhotos(parts: Stores, { most = Number.POSITIVE_INFINITY } = {}) {
  const { database, clock } = parts
  const since = await ranDaysBefore(database.db, clock, queries.daysUnbound)
  let removed = 0
  for (;;) {
    const unbound = await queries.listUnbound(database.db, since)
    for (const photo of unbound) {
      if (!(await queries.hasOtherOf(database.db, photo))) await removeFile(parts, photo)
      await queries.removePhoto(database.db, photo.id)
    }
    removed += unbound.length
    if (unbound.length < slice || removed >= most) return
  }
}

async function removeFile({ database, storage }: Stores, photo: { id: string; hash: string }) {
  const name = contactPhotoName(photo.hash)
  const content = await storage.read(name)
  if (!content) return
  await storage.remove(name)
  // The same photo may have come again in this moment.
  if (await queries.hasOtherOf(database.db, photo)) await storage.put(name, content)
}
