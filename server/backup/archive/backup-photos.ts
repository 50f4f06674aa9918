import { createHash } from 'node:crypto'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import type { Db } from '#server/database/tables.ts'
import { contactPhotosFolder } from '#server/features/contacts/photos.queries.ts'
import { imageName } from '#server/features/images/image.rules.ts'
import { releaseNeeded } from '#server/features/images/image-quarantine.ts'
import { type CheckedImage, judgeImage } from '#server/features/images/image-tasks.ts'
import { findImage, listHashes } from '#server/features/images/images.queries.ts'
import { forEachConcurrently } from '#server/storage/storage.ts'
import type { JobParts } from '../make-backup.ts'
import type { PhotoFacts } from './records.queries.ts'
import type { ArchivedPhoto, PhotoKind } from './zip-archive.ts'

export type MergeParts = Pick<JobParts, 'database' | 'storage' | 'clock'>

/** One more than are decoded at once: the next is there when one is done. Each holds at most one photo in memory. */
const photosAtOnce = Math.min(availableParallelism(), 4) + 1

export async function eachPhoto<Photo>(
  photos: readonly Photo[],
  report: (done: number, total: number) => void,
  work: (photo: Photo) => Promise<void>,
) {
  let done = 0
  await forEachConcurrently(photos, photosAtOnce, async (photo) => {
    await work(photo)
    done += 1
    report(done, photos.length)
  })
}

/** Both kinds of photos as backups need them: the maker's, and those that visitors sent with a message. */
export function photosOf({ database: { db }, storage }: MergeParts) {
  const sent = (from: Db) => from.selectFrom('contactPhotos').select('hash').distinct().where('contactId', 'is not', null)
  const images = {
    folder: path.dirname(imageName('hash')),
    listKnown: listHashes,
    isKnown: async (hash: string) => (await findImage(db, hash)) !== undefined,
    about: ({ contentType }: CheckedImage): { contentType: string } | undefined => ({ contentType }),
  }
  const inquiryPhotos: typeof images = {
    folder: contactPhotosFolder,
    listKnown: async (from) => (await sent(from).execute()).map(({ hash }) => hash),
    isKnown: async (hash) => (await sent(db).where('hash', '=', hash).executeTakeFirst()) !== undefined,
    // Without a content type: these files are never served directly.
    about: () => undefined,
  }
  const stored = ({ folder, listKnown, isKnown, about }: typeof images) => {
    const readWhole = async (hash: string) => {
      const content = await storage.read(`${folder}/${hash}`)
      return content && createHash('sha256').update(content).digest('hex') === hash ? content : undefined
    }
    return {
      listKnown,
      /** The size of every stored one by its hash. */
      async listStored(): Promise<ReadonlyMap<string, number>> {
        const files = await storage.list(folder)
        return new Map(files.map((file) => [path.basename(file.name), file.bytes]))
      },
      put: (photo: CheckedImage, content: Buffer) => storage.put(`${folder}/${photo.hash}`, content, about(photo)),
      /** Its bytes, if they are those of its name. */
      readWhole,
      /** Whether it is whole, and in the database. */
      isIntact: async (hash: string) => (await isKnown(hash)) && (await readWhole(hash)) !== undefined,
    }
  }
  return { images: stored(images), inquiryPhotos: stored(inquiryPhotos) }
}

/** After a merge or an undo, which is committed: what is shown again and stays in quarantine now is taken out by the next sweep. */
export async function releaseShown(parts: MergeParts) {
  await releaseNeeded({ ...parts, encoder: { judge: judgeImage } }).catch(() => {})
}

/** Without what only the maker's photos have. */
export function photoFacts({ hash, contentType, bytes, width, height }: PhotoFacts): PhotoFacts {
  return { hash, contentType, bytes, width, height }
}

export function ofKind<Photo extends { kind: PhotoKind }>(kind: PhotoKind, photos: readonly Photo[]) {
  return photos.filter((photo) => photo.kind === kind)
}

export function countOf(photos: readonly ArchivedPhoto[]) {
  return { images: ofKind('images', photos).length, inquiryPhotos: ofKind('inquiryPhotos', photos).length }
}
