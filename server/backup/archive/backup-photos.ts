import type { ImageFacts } from '#contract/images.ts'
import type { Database } from '#server/database/open.ts'
import type { Db, NewImage } from '#server/database/tables.ts'
import { contactPhotoName, contactPhotosFolder } from '#server/features/contacts/photos.queries.ts'
import { type Storage, sumOf, sumsIn } from '#server/storage/storage.ts'
import { archiveLimits, type PhotoKind } from './archive.rules.ts'
import { findPhotoFacts, type PhotoFacts } from './records.queries.ts'

export type CheckedImage = ImageFacts & { hash: string; contentType: string }

/** What backups need of the images; `createImages` of that feature makes it. */
export type Images = {
  /** Held while rows of images are added or removed. */
  lock: string
  /** Fails with a Problem when the bytes are not an image as the site stores them. */
  judge(image: { file: string; start: number; bytes: number } | Buffer): Promise<CheckedImage>
  /** The size of every stored image by its hash. */
  listStored(): Promise<ReadonlyMap<string, number>>
  /** The MD5 that the storage itself has computed of stored images, by their hashes; only a bucket does that. */
  listSums(): Promise<ReadonlyMap<string, string>>
  /** The hashes of those in quarantine. */
  listAside(): Promise<ReadonlySet<string>>
  /** The hashes in the database. */
  listKnown(db: Db): Promise<string[]>
  stream(hash: string): ReturnType<Storage['stream']>
  put(image: CheckedImage, content: Buffer): Promise<void>
  insert(tx: Db, images: readonly NewImage[]): Promise<void>
  /** Whether it has a row, and is stored without damage: it is read, unless `isVouchedFor` answers true. */
  isIntact(hash: string, isVouchedFor?: () => Promise<boolean>): Promise<boolean>
  /** A small copy, for looking at. */
  makeSmall(content: Buffer): Promise<Buffer>
  prepareVariants(hash: string): void
  /** Takes them out of quarantine; returns how many are missing all the same. */
  bringBack(hashes: Iterable<string>): Promise<number>
}

/** What both kinds of photos have in common. */
export type Photos = Record<PhotoKind, Pick<Images, 'listStored' | 'listSums' | 'listKnown' | 'stream' | 'put' | 'isIntact'>>

type Parts = { database: Database; storage: Storage; judge: Images['judge'] }

export type ContactPhotos = ReturnType<typeof openContactPhotos>

/** The photos of visitors as backups need them: those that were sent with a message. */
export function openContactPhotos({ database: { db }, storage, judge }: Parts) {
  async function listStored(): Promise<ReadonlyMap<string, number>> {
    const files = await storage.list(contactPhotosFolder)
    return new Map(files.map(({ name, bytes }) => [name.slice(contactPhotosFolder.length + 1), bytes]))
  }

  return {
    listStored,

    listSums: async () => sumsIn(await storage.list(contactPhotosFolder)),

    /** One more than the limit at most. */
    async listKnown(db: Db) {
      const sent = db.selectFrom('contactPhotos').select('hash').distinct().where('contactId', 'is not', null)
      const rows = await sent
        .orderBy('hash')
        .limit(archiveLimits.photos + 1)
        .execute()
      return rows.map(({ hash }) => hash)
    },

    stream: (hash: string) => storage.stream(contactPhotoName(hash)),
    // Without a content type: these files are never served directly.
    put: ({ hash }: CheckedImage, content: Buffer) => storage.put(contactPhotoName(hash), content),

    /** Whether it belongs to a message of this site, and is stored without damage. */
    async isIntact(hash: string, isVouchedFor: () => Promise<boolean> = async () => false) {
      const sent = db.selectFrom('contactPhotos').select('id').where('hash', '=', hash).where('contactId', 'is not', null)
      if ((await sent.executeTakeFirst()) === undefined) return false
      return (await isVouchedFor()) || (await sumOf(contactPhotoName(hash), storage)) === hash
    },

    /** Undefined where the bytes are not those of its name. */
    async judgeStored(hash: string): Promise<PhotoFacts | undefined> {
      const content = await storage.read(contactPhotoName(hash))
      const judged = content && (await judge(content).catch(() => undefined))
      if (judged?.hash !== hash) return undefined
      const { contentType, width, height } = judged
      return { hash, contentType, bytes: content?.length ?? 0, width, height }
    },

    /** Files without a row, as after going back to an older database. */
    async listStrays(stored: readonly string[]) {
      const rows = await db.selectFrom('contactPhotos').select('hash').distinct().execute()
      const withRow = new Set(rows.map(({ hash }) => hash))
      return new Set(stored.filter((hash) => !withRow.has(hash)))
    },

    async countMissing(hashes: Iterable<string>) {
      const facts = await findPhotoFacts(db, [...hashes])
      // The merge is committed: a storage that fails now must not turn the reply into a failure.
      const stored = await listStored().catch(() => facts)
      return [...hashes].filter((hash) => !facts.has(hash) || !stored.has(hash)).length
    },
  }
}
