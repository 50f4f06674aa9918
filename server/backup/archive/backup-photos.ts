import { createHash } from 'node:crypto'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import type { WorkStep } from '#contract/backup-status.ts'
import type { Db } from '#server/database/tables.ts'
import { contactPhotoName } from '#server/features/contacts/photos.queries.ts'
import { imageName } from '#server/features/images/image.rules.ts'
import type { CheckedImage } from '#server/features/images/image-tasks.ts'
import { listHashes } from '#server/features/images/images.queries.ts'
import { forEachConcurrently, type Storage } from '#server/storage/storage.ts'
import type { Progress } from '../job.ts'
import type { JobParts } from '../make-backup.ts'
import type { ArchivedPhoto, PhotoKind } from './zip-archive.ts'

/** One more than are decoded at once: the next is there when one is done. Each holds at most one photo in memory. */
const photosAtOnce = Math.min(availableParallelism(), 4) + 1

export async function eachPhoto<Photo>(
  photos: readonly Photo[],
  step: WorkStep,
  progress: Progress,
  work: (photo: Photo) => Promise<void>,
) {
  let done = 0
  await forEachConcurrently(photos, photosAtOnce, async (photo) => {
    await work(photo)
    done += 1
    progress(step, done, photos.length)
  })
}

const nameOf = ({ kind, hash }: ArchivedPhoto) => (kind === 'images' ? imageName(hash) : contactPhotoName(hash))

/** The hashes of all that are in the database; of visitors' photos those that came with a message. */
export async function listKnown(db: Db): Promise<Record<PhotoKind, ReadonlySet<string>>> {
  const sent = db.selectFrom('contactPhotos').select('hash').distinct().where('contactId', 'is not', null)
  const inquiryPhotos = (await sent.execute()).map(({ hash }) => hash)
  return { images: new Set(await listHashes(db)), inquiryPhotos: new Set(inquiryPhotos) }
}

/** The sizes of all that are stored, by their hashes. */
export async function listStored(storage: Storage): Promise<Record<PhotoKind, ReadonlyMap<string, number>>> {
  const list = async (kind: PhotoKind) => {
    const files = await storage.list(path.dirname(nameOf({ kind, hash: 'hash' })))
    return new Map(files.map(({ name, bytes }) => [path.basename(name), bytes]))
  }
  return { images: await list('images'), inquiryPhotos: await list('inquiryPhotos') }
}

/** Its bytes, if they are those of its name. */
export async function readWhole(storage: Storage, photo: ArchivedPhoto) {
  const content = await storage.read(nameOf(photo))
  return content && createHash('sha256').update(content).digest('hex') === photo.hash ? content : undefined
}

/** Tells whether a photo is whole, and in the database. */
export async function intactIn({ database, storage }: JobParts) {
  const known = await listKnown(database.db)
  return async (photo: ArchivedPhoto) => known[photo.kind].has(photo.hash) && (await readWhole(storage, photo)) !== undefined
}

export function storePhoto(storage: Storage, photo: ArchivedPhoto & CheckedImage, content: Buffer) {
  // Those of visitors have no content type: they are never served directly.
  const about = photo.kind === 'images' ? { contentType: photo.contentType } : undefined
  return storage.put(nameOf(photo), content, about)
}

export function ofKind<Photo extends { kind: PhotoKind }>(kind: PhotoKind, photos: readonly Photo[]) {
  return photos.filter((photo) => photo.kind === kind)
}

export function countOf(photos: readonly ArchivedPhoto[]) {
  return { images: ofKind('images', photos).length, inquiryPhotos: ofKind('inquiryPhotos', photos).length }
}
