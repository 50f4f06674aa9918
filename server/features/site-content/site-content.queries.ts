import type { OwnFields } from '#contract/site-fields.ts'
import { photosIn } from '#contract/site-fields.ts'
import type { Db } from '#server/database/tables.ts'

/** What is known of the photos that fields show. */
export async function findImages(db: Db, fields: OwnFields) {
  const hashes = photosIn(fields)
  if (hashes.length === 0) return new Map()
  const images = await db
    .selectFrom('images')
    .select(['hash', 'width', 'height', 'placeholder'])
    .where('hash', 'in', hashes)
    .execute()
  return new Map(images.map(({ hash, ...facts }) => [hash, facts]))
}
