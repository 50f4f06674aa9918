import { webcrypto } from 'node:crypto'
import { availableParallelism } from 'node:os'
import type { IncomingContact, IncomingProject } from '#contract/backups.ts'
import { hashesShown } from '#contract/images.ts'
import type { NamedProjects, PhotoOwners } from '#contract/problems.ts'
import { textOf } from '#contract/project-fields.ts'
import { type OwnFields, photosIn } from '#contract/site-fields.ts'
import { shownName } from '#contract/value-fault.ts'
import type { Db } from '#server/database/tables.ts'
import { contactPhotoName, contactPhotosFolder } from '#server/features/contacts/photos.queries.ts'
import type { createImages } from '#server/features/images/image-store.ts'
import { forEachConcurrently, sumOf } from '#server/storage/storage.ts'
import type { JobParts } from '../make-backup.ts'
import { type ArchivedPhoto, type PhotoKind, photoEntry } from './archive.rules.ts'
import type { PhotoFacts, RecordOf } from './records.queries.ts'

export type Images = ReturnType<typeof createImages>
export type CheckedImage = Awaited<ReturnType<Images['judge']>>
export type MergeParts = Pick<JobParts, 'database' | 'storage' | 'clock' | 'images'>

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

/** In the thread pool, so that several photos take several cores. */
export async function hashOfPhoto(content: Buffer) {
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', content)).toString('hex')
}

/** Both kinds of photos as backups need them: the maker's, and those that visitors sent with a message. */
export function photosOf({ database: { db }, storage, images }: MergeParts) {
  const inquiryPhotos = {
    async listStored(): Promise<ReadonlyMap<string, number>> {
      const files = await storage.list(contactPhotosFolder)
      return new Map(files.map(({ name, bytes }) => [name.slice(contactPhotosFolder.length + 1), bytes]))
    },

    async listKnown(db: Db) {
      const sent = db.selectFrom('contactPhotos').select('hash').distinct().where('contactId', 'is not', null)
      return (await sent.execute()).map(({ hash }) => hash)
    },

    stream: (hash: string) => storage.stream(contactPhotoName(hash)),
    // Without a content type: these files are never served directly.
    put: ({ hash }: CheckedImage, content: Buffer) => storage.put(contactPhotoName(hash), content),

    /** Whether it belongs to a message of this site, and is stored without damage. */
    async isIntact(hash: string) {
      const sent = db.selectFrom('contactPhotos').select('id').where('hash', '=', hash).where('contactId', 'is not', null)
      return (await sent.executeTakeFirst()) !== undefined && (await sumOf(contactPhotoName(hash), storage)) === hash
    },

    /** Undefined where the bytes are not those of its name. */
    async judgeStored(hash: string): Promise<PhotoFacts | undefined> {
      const content = await storage.read(contactPhotoName(hash))
      const judged = content && (await images.judge(content).catch(() => undefined))
      return judged?.hash === hash ? photoFacts({ ...judged, bytes: content?.length ?? 0 }) : undefined
    },
  }
  return { images, inquiryPhotos }
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

type OwnerSource = {
  records(): AsyncIterable<readonly { record: IncomingProject | IncomingContact | RecordOf[keyof RecordOf] }[]>
  site: OwnFields | undefined
}

/** Whose photos they are: a person knows them by that. More than twenty would be no sentence. */
export async function findOwners(
  { records, site }: OwnerSource,
  photos: readonly ArchivedPhoto[],
  most = 20,
): Promise<PhotoOwners> {
  const entries = new Set(photos.map(photoEntry))
  const isOne = (kind: PhotoKind) => (hash: string) => entries.has(photoEntry({ kind, hash }))
  const titles: string[] = []
  const senders = new Set<string>()
  for await (const some of photos.length > 0 ? records() : []) {
    for (const { record } of some) {
      if (!('email' in record))
        titles.push(...(hashesShown(record).some(isOne('images')) ? [textOf(record, 'title') ?? record.id ?? ''] : []))
      else if (record.photos.some(isOne('inquiryPhotos'))) senders.add(shownName(record.name))
    }
  }
  const isOfSite = photosIn(site ?? {}).some(isOne('images'))
  return { ...namedProjects(titles, isOfSite, most), senders: [...senders].slice(0, most) }
}

/** The first few by their titles, and how many there are besides; and whether the site itself is one of the owners. */
export function namedProjects(titles: readonly string[], isOfSite: boolean, most = 3): NamedProjects {
  const projects = titles.slice(0, most)
  return { projects, others: titles.length - projects.length, ...(isOfSite && { site: true }) }
}
