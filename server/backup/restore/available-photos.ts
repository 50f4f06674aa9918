import type { Db } from '#server/database/tables.ts'
import { archiveLimits, type PhotoKind, photoEntry } from '../archive/archive.rules.ts'
import { openContactPhotos } from '../archive/backup-photos.ts'
import { findPhotoFacts, type PhotoFacts } from '../archive/records.queries.ts'
import type { MergeParts } from './restore.ts'
import type { IncomingBackup } from './scaffold-incoming.ts'

export type AvailablePhotos = Awaited<ReturnType<typeof listAvailable>>

/** The photos that the site or the file has, and what is missing of those that are looked for; `sent` came with messages. */
export async function listAvailable(parts: MergeParts, incoming: IncomingBackup, sent: readonly PhotoFacts[]) {
  const { images } = parts
  const contactPhotos = openContactPhotos({ ...parts, judge: images.judge })
  const stored = { images: await images.listStored(), inquiryPhotos: await contactPhotos.listStored() }
  const inFile = incoming.photos.flatMap(({ kind, hash }) => (kind === 'images' ? hash : []))
  const available = new Set([...stored.images.keys(), ...(await images.listAside()), ...inFile])
  const withoutRow = new Map<string, PhotoFacts | undefined>(sent.map((facts) => [facts.hash, facts]))
  const missing = new Set<string>()

  function noteMissing(kind: PhotoKind, hash: string) {
    // No more than a site can have.
    if (missing.size < archiveLimits.photos) missing.add(photoEntry({ kind, hash }))
  }

  return {
    stored,
    missing,

    lookForImages(hashes: readonly string[]) {
      for (const hash of hashes) if (!available.has(hash)) noteMissing('images', hash)
    },

    /** What is to be stored in the rows of photos that came with messages. */
    async findSent(db: Db, hashes: readonly string[]): Promise<ReadonlyMap<string, PhotoFacts>> {
      const all = hashes.filter((hash) => stored.inquiryPhotos.has(hash) && !withoutRow.has(hash))
      const found = await findPhotoFacts(db, all)
      for (const hash of all) {
        // A file without a row, as after going back to an older database.
        if (!found.has(hash) && !withoutRow.has(hash)) withoutRow.set(hash, await contactPhotos.judgeStored(hash))
      }
      for (const hash of hashes) {
        const facts = withoutRow.get(hash)
        if (facts) found.set(hash, facts)
        else if (!found.has(hash)) noteMissing('inquiryPhotos', hash)
      }
      return found
    },
  }
}
