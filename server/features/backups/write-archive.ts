import { Readable } from 'node:stream'
import yazl from 'yazl'
import { archiveFormat, backupVersion, type Counts } from '#contract/backups.ts'
import { hashesShown } from '#contract/image-addresses.ts'
import type { Database } from '#server/database/open.ts'
import type { Db } from '#server/database/tables.ts'
import { Problem } from '#server/http/problem.ts'
import type { Draft, Storage } from '#server/storage/storage.ts'
import { dataName, imageEntry, isTooMuch, type Manifest, manifestName } from './archive.rules.ts'
import * as queries from './backups.queries.ts'
import { ensureRoom } from './disk-room.ts'
import type { Images } from './images.ts'
import { type LocalFile, withLocalFile } from './local-file.ts'
import type { Progress } from './progress.ts'
import { exportText } from './write-export.ts'

type Parts = {
  database: Database
  storage: Storage
  images: Images
  now: Date
  progress: Progress
}

export type WrittenArchive = {
  counts: Counts
  missingImages: number
  /** The projects that show a photo whose file is gone. */
  titlesWithout: string[]
}

/** Writes projects, messages and photos as they are at one moment, piece by piece. */
export async function writeArchive(draft: Draft, parts: Parts): Promise<WrittenArchive> {
  const { database, storage, now } = parts
  const createdAt = now.toISOString()
  const stored = await parts.images.listStored()
  await ensureRoom(
    storage,
    [...stored.values()].reduce((total, bytes) => total + bytes, 0),
  )
  // The list of contents comes first in the archive and tells the sum of the records: they are written to a file before.
  return withLocalFile(storage, async (data) => {
    const { written, records, images, ...gone } = await database.snapshot(async (tx) => ({
      written: await data.write(exportText(tx, createdAt)),
      records: await queries.countRecords(tx),
      ...(await imagesOf(tx, stored, await parts.images.listKnown(tx))),
    }))
    const counts = { ...records, images: images.length }
    if (isTooMuch(counts, written.bytes)) throw new Problem('backup_too_large')
    const manifest: Manifest = {
      format: archiveFormat,
      version: backupVersion,
      createdAt,
      counts,
      entries: [
        { name: dataName, ...written },
        ...images.map((image) => ({ name: imageEntry(image.hash), bytes: image.bytes, sha256: image.hash })),
      ],
    }
    await writeZip(draft, { manifest, data, images }, parts)
    return { counts, ...gone }
  })
}

type StoredImage = { hash: string; bytes: number }

/** The images whose files are there, and what is missing without the others. */
async function imagesOf(tx: Db, stored: ReadonlyMap<string, number>, known: readonly string[]) {
  const images: StoredImage[] = []
  const gone = new Set<string>()
  const titlesWithout: string[] = []
  for (const hash of known) {
    const bytes = stored.get(hash)
    if (bytes === undefined) gone.add(hash)
    else images.push({ hash, bytes })
  }
  const written = new Set(images.map(({ hash }) => hash))
  for await (const projects of queries.eachRecord(tx, 'projects')) {
    for (const project of projects) {
      // Also those that are not in the database any more.
      const without = hashesShown(project).filter((hash) => !written.has(hash))
      for (const hash of without) gone.add(hash)
      if (without.length > 0) titlesWithout.push(project.title)
    }
  }
  return { images, missingImages: gone.size, titlesWithout }
}

type Contents = { manifest: Manifest; data: LocalFile; images: readonly StoredImage[] }

async function writeZip(draft: Draft, { manifest, data, images }: Contents, parts: Parts) {
  const { now, progress } = parts
  const zip = new yazl.ZipFile()
  const entry = { mtime: now, mode: 0o100644 }
  zip.addBuffer(Buffer.from(JSON.stringify(manifest)), manifestName, entry)
  zip.addReadStreamLazy(dataName, entry, (use) => {
    const content = data.read()
    content.once('error', (error) => zip.emit('error', error))
    use(null, content)
  })
  let done = 0
  for (const { hash, bytes } of images) {
    zip.addReadStreamLazy(imageEntry(hash), { ...entry, size: bytes, compress: false }, (use) => {
      const opening = parts.images.stream(hash).then((found) => {
        if (!found) throw new Error(`The photo ${hash} was removed while it was being backed up.`)
        found.content.once('error', (error) => zip.emit('error', error))
        progress('writing', done, images.length)
        done += 1
        return found.content
      })
      opening.then(
        (content) => use(null, content),
        (error: unknown) => use(error, Readable.from([])),
      )
    })
  }
  zip.end()
  const output = zip.outputStream as Readable
  zip.on('error', (error) => output.destroy(error))
  await draft.write(output)
  progress('writing', images.length, images.length)
}
