import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/database/open.ts'
import type { Storage } from '#server/storage/storage.ts'
import type { Encoder } from './encoder.ts'
import { objectName } from './image.rules.ts'
import { insertImage } from './images.queries.ts'

export type StoreParts = { database: Database; storage: Storage; clock: Clock; encoder: Encoder }

/** No photo is swept away in the moment in which it is taken in again. */
export const imagesLock = 'images'

/** Takes a photo into the store and answers its hash. The same photo is stored once, however often it comes. */
export async function storeImage({ database, storage, clock, encoder }: StoreParts, load: () => Promise<Buffer>) {
  const { hash, content, ...facts } = await encoder.prepare(load)
  const name = objectName(hash)
  const put = () => storage.put(name, content, { contentType: facts.contentType })
  // Written before the lock, which is then held for a moment only; looked at again under it, where no sweep interferes. Also
  // when it is there: what a disk has damaged is whole again once the photo is uploaded again.
  await put()
  await database.exclusively(imagesLock, async (tx) => {
    if (!(await storage.has(name))) await put()
    await insertImage(tx, { hash, bytes: content.length, createdAt: clock.now().toISOString(), ...facts })
  })
  return hash
}
