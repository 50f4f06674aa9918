import { createHash, type Hash } from 'node:crypto'
import { Readable } from 'node:stream'
import yazl from 'yazl'
import { archiveFormat, backupVersion, type Counts } from '#contract/backups.ts'
import { hashesShown } from '#contract/images.ts'
import type { NamedProjects } from '#contract/problems.ts'
import { photosIn } from '#contract/site-fields.ts'
import type { Database } from '#server/database/open.ts'
import type { Db } from '#server/database/tables.ts'
import { Problem } from '#server/http/problem.ts'
import type { Draft, Storage } from '#server/storage/storage.ts'
import { ensureRoom, type LocalFile, withLocalFile } from '../disk-space.ts'
import type { Progress } from '../job.ts'
import {
  type ArchivedPhoto,
  dataName,
  isTooMuch,
  type Manifest,
  manifestName,
  type PhotoKind,
  photoEntry,
} from './archive.rules.ts'
import type { Photos } from './backup-photos.ts'
import * as queries from './records.queries.ts'
import { countNamed, exportText, findReadable, namedProjects } from './write-export.ts'

type Parts = {
  database: Database
  storage: Storage
  photos: Photos
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
}

/** Writes projects, messages and photos as they are at one moment, piece by piece. */
export async function writeArchive(draft: Draft, parts: Parts): Promise<WrittenArchive> {
  const { database, storage, photos, now, margin, without = new Set() } = parts
  const createdAt = now.toISOString()
  const stored = { images: await photos.images.listStored(), inquiryPhotos: await photos.inquiryPhotos.listStored() }
  await ensureRoom(
    storage,
    [...stored.images.values(), ...stored.inquiryPhotos.values()].reduce((total, bytes) => total + bytes, 0),
    margin,
  )
  // The list of contents comes first in the archive and tells the sum of the records: they are written to a file before.
  return withLocalFile(storage, async (data) => {
    const { written, records, images, inquiryPhotos, ...gone } = await database.snapshot(async (tx) => {
      const readable = await findReadable(tx)
      const filesOf = async (kind: PhotoKind, hashes: readonly string[]) =>
        split(kind, hashes, (hash) => (without.has(hash) ? undefined : stored[kind].get(hash)))
      // A restore refuses a photo that no message in the file has.
      const sentHashes = (await photos.inquiryPhotos.listKnown(tx)).filter((hash) => readable.sent.has(hash))
      const sent = await filesOf('inquiryPhotos', sentHashes)
      return {
        written: await data.write(exportText(tx, createdAt, readable)),
        records: readable.counts,
        leftOut: readable.leftOut,
        missingRecords: countNamed(readable.leftOut),
        ...(await findMissing(tx, await filesOf('images', await photos.images.listKnown(tx)), sent)),
        inquiryPhotos: sent.files,
      }
    })
    const counts = { ...records, images: images.length, inquiryPhotos: inquiryPhotos.length }
    if (isTooMuch(counts, written.bytes)) throw new Problem('backup_too_large')
    const files = [...images, ...inquiryPhotos]
    const manifest: Manifest = {
      format: archiveFormat,
      version: backupVersion,
      createdAt,
      counts,
      entries: [
        { name: dataName, ...written },
        ...files.map((photo) => ({ name: photoEntry(photo), bytes: photo.bytes, sha256: photo.hash })),
      ],
    }
    const sha256 = await writeZip(draft, { manifest, data, files }, parts)
    return { sha256, counts, ...gone }
  })
}

type StoredPhoto = ArchivedPhoto & { bytes: number }
type SplitPhotos = { files: StoredPhoto[]; gone: Set<string> }

/** The photos that have bytes to be written, and the others. */
function split(kind: PhotoKind, hashes: readonly string[], bytesOf: (hash: string) => number | undefined): SplitPhotos {
  const files: StoredPhoto[] = []
  const gone = new Set<string>()
  for (const hash of hashes) {
    const bytes = bytesOf(hash)
    if (bytes === undefined) gone.add(hash)
    else files.push({ kind, hash, bytes })
  }
  return { files, gone }
}

async function findMissing(tx: Db, { files: images, gone }: SplitPhotos, sent: SplitPhotos) {
  const titles: string[] = []
  const written = new Set(images.map(({ hash }) => hash))
  for await (const projects of queries.eachRecord(tx, 'projects')) {
    for (const project of projects) {
      // Also those that are not in the database any more.
      const without = hashesShown(project).filter((hash) => !written.has(hash))
      for (const hash of without) gone.add(hash)
      if (without.length > 0) titles.push(project.title)
    }
  }
  const site = await queries.findSite(tx)
  const withoutSite = photosIn(site?.fields ?? {}).filter((hash) => !written.has(hash))
  for (const hash of withoutSite) gone.add(hash)
  return {
    images,
    missingImages: gone.size + sent.gone.size,
    missingFrom: namedProjects(titles, withoutSite.length > 0),
    missingFromMessages: sent.gone.size,
  }
}

type Contents = { manifest: Manifest; data: LocalFile; files: readonly StoredPhoto[] }

async function writeZip(draft: Draft, { manifest, data, files }: Contents, parts: Parts) {
  const { photos, now, progress } = parts
  const zip = new yazl.ZipFile()
  const entry = { mtime: now, mode: 0o100644 }
  zip.addBuffer(Buffer.from(JSON.stringify(manifest)), manifestName, entry)
  zip.addReadStreamLazy(dataName, entry, (use) => {
    const content = data.read()
    content.once('error', (error) => zip.emit('error', error))
    use(null, content)
  })
  let done = 0
  for (const photo of files) {
    const { kind, hash, bytes } = photo
    zip.addReadStreamLazy(photoEntry(photo), { ...entry, size: bytes, compress: false }, (use) => {
      const open = async () => {
        progress('writing', done, files.length)
        const stored = await photos[kind].stream(hash)
        if (!stored) throw new Error(`The photo ${hash} was removed while it was being backed up.`)
        stored.content.once('error', (error) => zip.emit('error', error))
        done += 1
        return stored.content
      }
      open().then(
        (content) => use(null, content),
        (error: unknown) => use(error, Readable.from([])),
      )
    })
  }
  zip.end()
  const output = zip.outputStream as Readable
  zip.on('error', (error) => output.destroy(error))
  const sum = createHash('sha256')
  await draft.write(Readable.from(summed(output, sum), { objectMode: false }))
  progress('writing', files.length, files.length)
  return sum.digest('hex')
}

async function* summed(content: Readable, sum: Hash) {
  for await (const chunk of content as AsyncIterable<Buffer>) {
    sum.update(chunk)
    yield chunk
  }
}
