import type { Integrity } from '#server/database/tables.ts'
import { listShown } from '#server/features/images/images.queries.ts'
import { readJobs } from '#server/jobs/jobs.ts'
import { eachPhoto, listKnown, listStored, readWhole } from './archive/backup-photos.ts'
import type { ArchivedPhoto } from './archive/zip-archive.ts'
import type { Progress } from './job.ts'
import type { JobParts } from './make-backup.ts'

/** So many photos are read each time: a bucket bills for it. Those that were damaged the last time come on top. */
const photosRead = 100

/** Whether the database and the photos are whole. All photos are looked for, and in the course of some nights all are read. */
export async function checkIntegrity({ database, storage, log }: JobParts, progress: Progress): Promise<Integrity> {
  const { db } = database
  const damage = await database.findDamage()
  if (damage) log.error({ damage }, 'the database is damaged')
  const before = (await readJobs(db)).integrity.result
  const { damaged: damagedBefore, readUpTo }: Pick<Integrity, 'damaged' | 'readUpTo'> =
    before && 'damaged' in before ? before : { damaged: [], readUpTo: '' }

  const [known, files] = [await listKnown(db), await listStored(storage)]
  const own = new Set([...known.images, ...(await listShown(db))])
  const photos = [
    ...[...own].map((hash): ArchivedPhoto => ({ kind: 'images', hash })),
    ...[...known.inquiryPhotos].map((hash): ArchivedPhoto => ({ kind: 'inquiryPhotos', hash })),
  ]
  const stored = photos.filter(({ kind, hash }) => files[kind].has(hash)).toSorted((a, b) => (a.hash < b.hash ? -1 : 1))
  const missing = photos.length - stored.length

  const next = [...stored.filter(({ hash }) => hash > readUpTo), ...stored.filter(({ hash }) => hash <= readUpTo)]
  const sample = next.slice(0, photosRead)
  const again = next.slice(photosRead).filter(({ hash }) => damagedBefore.includes(hash))
  const damaged: string[] = []
  await eachPhoto([...sample, ...again], 'checking', progress, async (photo) => {
    if (!(await readWhole(storage, photo))) damaged.push(photo.hash)
  })
  if (missing + damaged.length > 0) log.warn({ missing, damaged }, 'photos are missing or damaged')
  return { damage, photos: photos.length, missing, damaged: damaged.toSorted(), readUpTo: sample.at(-1)?.hash ?? '' }
}
