import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import yazl from 'yazl'
import { archiveFormat, backupVersion, type Counts } from '#contract/backups.ts'
import { hashesShown } from '#contract/images.ts'
import type { NamedProjects, PhotoOwners } from '#contract/problems.ts'
import { photosIn } from '#contract/site-fields.ts'
import type { Database } from '#server/database/open.ts'
import type { Db } from '#server/database/tables.ts'
import { Problem } from '#server/http/problem.ts'
import type { Draft, Storage } from '#server/storage/storage.ts'
import { ensureRoom } from '../disk-space.ts'
import type { Progress } from '../job.ts'
import {
  type ArchivedPhoto,
  archiveLimits,
  type Manifest,
  manifestName,
  photoEntry,
  recordEntry,
  siteName,
} from './archive.rules.ts'
import { type Images, openContactPhotos } from './backup-photos.ts'
import { mostRecords, type RecordList, recordLists } from './export.rules.ts'
import { findOwners } from './read-backup.ts'
import * as queries from './records.queries.ts'
import { namedProjects, openReadable } from './write-export.ts'

type Parts = { database: Database; storage: Storage; images: Images }

type Options = {
  now: Date
  progress: Progress
  /** What must stay free on the disk. */
  margin?: number | undefined
  /** Hashes of photos that are left out like those whose files are gone. */
  without?: ReadonlySet<string>
}

export type WrittenArchive = {
  /** Of all of its bytes. */
  sha256: string
  counts: Counts
  missingImages: number
  /** Whose photos are missing. */
  missingFrom: NamedProjects
  /** How many of the missing ones came with messages. */
  missingFromMessages: number
  /** How many records are missing, because an import would refuse them, and which. */
  missingRecords: number
  leftOut: NamedProjects
  /** Photos whose bytes are not those of their names, and whose they are. With any of them the archive must not be kept. */
  damaged: { hashes: ReadonlySet<string>; owners: PhotoOwners } | undefined
}

/** Writes records and photos as they are at one moment in one pass; the manifest comes last, when all sums are known. */
export async function writeArchive(draft: Draft, parts: Parts, options: Options): Promise<WrittenArchive> {
  const { database, storage, images } = parts
  const { now, progress, margin, without = new Set() } = options
  const kinds = { images, inquiryPhotos: openContactPhotos({ ...parts, judge: images.judge }) }
  const stored = { images: await images.listStored(), inquiryPhotos: await kinds.inquiryPhotos.listStored() }
  await ensureRoom(
    storage,
    [...stored.images.values(), ...stored.inquiryPhotos.values()].reduce((total, bytes) => total + bytes, 0),
    margin,
  )
  const isThere = ({ kind, hash }: ArchivedPhoto) => stored[kind].has(hash) && !without.has(hash)
  const damaged: ArchivedPhoto[] = []

  const { sha256, result } = await writeZip(draft, now, async (add) => {
    const { photos, records, ...missing } = await database.snapshot((tx) => addRecords(tx, { add, images, isThere }))
    for (const [done, photo] of photos.entries()) {
      progress('writing', done, photos.length)
      const file = await kinds[photo.kind].stream(photo.hash)
      if (!file) throw new Error(`The photo ${photo.hash} was removed while it was being backed up.`)
      if ((await add(photoEntry(photo), file.content, { compress: false })) !== photo.hash) damaged.push(photo)
    }
    progress('writing', photos.length, photos.length)
    const ofVisitors = photos.filter(({ kind }) => kind === 'inquiryPhotos').length
    const counts = { ...records, images: photos.length - ofVisitors, inquiryPhotos: ofVisitors }
    const manifest: Omit<Manifest, 'entries'> = {
      format: archiveFormat,
      version: backupVersion,
      createdAt: now.toISOString(),
      counts,
    }
    return { manifest, ...missing }
  })
  const { manifest, ...missing } = result
  return {
    sha256,
    counts: manifest.counts,
    ...missing,
    damaged: damaged.length > 0 ? await describeDamaged(database.db, damaged) : undefined,
  }
}

type RecordWriting = { add: AddEntry; images: Pick<Images, 'listKnown'>; isThere(photo: ArchivedPhoto): boolean }

/** The entries with the records, the photos that belong to them, and what is missing. */
async function addRecords(tx: Db, { add, images, isThere }: RecordWriting) {
  const readable = await openReadable(tx)
  const ofMaker = (await images.listKnown(tx)).map((hash): ArchivedPhoto => ({ kind: 'images', hash }))
  const written = new Set(ofMaker.filter(isThere).map(({ hash }) => hash))
  const missing = new Set(ofMaker.flatMap(({ hash }) => (written.has(hash) ? [] : hash)))
  const titles: string[] = []
  const sent = new Set<string>()
  let bytes = 0

  /** Also notes photos that are not in the database any more. */
  const noteMissing = (shown: readonly string[]) => {
    const without = shown.filter((hash) => !written.has(hash))
    for (const hash of without) missing.add(hash)
    return without.length > 0
  }
  async function* linesOf(list: RecordList) {
    for await (const records of readable.records(list)) {
      for (const record of records) {
        if ('email' in record) for (const hash of record.photos) sent.add(hash)
        else if (noteMissing(hashesShown(record))) titles.push(record.title)
        const line = `${JSON.stringify(record)}\n`
        bytes += Buffer.byteLength(line)
        yield line
      }
      // What is written must be readable again.
      const isTooMuch = readable.counts[list] > mostRecords[list] || written.size + sent.size > archiveLimits.photos
      if (isTooMuch || bytes > archiveLimits.recordBytes) throw new Problem('backup_too_large')
    }
  }

  for (const list of recordLists) await add(recordEntry[list], linesOf(list))
  await add(siteName, [JSON.stringify(readable.site)])
  if (written.size > archiveLimits.photos) throw new Problem('backup_too_large')
  const isOfSite = noteMissing(photosIn(readable.site?.fields ?? {}))
  const ofVisitors = [...sent].map((hash): ArchivedPhoto => ({ kind: 'inquiryPhotos', hash }))
  const photos = [...ofMaker, ...ofVisitors].filter(isThere)
  const missingFromMessages = written.size + ofVisitors.length - photos.length
  return {
    photos,
    records: readable.counts,
    ...readable.leftOut(),
    missingImages: missing.size + missingFromMessages,
    missingFrom: namedProjects(titles, isOfSite),
    missingFromMessages,
  }
}

async function describeDamaged(db: Db, photos: readonly ArchivedPhoto[]) {
  async function* records() {
    for (const list of recordLists) {
      for await (const some of queries.eachRecord(db, list)) yield some.map((record) => ({ record }))
    }
  }
  const site = (await queries.findSite(db))?.fields
  return { hashes: new Set(photos.map(({ hash }) => hash)), owners: await findOwners({ records, site }, photos) }
}

type Content = AsyncIterable<string | Buffer> | Iterable<string>
/** Resolves to the SHA-256 of the content once all of it is read. */
type AddEntry = (name: string, content: Content, options?: { compress: boolean }) => Promise<string>

/** Calls `work` to add the entries, and ends with the manifest of them. */
async function writeZip<T extends { manifest: Omit<Manifest, 'entries'> }>(
  draft: Draft,
  now: Date,
  work: (add: AddEntry) => Promise<T>,
) {
  const zip = new yazl.ZipFile()
  const output = zip.outputStream as Readable
  const about = { mtime: now, mode: 0o100644 }
  const entries: Manifest['entries'] = []
  const sum = createHash('sha256')
  const written = draft.write(
    Readable.from(
      summed(output, (chunk) => sum.update(chunk)),
      { objectMode: false },
    ),
  )
  zip.on('error', (error) => output.destroy(error))

  const add: AddEntry = async (name, content, options) => {
    const entrySum = createHash('sha256')
    let bytes = 0
    const measured = summed(content, (chunk) => {
      entrySum.update(chunk)
      bytes += Buffer.byteLength(chunk)
    })
    const source = Readable.from(measured, { objectMode: false })
    zip.addReadStream(source, name, { ...about, ...options })
    // A draft that can no longer be written does not read the source to its end.
    await Promise.race([finished(source), written.then(() => {})])
    const sha256 = entrySum.digest('hex')
    entries.push({ name, bytes, sha256 })
    return sha256
  }

  const made = work(add).then((result) => {
    zip.addBuffer(Buffer.from(JSON.stringify({ ...result.manifest, entries })), manifestName, about)
    zip.end()
    return result
  })
  made.catch((error: Error) => output.destroy(error))
  // Neither may go on once this has failed: the draft is dropped then.
  const failure = (await Promise.allSettled([made, written])).find((each) => each.status === 'rejected')
  if (failure) throw failure.reason
  return { sha256: sum.digest('hex'), result: await made }
}

async function* summed<Chunk extends string | Buffer>(
  content: AsyncIterable<Chunk> | Iterable<Chunk>,
  add: (chunk: Chunk) => void,
) {
  for await (const chunk of content) {
    add(chunk)
    yield chunk
  }
}
