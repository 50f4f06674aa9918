import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/database/open.ts'
import type { Storage } from '#server/storage/storage.ts'
import type { Encoder } from './encoder.ts'
import { imageName } from './image.rules.ts'
import { imagesLock, insertImages } from './images.queries.ts'

export type StoreParts = { database: Database; storage: Storage; clock: Clock; encoder: Encoder }

/** Stores an image and answers its hash. The same image is stored once, however often it comes. */
export async function storeImage({ database, storage, clock, encoder }: StoreParts, load: () => Promise<Buffer>) {
  const { hash, content, ...facts } = await encoder.prepare(load)
  const name = imageName(hash)
  const put = () => storage.put(name, content, { contentType: facts.contentType })
  // Also when it is there: uploading an image again repairs a damaged file.
  await put()
  await database.exclusively(imagesLock, (tx) =>
    insertImages(tx, [{ hash, bytes: content.length, createdAt: clock.now().toISOString(), ...facts }]),
  )
  // A sweep that did not know it yet may have set it aside meanwhile.
  if (!(await storage.has(name))) await put()
  return hash
}
