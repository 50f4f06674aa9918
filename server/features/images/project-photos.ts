import { storedHash } from '#contract/first-visit.ts'
import { storedAddress } from '#contract/images.ts'
import { someAtATime } from '../../database/slices.ts'
import type { Db } from '../../database/tables.ts'
import { isSitePhoto } from './site-photos.ts'

type Of = { deleted?: boolean }

/** The addresses of the photos of projects, drafts among them; of all, or of those in the trash or outside of it. */
function addressesOfPhotos(db: Db, { deleted }: Of) {
  const all = db.selectFrom('projects')
  const projects = deleted === undefined ? all : all.where('deletedAt', deleted ? 'is not' : 'is', null)
  return projects
    .select((project) => project.ref('imageUrl').$castTo<string | null>().as('address'))
    .unionAll(projects.select('beforeImageUrl as address'))
    .unionAll(projects.select('afterImageUrl as address'))
    .unionAll(
      db
        .selectFrom('projectPhotos')
        .select((photo) => photo.ref('imageUrl').$castTo<string | null>().as('address'))
        .where('projectId', 'in', projects.select('id')),
    )
}

/** The hashes of those that are stored here; some may come twice. */
export async function listPhotos(db: Db, of: Of = {}) {
  const addresses = await addressesOfPhotos(db, of).execute()
  return addresses.flatMap(({ address }) => (address && storedHash(address)) || [])
}

/** The photos in the trash, and those that a sweep has found to be shown by nothing. Some may be shown again, or as well. */
export async function listPerhapsHidden(db: Db) {
  // SQLite uses no index for "is not null".
  const unreferenced = db.selectFrom('images').select('hash').where('unreferencedSince', '>', new Date(0).toISOString())
  return new Set([...(await listPhotos(db, { deleted: true })), ...(await unreferenced.execute()).map(({ hash }) => hash)])
}

/** Whether a project outside of the trash shows it, or the page itself. */
export async function isShown(db: Db, hash: string) {
  const shown = db
    .selectFrom(addressesOfPhotos(db, { deleted: false }).as('shown'))
    .select('address')
    .where('address', '=', storedAddress(hash))
  return (await shown.executeTakeFirst()) !== undefined || isSitePhoto(db, hash)
}

/** Before projects in the trash are removed for good: otherwise visitors could read their photos again until the next sweep. */
export async function keepHidden(db: Db, now: string) {
  for await (const some of someAtATime(await listPhotos(db, { deleted: true }))) {
    const unmarked = db.updateTable('images').where('unreferencedSince', 'is', null)
    await unmarked.set({ unreferencedSince: now }).where('hash', 'in', some).execute()
  }
}
