import { availableParallelism } from 'node:os'
import type { ImageFacts } from '#contract/images.ts'
import type { Database } from '#server/database/open.ts'
import type { Db, NewImage } from '#server/database/tables.ts'
import { contactPhotoName, contactPhotosFolder } from '#server/features/contacts/photos.queries.ts'
import { type Storage, sumOf } from '#server/storage/storage.ts'
import { archiveLimits, type PhotoKind } from './archive.rules.ts'
import { findPhotoFacts, type PhotoFacts } from './records.queries.ts'

export type CheckedImage = ImageFacts & { hash: string; contentType: string }

/** What backups need of the files of a kind of photos. */
type PhotoFiles = {
  /** The size of every stored one by its hash. */
  listStored(): Promise<ReadonlyMap<string, number>>
  /** The hashes in the database. */
  listKnown(db: Db): Promise<string[]>
  stream(hash: string): ReturnType<Storage['stream']>
  put(image: CheckedImage, content: Buffer): Promise<void>
  /** Whether the site has a row of it, and its stored bytes are those of its name. */
  isIntact(hash: string): Promise<boolean>
}
export type Photos = Record<PhotoKind, PhotoFiles>

/** What backups need of the images; `createImages` of that feature makes it. */
export type Images = PhotoFiles & {
  /** Held while rows of images are added or removed. */
  lock: string
  /** Fails with a Problem when the bytes are not an image as the site stores them. */
  judge(image: Buffer): Promise<CheckedImage>
  /** The hashes of those in quarantine. */
  listAside(): Promise<ReadonlySet<string>>
  insert(tx: Db, images: readonly NewImage[]): Promise<void>
  prepareVariants(hash: string): void
  /** Takes them out of quarantine; returns how many are missing all the same. */
  bringBack(hashes: Iterable<string>): Promise<number>
}

/** One more than are decoded at once: the next is there when one is done. Each holds at most one photo in memory. */
const photosAtOnce = Math.min(availableParallelism(), 4) + 1

/** Several at a time. The first failure ends it, once the work that has begun is done. */
export async function forEachPhoto<Photo>(photos: Iterable<Photo>, work: (photo: Photo) => Promise<void>) {
  // Shared by all workers. One that fails leaves its loop, which closes the queue for the others.
  const queue = (function* () {
    yield* photos
  })()
  const worker = async () => {
    for (const photo of queue) await work(photo)
  }
  const results = await Promise.allSettled(Array.from({ length: photosAtOnce }, worker))
  const failure = results.find((result) => result.status === 'rejected')
  if (failure) throw failure.reason
}

type Parts = { database: Database; storage: Storage; judge: Images['judge'] }

export type ContactPhotos = ReturnType<typeof openContactPhotos>

/** The photos of visitors as backups need them: those that were sent with a message. */
export function openContactPhotos({ database: { db }, storage, judge }: Parts) {
  async function listStored(): Promise<ReadonlyMap<string, number>> {
    const files = await storage.list(contactPhotosFolder)
    return new Map(files.map(({ name, bytes }) => [name.slice(contactPhotosFolder.length + 1), bytes]))
  }

  return {
    listStored,

    /** One more than the limit at most. */
    async listKnown(db: Db) {
      const sent = db.selectFrom('contactPhotos').select('hash').distinct().where('contactId', 'is not', null)
      const rows = await sent
        .orderBy('hash')
        .limit(archiveLimits.photos + 1)
        .execute()
      return rows.map(({ hash }) => hash)
    },

    stream: (hash: string) => storage.stream(contactPhotoName(hash)),
    // Without a content type: these files are never served directly.
    put: ({ hash }: CheckedImage, content: Buffer) => storage.put(contactPhotoName(hash), content),

    /** Whether it belongs to a message of this site, and is stored without damage. */
    async isIntact(hash: string) {
      const sent = db.selectFrom('contactPhotos').select('id').where('hash', '=', hash).where('contactId', 'is not', null)
      return (await sent.executeTakeFirst()) !== undefined && (await sumOf(contactPhotoName(hash), storage)) === hash
    },

    /** Undefined where the bytes are not those of its name. */
    async judgeStored(hash: string): Promise<PhotoFacts | undefined> {
      const content = await storage.read(contactPhotoName(hash))
      const judged = content && (await judge(content).catch(() => undefined))
      if (judged?.hash !== hash) return undefined
      const { contentType, width, height } = judged
      return { hash, contentType, bytes: content?.length ?? 0, width, height }
    },

    /** Files without a row, as after going back to an older database. */
    async listStrays(stored: readonly string[]) {
      const rows = await db.selectFrom('contactPhotos').select('hash').distinct().execute()
      const withRow = new Set(rows.map(({ hash }) => hash))
      return new Set(stored.filter((hash) => !withRow.has(hash)))
    },

    async countMissing(hashes: Iterable<string>) {
      const facts = await findPhotoFacts(db, [...hashes])
      // The merge is committed: a storage that fails now must not turn the reply into a failure.
      const stored = await listStored().catch(() => facts)
      return [...hashes].filter((hash) => !facts.has(hash) || !stored.has(hash)).length
    },
  }
}
