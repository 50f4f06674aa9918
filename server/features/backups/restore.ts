import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/database/open.ts'
import { piecesOf } from '#server/storage/pieces-of.ts'
import type { OpenFile, Storage } from '#server/storage/storage.ts'
import type { ArchivedPhoto, PhotoKind } from './archive.rules.ts'
import { storedBackup } from './backup-names.ts'
import type { PhotoFacts } from './backups.queries.ts'
import { forEachConcurrently } from './concurrency.ts'
import { ensureRoom } from './disk-room.ts'
import { fromLine, sentWith } from './export.rules.ts'
import type { Images, Photos } from './images.ts'
import type { InquiryPhotos } from './inquiry-photos.ts'
import { type LocalFile, withLocalFile } from './local-file.ts'
import type { MergeMode } from './merge.rules.ts'
import { changesNothing, mergeRecords, reportOf } from './merge-records.ts'
import { type Progress, unwatched } from './progress.ts'
import { photosAtOnce, readArchive } from './read-archive.ts'
import { type CheckedExport, checkExport } from './read-export.ts'

type Parts = {
  database: Database
  storage: Storage
  clock: Clock
  images: Images
  photos: Photos & { inquiryPhotos: InquiryPhotos }
  keepRestorePoint(): Promise<string>
}

type Archive = Awaited<ReturnType<typeof readArchive>>

/**
 * Checks the whole archive, then stores the photos (nothing refers to them yet), then keeps a restore point, then changes the
 * records in one transaction. Stopped at any moment, the site is wholly as before or wholly as after.
 */
export function restoreArchive(file: OpenFile, parts: Parts, progress: Progress) {
  const { storage, images, photos } = parts
  return withLocalFile(storage, async (plan) => {
    const isWanted = async ({ kind, hash }: ArchivedPhoto) => !(await photos[kind].isIntact(hash))
    const archive = await readArchive(file, { judge: images.judge, isWanted, progress, plan })
    await ensureRoom(
      storage,
      archive.wanted.reduce((total, { bytes }) => total + bytes, 0),
    )
    await storePhotos(archive, photos, progress)
    // Only now, because photos may take minutes: what is changed meanwhile is in the restore point.
    return merge(archive, { plan, mode: 'restore' }, parts)
  })
}

/** `restore` also brings back changed projects, the texts of the site and what was done with messages; `import` leaves them. */
export function mergeExport(file: OpenFile, mode: MergeMode, parts: Parts) {
  return withLocalFile(parts.storage, async (plan) => {
    await plan.reserve(file.bytes)
    const records = await checkExport(() => piecesOf(file), { plan })
    return merge({ records, photos: [], wanted: [], withPhoto: async () => {} }, { plan, mode }, parts)
  })
}

type Wanted = Pick<Archive, 'wanted' | 'withPhoto'>

async function storePhotos({ wanted, withPhoto }: Wanted, photos: Photos, progress: Progress) {
  let done = 0
  await forEachConcurrently(wanted, photosAtOnce, async (photo) => {
    await withPhoto(photo, (content) => photos[photo.kind].put(photo, content))
    done += 1
    progress('storing', done, wanted.length)
  })
}

/** Those that were swept away as photos of a deleted message, until their rows were there again. */
async function storeAgain({ wanted, withPhoto }: Wanted, photos: Parts['photos']) {
  if (!wanted.some(({ kind }) => kind === 'inquiryPhotos')) return
  const stored = await photos.inquiryPhotos.listStored()
  const swept = wanted.filter(({ kind, hash }) => kind === 'inquiryPhotos' && !stored.has(hash))
  await storePhotos({ wanted: swept, withPhoto }, photos, unwatched)
}

type Incoming = Pick<Archive, 'photos' | 'wanted' | 'withPhoto'> & { records: CheckedExport }

/** The restore point, then the one transaction that changes the site. */
async function merge({ records, ...incoming }: Incoming, plan: { plan: LocalFile; mode: MergeMode }, parts: Parts) {
  const { database, storage, clock, images, photos, keepRestorePoint } = parts
  const now = clock.now().toISOString()
  const rows = incoming.wanted.flatMap(({ kind, start: _start, ...image }) =>
    kind === 'images' ? { ...image, createdAt: now } : [],
  )
  const sent = incoming.wanted.flatMap(({ kind, hash, contentType, bytes, width, height }) =>
    kind === 'inquiryPhotos' ? { hash, contentType, bytes, width, height } : [],
  )
  const stored = await photos.inquiryPhotos.listStored()
  const found = await factsOf(sent, stored, plan.plan, photos.inquiryPhotos)
  const restorePoint = await keepRestorePoint()
  const merged = await database.exclusively(
    images.lock,
    async (tx) => {
      await images.insert(tx, rows)
      return mergeRecords(tx, records, { ...plan, stored, found, now })
    },
    { withoutTimeout: true },
  )
  // What was merged is merged: a storage that fails now must not make the answer say that nothing was changed.
  await storeAgain(incoming, photos).catch(() => {})
  const isChanged = incoming.wanted.length > 0 || !changesNothing(merged)
  if (!isChanged) await storage.remove(storedBackup(restorePoint))
  for (const { hash } of rows) images.prepareVariants(hash)
  const countsOf = (kind: PhotoKind, added: number) => ({
    added,
    alreadyThere: incoming.photos.filter((photo) => photo.kind === kind).length - added,
  })
  return {
    ...reportOf(merged, { images: countsOf('images', rows.length), inquiryPhotos: countsOf('inquiryPhotos', sent.length) }),
    missingImages: (await images.bringBack(merged.shown)) + (await photos.inquiryPhotos.countMissing(merged.sent)),
    restorePoint: isChanged ? restorePoint : null,
  }
}

/** Of photos that have just come with the file, and of those that it only names and that lie here unknown. */
async function factsOf(
  sent: readonly PhotoFacts[],
  stored: ReadonlyMap<string, unknown>,
  plan: LocalFile,
  inquiryPhotos: InquiryPhotos,
) {
  const found = new Map(sent.map((facts) => [facts.hash, facts]))
  const strays = await inquiryPhotos.listStrays([...stored.keys()].filter((hash) => !found.has(hash)))
  if (strays.size === 0) return found
  for await (const lines of plan.readLines()) {
    for (const hash of lines.map(fromLine).flatMap(sentWith)) {
      const facts = strays.delete(hash) && (await inquiryPhotos.judgeStored(hash))
      if (facts) found.set(hash, facts)
    }
  }
  return found
}
