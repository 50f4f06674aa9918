import { randomUUID } from 'node:crypto'
import type { Counts } from '#contract/backups.ts'
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/database/open.ts'
import type { StoredMerge } from '#server/database/tables.ts'
import { type OpenFile, piecesOf, type Storage } from '#server/storage/storage.ts'
import type { ArchivedPhoto, PhotoKind } from '../archive/archive.rules.ts'
import type { ContactPhotos, Images, Photos } from '../archive/backup-photos.ts'
import { fromLine, sentWith } from '../archive/export.rules.ts'
import { photosAtOnce, readArchive } from '../archive/read-archive.ts'
import { type CheckedExport, checkExport } from '../archive/read-export.ts'
import type { PhotoFacts } from '../archive/records.queries.ts'
import { storedBackup } from '../backup-names.ts'
import { forEachConcurrently } from '../concurrency.ts'
import { ensureRoom, type LocalFile, withLocalFile } from '../disk-space.ts'
import { noProgress, type Progress } from '../job.ts'
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
 * Checks the whole archive, stores the photos (nothing refers to them yet), makes a restore point, and changes the records in
 * one transaction. Stopped at any moment, the site is as before or as after, and never between.
 */
export function restoreArchive(file: OpenFile, request: MergeRequest, parts: MergeParts, progress: Progress) {
  const { storage, images, photos } = parts
  return withLocalFile(storage, async (plan) => {
    const sums = { images: await photos.images.listSums(), inquiryPhotos: await photos.inquiryPhotos.listSums() }
    const isNeeded = async ({ kind, hash }: ArchivedPhoto, md5: () => Promise<string>) => {
      const sum = sums[kind].get(hash)
      return !(await photos[kind].isIntact(hash, async () => sum !== undefined && sum === (await md5())))
    }
    const archive = await readArchive(file, { judge: images.judge, isNeeded, progress, plan })
    await ensureRoom(
      storage,
      archive.needed.reduce((total, { bytes }) => total + bytes, 0),
    )
    await storePhotos(archive, photos, progress)
    // After the photos, which may take minutes: the restore point holds what was changed meanwhile.
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
    const incoming = { records, photos: [], needed: [], withPhoto: async () => {} }
    return mergeIntoSite(incoming, { ...request, plan, sentence }, parts, progress)
  })
}

type NeededPhotos = Pick<Archive, 'needed' | 'withPhoto'>

async function storePhotos({ needed, withPhoto }: NeededPhotos, photos: Photos, progress: Progress) {
  let done = 0
  await forEachConcurrently(needed, photosAtOnce, async (photo) => {
    await withPhoto(photo, (content) => photos[photo.kind].put(photo, content))
    done += 1
    progress('storing', done, needed.length)
  })
}

/** Photos of a deleted message may have been swept before the transaction brought their rows back. */
async function storeAgain({ needed, withPhoto }: NeededPhotos, photos: MergeParts['photos']) {
  if (!needed.some(({ kind }) => kind === 'inquiryPhotos')) return
  const stored = await photos.inquiryPhotos.listStored()
  const swept = needed.filter(({ kind, hash }) => kind === 'inquiryPhotos' && !stored.has(hash))
  await storePhotos({ needed: swept, withPhoto }, photos, noProgress)
}

type Incoming = Pick<Archive, 'photos' | 'needed' | 'withPhoto'> & { records: CheckedExport }

type Planned = MergeRequest & {
  plan: LocalFile
  /** The message of the reply. */
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
  const rows = incoming.needed.flatMap(({ kind, start: _start, ...image }) =>
    kind === 'images' ? { ...image, createdAt: now } : [],
  )
  const sent = incoming.needed.flatMap(({ kind, hash, contentType, bytes, width, height }) =>
    kind === 'inquiryPhotos' ? { hash, contentType, bytes, width, height } : [],
  )
  const stored = await photos.inquiryPhotos.listStored()
  const facts = await factsOf(sent, stored, plan, photos.inquiryPhotos)
  const countsOf = (kind: PhotoKind, added: number) => ({
    added,
    alreadyThere: incoming.photos.filter((photo) => photo.kind === kind).length - added,
  })
  const photoCounts = { images: countsOf('images', rows.length), inquiryPhotos: countsOf('inquiryPhotos', sent.length) }
  const restorePoint = await keepRestorePoint()
  const { merged, report } = await database.exclusively(
    images.lock,
    async (tx) => {
      await images.insert(tx, rows)
      const merged = await mergeRecords(tx, records, { plan, mode, without, stored, facts, now }, progress)
      const isChanged = !changesNothing(merged)
      const counts = reportOf(merged, photoCounts)
      const report: StoredMerge = {
        id: randomUUID(),
        mode,
        filename,
        at: now,
        message: sentence(counts.imported),
        ...counts,
        missingImages: 0,
        restorePoint: isChanged || incoming.needed.length > 0 ? restorePoint : null,
        undone: null,
        siteVersions: merged.siteVersions,
      }
      await keepReport(tx, report, { isChanged })
      return { merged, report }
    },
    { withoutTimeout: true },
  )
  // The merge is committed: a storage that fails now must not turn the reply into a failure.
  await storeAgain(incoming, photos).catch(() => {})
  if (!report.restorePoint) await storage.remove(storedBackup(restorePoint))
  for (const { hash } of rows) images.prepareVariants(hash)
  const missingImages = (await images.bringBack(merged.shown)) + (await photos.inquiryPhotos.countMissing(merged.sent))
  const whole = { ...report, missingImages }
  if (missingImages > 0) await amendReport(database.db, whole)
  return whole
}

/** Of photos in the file, and of those it only names whose files are on this site without a row. */
export async function factsOf(
  sent: readonly PhotoFacts[],
  stored: ReadonlyMap<string, unknown>,
  plan: LocalFile,
  inquiryPhotos: ContactPhotos,
) {
  const byHash = new Map(sent.map((facts) => [facts.hash, facts]))
  const strays = await inquiryPhotos.listStrays([...stored.keys()].filter((hash) => !byHash.has(hash)))
  if (strays.size === 0) return byHash
  for await (const lines of plan.readLines()) {
    for (const hash of lines.map(fromLine).flatMap(sentWith)) {
      const facts = strays.delete(hash) && (await inquiryPhotos.judgeStored(hash))
      if (facts) byHash.set(hash, facts)
    }
  }
  return byHash
}
