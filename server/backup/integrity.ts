import type { Integrity } from '#server/database/tables.ts'
import { listShown } from '#server/features/images/images.queries.ts'
import { readJobs } from '#server/jobs/jobs.ts'
import { eachPhoto, photosOf } from './archive/backup-photos.ts'
import type { Progress } from './job.ts'
import type { JobParts } from './make-backup.ts'

/** So many photos are read each time: a bucket bills for it. Those that were damaged the last time come on top. */
const photosRead = 100

/** Whether the database and the photos are whole. All photos are looked for, and in the course of some nights all are read. */
export async function checkIntegrity({ database, storage, clock, log }: JobParts, progress: Progress): Promise<Integrity> {
  const { db } = database
  const damage = await database.findDamage()
  if (damage) log.error({ damage }, 'the database is damaged')
  const before = (await readJobs(db)).integrity.result
  const { damaged: damagedBefore, readUpTo }: Pick<Integrity, 'damaged' | 'readUpTo'> =
    before && 'damaged' in before ? before : { damaged: [], readUpTo: '' }

  const { images, inquiryPhotos } = photosOf({ database, storage, clock })
  const [ownFiles, sentFiles] = [await images.listStored(), await inquiryPhotos.listStored()]
  const own = [...new Set([...(await images.listKnown(db)), ...(await listShown(db))])]
  const sent = await inquiryPhotos.listKnown(db)
  const stored = [
    ...own.filter((hash) => ownFiles.has(hash)).map((hash) => ({ hash, kind: images })),
    ...sent.filter((hash) => sentFiles.has(hash)).map((hash) => ({ hash, kind: inquiryPhotos })),
  ].toSorted((a, b) => (a.hash < b.hash ? -1 : 1))
  const photos = own.length + sent.length
  const missing = photos - stored.length

  const next = [...stored.filter(({ hash }) => hash > readUpTo), ...stored.filter(({ hash }) => hash <= readUpTo)]
  const sample = next.slice(0, photosRead)
  const again = next.slice(photosRead).filter(({ hash }) => damagedBefore.includes(hash))
  const damaged: string[] = []
  await eachPhoto(
    [...sample, ...again],
    (done, total) => progress('checking', done, total),
    async ({ hash, kind }) => {
      if (!(await kind.readWhole(hash))) damaged.push(hash)
    },
  )
  if (missing + damaged.length > 0) log.warn({ missing, damaged }, 'photos are missing or damaged')
  return { damage, photos, missing, damaged: damaged.toSorted(), readUpTo: sample.at(-1)?.hash ?? '' }
}
