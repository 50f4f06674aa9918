import type { IncomingContact, IncomingProject } from '#contract/backups.ts'
import { hashesShown } from '#contract/images.ts'
import type { NamedProjects, PhotoOwners } from '#contract/problems.ts'
import { type OwnFields, photosIn } from '#contract/site-fields.ts'
import { shownName } from '#contract/value-fault.ts'
import type { Database } from '#server/database/open.ts'
import type { Db } from '#server/database/tables.ts'
import { contactPhotoName, contactPhotosFolder } from '#server/features/contacts/photos.queries.ts'
import type { createImages } from '#server/features/images/image-store.ts'
import { type Storage, sumOf } from '#server/storage/storage.ts'
import { type ArchivedPhoto, type PhotoKind, photoEntry } from './archive.rules.ts'
import type { PhotoFacts, RecordOf } from './records.queries.ts'

export type Images = ReturnType<typeof createImages>
export type CheckedImage = Awaited<ReturnType<Images['judge']>>

type OwnerSource = {
  records(): AsyncIterable<readonly { record: IncomingProject | IncomingContact | RecordOf[keyof RecordOf] }[]>
  site: OwnFields | undefined
}

/** More would be no sentence. */
const mostNamed = 20

/** Whose photos they are: a person knows them by that. */
export async function findOwners({ records, site }: OwnerSource, photos: readonly ArchivedPhoto[]): Promise<PhotoOwners> {
  const entries = new Set(photos.map(photoEntry))
  const isOne = (kind: PhotoKind) => (hash: string) => entries.has(photoEntry({ kind, hash }))
  const titles: string[] = []
  const senders = new Set<string>()
  for await (const some of records()) {
    for (const { record } of some) {
      if (!('email' in record)) titles.push(...(hashesShown(record).some(isOne('images')) ? [record.title] : []))
      else if (record.photos.some(isOne('inquiryPhotos'))) senders.add(shownName(record.name))
    }
  }
  const isOfSite = photosIn(site ?? {}).some(isOne('images'))
  return { ...namedProjects(titles, isOfSite, mostNamed), senders: [...senders].slice(0, mostNamed) }
}

/** The first few by their titles, and how many there are besides; and whether the site itself is one of the owners. */
export function namedProjects(titles: readonly string[], isOfSite: boolean, most = 3): NamedProjects {
  const projects = titles.slice(0, most)
  return { projects, others: titles.length - projects.length, ...(isOfSite && { site: true }) }
}

type Parts = { database: Database; storage: Storage; judge: Images['judge'] }

/** The photos of visitors as backups need them: those that were sent with a message. */
export function openContactPhotos({ database: { db }, storage, judge }: Parts) {
  return {
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
      const judged = content && (await judge(content).catch(() => undefined))
      if (judged?.hash !== hash) return undefined
      const { contentType, width, height } = judged
      return { hash, contentType, bytes: content?.length ?? 0, width, height }
    },
  }
}
