import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/database/open.ts'
import { type Storage, sumOf } from '#server/storage/storage.ts'
import type { Encoder } from './encoder.ts'
import { hashIn, imageName } from './image.rules.ts'
import { listQuarantinedHashes, releaseNeeded } from './image-quarantine.ts'
import type { CheckedImage, PreparedImage } from './image-tasks.ts'
import * as queries from './images.queries.ts'
import { imagesLock, insertImages } from './images.queries.ts'

export type StoreParts = { database: Database; storage: Storage; clock: Clock; encoder: Encoder }

/** Stores an image and returns its hash. The same image is stored once. */
export async function storeImage({ encoder, ...parts }: StoreParts, load: () => Promise<Buffer>) {
  const image = await encoder.prepare(load)
  await storePrepared(parts, [image])
  return image.hash
}

export async function storePrepared(
  { database, storage, clock }: Omit<StoreParts, 'encoder'>,
  images: readonly PreparedImage[],
) {
  const put = ({ hash, content, contentType }: PreparedImage) => storage.put(imageName(hash), content, { contentType })
  // Even if it exists: uploading an image again repairs a damaged file.
  await Promise.all(images.map(put))
  const createdAt = clock.now().toISOString()
  const rows = images.map(({ content, ...facts }) => ({ ...facts, bytes: content.length, createdAt }))
  await database.exclusively(imagesLock, (tx) => insertImages(tx, rows))
  // A sweep may have put it into quarantine before its row was there.
  for (const image of images) if (!(await storage.has(imageName(image.hash)))) await put(image)
}

type Parts = Omit<StoreParts, 'encoder'> & { encoder: Pick<Encoder, 'judge'> }

/** The images of the site as backups need them. */
export function createImages(parts: Parts) {
  const { database, storage, encoder } = parts

  async function listStored() {
    return new Map((await storage.list('objects')).map(({ name, bytes }) => [hashIn(name), bytes]))
  }

  return {
    /** Held while rows of images are added or removed. */
    lock: queries.imagesLock,
    /** Fails with a Problem when the bytes are not an image as the site stores them. */
    judge: encoder.judge,
    /** The size of every stored one by its hash. */
    listStored,
    listAside: () => listQuarantinedHashes(storage),
    listKnown: queries.listHashes,
    stream: (hash: string) => storage.stream(imageName(hash)),
    put: ({ hash, contentType }: CheckedImage, content: Buffer) => storage.put(imageName(hash), content, { contentType }),
    insert: queries.insertImages,

    /** Whether it has a row, and its stored bytes are those of its name. */
    async isIntact(hash: string) {
      return (await queries.findImage(database.db, hash)) !== undefined && (await sumOf(imageName(hash), storage)) === hash
    },

    /** Takes those that are shown again out of quarantine. */
    bringBack: () => releaseNeeded(parts),
  }
}
