import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/database/open.ts'
import { piecesOf } from '#server/storage/pieces-of.ts'
import type { OpenFile, Storage } from '#server/storage/storage.ts'
import { storedBackup } from './backup-names.ts'
import { forEachConcurrently } from './concurrency.ts'
import { ensureRoom } from './disk-room.ts'
import type { Images } from './images.ts'
import { type LocalFile, withLocalFile } from './local-file.ts'
import type { MergeMode } from './merge.rules.ts'
import { changesNothing, mergeRecords, reportOf } from './merge-records.ts'
import type { Progress } from './progress.ts'
import { imagesAtOnce, readArchive } from './read-archive.ts'
import { type CheckedExport, checkExport } from './read-export.ts'

type Parts = {
  database: Database
  storage: Storage
  clock: Clock
  images: Images
  keepExport(): Promise<string>
}

type Archive = Awaited<ReturnType<typeof readArchive>>

/**
 * Checks the whole archive, then stores the images (nothing refers to them yet), then keeps a restore point, then changes the
 * records in one transaction. Stopped at any moment, the site is wholly as before or wholly as after.
 */
export function restoreArchive(file: OpenFile, parts: Parts, progress: Progress) {
  const { storage, images } = parts
  return withLocalFile(storage, async (plan) => {
    const isWanted = async (hash: string) => !(await images.isIntact(hash))
    const archive = await readArchive(file, { judge: images.judge, isWanted, progress, plan })
    await ensureRoom(
      storage,
      archive.wanted.reduce((total, { bytes }) => total + bytes, 0),
    )
    await storeImages(archive, images, progress)
    // Only now, because images may take minutes: what is changed meanwhile is in the restore point.
    return merge(archive, { plan, mode: 'restore' }, parts)
  })
}

/** `restore` also brings changed projects back; `import` leaves them. */
export function mergeExport(file: OpenFile, mode: MergeMode, parts: Parts) {
  return withLocalFile(parts.storage, async (plan) => {
    await plan.reserve(file.bytes)
    const records = await checkExport(() => piecesOf(file), { plan })
    return merge({ records, images: [], wanted: [] }, { plan, mode }, parts)
  })
}

async function storeImages({ wanted, withImage }: Archive, images: Images, progress: Progress) {
  let done = 0
  await forEachConcurrently(wanted, imagesAtOnce, async (image) => {
    await withImage(image, (content) => images.put(image, content))
    done += 1
    progress('storing', done, wanted.length)
  })
}

type Incoming = Pick<Archive, 'images' | 'wanted'> & { records: CheckedExport }

/** The restore point, then the one transaction that changes the site. */
async function merge({ records, ...incoming }: Incoming, plan: { plan: LocalFile; mode: MergeMode }, parts: Parts) {
  const { database, storage, clock, images, keepExport } = parts
  const now = clock.now().toISOString()
  const restorePoint = await keepExport()
  const rows = incoming.wanted.map(({ start: _start, ...image }) => ({ ...image, createdAt: now }))
  const merged = await database.exclusively(
    images.lock,
    async (tx) => {
      await images.insert(tx, rows)
      return mergeRecords(tx, records, { ...plan, now })
    },
    { withoutTimeout: true },
  )
  const isChanged = rows.length > 0 || !changesNothing(merged)
  if (!isChanged) await storage.remove(storedBackup(restorePoint))
  for (const { hash } of rows) images.prepareVariants(hash)
  return {
    ...reportOf(merged, { added: rows.length, alreadyThere: incoming.images.length - rows.length }),
    missingImages: await images.bringBack(merged.shown),
    restorePoint: isChanged ? restorePoint : null,
  }
}
