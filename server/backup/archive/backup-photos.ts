import type { ImageFacts } from '#contract/images.ts'
import type { Db, NewImage } from '#server/database/tables.ts'
import type { Storage } from '#server/storage/storage.ts'
import type { PhotoKind } from './archive.rules.ts'

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
  /** The hashes of those that were set aside. */
  listAside(): Promise<ReadonlySet<string>>
  /** The hashes in the database. */
  listKnown(db: Db): Promise<string[]>
  stream(hash: string): ReturnType<Storage['stream']>
  put(image: CheckedImage, content: Buffer): Promise<void>
  insert(tx: Db, images: readonly NewImage[]): Promise<void>
  /** Whether it is known, and stored without damage: it is read, unless somebody vouches for it. */
  isIntact(hash: string, isVouchedFor?: () => Promise<boolean>): Promise<boolean>
  /** A small copy, for looking at. */
  makeSmall(content: Buffer): Promise<Buffer>
  prepareVariants(hash: string): void
  /** Brings back those that were set aside, and answers how many are missing all the same. */
  bringBack(hashes: Iterable<string>): Promise<number>
}

/** What both kinds of photos have in common. */
export type Photos = Record<PhotoKind, Pick<Images, 'listStored' | 'listSums' | 'listKnown' | 'stream' | 'put' | 'isIntact'>>
