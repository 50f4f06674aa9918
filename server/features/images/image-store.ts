import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/database/open.ts'
import type { Storage } from '#server/storage/storage.ts'
import type { Encoder } from './encoder.ts'
import { imageName } from './image.rules.ts'
import type { PreparedImage } from './image-tasks.ts'
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
