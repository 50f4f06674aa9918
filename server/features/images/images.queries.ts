import { listSitePhotos } from '#server/database/site-photos.ts'
import { someAtATime } from '#server/database/slices.ts'
import type { Db, NewImage } from '#server/database/tables.ts'
import { listPhotos } from '#server/features/images/project-photos.ts'

/** Held while rows of images are added or removed; never during a call to the storage, which may be slow. */
export const imagesLock = 'images'

/** An image that comes again is wanted again, though nothing may show it yet. */
export async function insertImages(db: Db, images: readonly NewImage[]) {
  for await (const some of someAtATime(images)) {
    await db
      .insertInto('images')
      .values(some)
      .onConflict((conflict) => conflict.column('hash').doUpdateSet({ unreferencedSince: null }))
      .execute()
  }
}

export function findImage(db: Db, hash: string) {
  return db.selectFrom('images').selectAll().where('hash', '=', hash).executeTakeFirst()
}

export async function listHashes(db: Db) {
  return (await db.selectFrom('images').select('hash').orderBy('hash').execute()).map(({ hash }) => hash)
}

export async function listContentTypes(db: Db) {
  const images = await db.selectFrom('images').select(['hash', 'contentType']).execute()
  return new Map(images.map(({ hash, contentType }) => [hash, contentType]))
}

/** Notes since when nothing shows an image, and clears that of images that are shown again. */
export async function markUnreferenced(db: Db, now: string) {
  const referenced = new Set(await listShown(db))
  const images = await db.selectFrom('images').select(['hash', 'unreferencedSince']).execute()
  for (const { hash, unreferencedSince } of images) {
    const since = referenced.has(hash) ? null : (unreferencedSince ?? now)
    if (since === unreferencedSince) continue
    await db.updateTable('images').set({ unreferencedSince: since }).where('hash', '=', hash).execute()
  }
}

export async function listUnreferencedSince(db: Db, moment: string) {
  const images = await db.selectFrom('images').select('hash').where('unreferencedSince', '<=', moment).execute()
  return images.map(({ hash }) => hash)
}

/** Whether it was removed; one that has come to be shown in the meantime is not. */
export async function removeUnreferenced(db: Db, hash: string, moment: string) {
  if ((await listShown(db)).includes(hash)) return false
  const { numDeletedRows } = await db
    .deleteFrom('images')
    .where('hash', '=', hash)
    .where('unreferencedSince', '<=', moment)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** The images that are shown: by projects, drafts and the trash among them, and by the page itself. */
export async function listShown(db: Db) {
  return [...new Set([...(await listPhotos(db)), ...(await listSitePhotos(db))])]
}

/** The images that are known, that are shown, or that a visitor has sent: never set aside, never removed. */
export async function listWanted(db: Db) {
  const sent = await db.selectFrom('contactPhotos').select('hash').distinct().execute()
  return new Set([...(await listHashes(db)), ...(await listShown(db)), ...sent.map(({ hash }) => hash)])
}

export async function databaseMadeAt(db: Db) {
  const { createdAt } = await db.selectFrom('site').select('createdAt').executeTakeFirstOrThrow()
  return new Date(createdAt)
}
