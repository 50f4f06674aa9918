import { randomUUID } from 'node:crypto'
import type { Counts } from '#contract/backups.ts'
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/database/open.ts'
import type { StoredMerge } from '#server/database/tables.ts'
import { piecesOf } from '#server/storage/pieces-of.ts'
import type { OpenFile, Storage } from '#server/storage/storage.ts'
import type { ArchivedPhoto, PhotoKind } from '../archive/archive.rules.ts'
import type { ContactPhotos, Images, Photos } from '../archive/backup-photos.ts'
import { fromLine, sentWith } from '../archive/export.rules.ts'
import { photosAtOnce, readArchive } from '../archive/read-archive.ts'
import { type CheckedExport, checkExport } from '../archive/read-export.ts'
import type { PhotoFacts } from '../archive/records.queries.ts'
import { noProgress, type Progress } from '../backup-jobs.ts'
import { storedBackup } from '../backup-names.ts'
import { forEachConcurrently } from '../concurrency.ts'
import { ensureRoom, type LocalFile, withLocalFile } from '../disk-space.ts'
import { amendReport, keepReport } from './last-merge.queries.ts'
import type { MergeMode } from './merge.rules.ts'
import { changesNothing, mergeRecords, reportOf } from './merge-records.ts'

export type MergeParts = {
  database: Database
  storage: Storage
  clock: Clock
  images: Images
  photos: Photos & { inquiryPhotos: ContactPhotos }
  keepRestorePoint(): Promise<string>
}

type Archive = Awaited<ReturnType<typeof readArchive>>

export type MergeRequest = {
  mode: MergeMode
  /** The name of the file, for the report. */
  filename: string
  /** The projects that are left out, by their places in the file. */
  without?: ReadonlySet<number> | undefined
}

/**
 * Checks the whole archive, then stores the photos (nothing refers to them yet), then keeps a restore point, then changes the
 * records in one transaction. Stopped at any moment, the site is wholly as before or wholly as after.
 */
export function restoreArchive(file: OpenFile, request: MergeRequest, parts: MergeParts, progress: Progress) {
  const { storage, images, photos } = parts
  return withLocalFile(storage, async (plan) => {
    const sums = { images: await photos.images.listSums(), inquiryPhotos: await photos.inquiryPhotos.listSums() }
    const isWanted = async ({ kind, hash }: ArchivedPhoto, md5: () => Promise<string>) => {
      const sum = sums[kind].get(hash)
      return !(await photos[kind].isIntact(hash, async () => sum !== undefined && sum === (await md5())))
    }
    const archive = await readArchive(file, { judge: images.judge, isWanted, progress, plan })
    await ensureRoom(
      storage,
      archive.wanted.reduce((total, { bytes }) => total + bytes, 0),
    )
    await storePhotos(archive, photos, progress)
    // Only now, because photos may take minutes: what is changed meanwhile is in the restore point.
    const sentence = ({ projects, contacts, images }: Counts) =>
      `Complete backup restored: ${projects} projects, ${contacts} contacts, ${images} images found`
    return mergeIntoSite(archive, { ...request, plan, sentence }, parts, progress)
  })
}

/** `restore` also brings back changed projects, the texts of the site and what was done with messages; `import` leaves them. */
export function mergeExport(file: OpenFile, request: MergeRequest, parts: MergeParts, progress: Progress) {
  return withLocalFile(parts.storage, async (plan) => {
    await plan.reserve(file.bytes)
    const records = await checkExport(() => piecesOf(file), { plan })
    const sentence = ({ projects, contacts }: Counts) => `Import completed: ${projects} projects, ${contacts} contacts`
    const incoming = { records, photos: [], wanted: [], withPhoto: async () => {} }
    return mergeIntoSite(incoming, { ...request, plan, sentence }, parts, progress)
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
async function storeAgain({ wanted, withPhoto }: Wanted, photos: MergeParts['photos']) {
  if (!wanted.some(({ kind }) => kind === 'inquiryPhotos')) return
  const stored = await photos.inquiryPhotos.listStored()
  const swept = wanted.filter(({ kind, hash }) => kind === 'inquiryPhotos' && !stored.has(hash))
  await storePhotos({ wanted: swept, withPhoto }, photos, noProgress)
}

type Incoming = Pick<Archive, 'photos' | 'wanted' | 'withPhoto'> & { records: CheckedExport }

type Planned = MergeRequest & {
  plan: LocalFile
  /** What the maker is told. */
  sentence(imported: Counts): string
}

/** The restore point, then the one transaction that changes the site and notes how to undo it. */
async function mergeIntoSite(
  { records, ...incoming }: Incoming,
  { plan, mode, filename, without, sentence }: Planned,
  parts: MergeParts,
  progress: Progress,
): Promise<StoredMerge> {
  const { database, storage, clock, images, photos, keepRestorePoint } = parts
  const now = clock.now().toISOString()
  const rows = incoming.wanted.flatMap(({ kind, start: _start, ...image }) =>
    kind === 'images' ? { ...image, createdAt: now } : [],
  )
  const sent = incoming.wanted.flatMap(({ kind, hash, contentType, bytes, width, height }) =>
    kind === 'inquiryPhotos' ? { hash, contentType, bytes, width, height } : [],
  )
  const stored = await photos.inquiryPhotos.listStored()
  const found = await factsOf(sent, stored, plan, photos.inquiryPhotos)
  const countsOf = (kind: PhotoKind, added: number) => ({
    added,
    alreadyThere: incoming.photos.filter((photo) => photo.kind === kind).length - added,
  })
  const brought = { images: countsOf('images', rows.length), inquiryPhotos: countsOf('inquiryPhotos', sent.length) }
  const restorePoint = await keepRestorePoint()
  const { merged, report } = await database.exclusively(
    images.lock,
    async (tx) => {
      await images.insert(tx, rows)
      const merged = await mergeRecords(tx, records, { plan, mode, without, stored, found, now }, progress)
      const isChanged = !changesNothing(merged)
      const counts = reportOf(merged, brought)
      const report: StoredMerge = {
        id: randomUUID(),
        mode,
        filename,
        at: now,
        message: sentence(counts.imported),
        ...counts,
        missingImages: 0,
        restorePoint: isChanged || incoming.wanted.length > 0 ? restorePoint : null,
        undone: null,
        siteVersions: merged.siteVersions,
      }
      await keepReport(tx, report, { isChanged })
      return { merged, report }
    },
    { withoutTimeout: true },
  )
  // What was merged is merged: a storage that fails now must not make the answer say that nothing was changed.
  await storeAgain(incoming, photos).catch(() => {})
  if (!report.restorePoint) await storage.remove(storedBackup(restorePoint))
  for (const { hash } of rows) images.prepareVariants(hash)
  const missingImages = (await images.bringBack(merged.shown)) + (await photos.inquiryPhotos.countMissing(merged.sent))
  const whole = { ...report, missingImages }
  if (missingImages > 0) await amendReport(database.db, whole)
  return whole
}

/** Of photos that have just come with the file, and of those that it only names and that lie here unknown. */
export async function factsOf(
  sent: readonly PhotoFacts[],
  stored: ReadonlyMap<string, unknown>,
  plan: LocalFile,
  inquiryPhotos: ContactPhotos,
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
