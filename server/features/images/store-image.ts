import { storedAddress } from '#contract/images.ts'
import type { Clock } from '#server/clock.ts'
import type { Db } from '#server/database/tables.ts'
import type { Storage } from '#server/storage/storage.ts'
import { objectName } from './image.rules.ts'
import { insertImage } from './images.queries.ts'
import { prepareImage } from './prepare-image.ts'
import type { Variants } from './variants.ts'

type Parts = { db: Db; storage: Storage; clock: Clock; variants: Variants }

/** Takes a photo into the store and answers its address. The same photo is stored once, however often it comes. */
export async function storeImage({ db, storage, clock, variants }: Parts, file: Buffer): Promise<string> {
  const { hash, content, ...facts } = await prepareImage(file)
  const name = objectName(hash)
  if (!(await storage.has(name))) await storage.put(name, content)
  await insertImage(db, { hash, bytes: content.length, createdAt: clock.now().toISOString(), ...facts })
  variants.prepare(hash)
  return storedAddress(hash)
}
