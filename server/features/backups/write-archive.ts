import { Readable } from 'node:stream'
import yazl from 'yazl'
import { archiveFormat, backupVersion, type Counts } from '#contract/backups.ts'
import { hashesShown } from '#contract/image-addresses.ts'
import type { Database } from '#server/database/open.ts'
import { Problem } from '#server/http/problem.ts'
import type { Draft, Storage } from '#server/storage/storage.ts'
import { dataName, imageEntry, isTooMuch, type Manifest, manifestName } from './archive.rules.ts'
import * as queries from './backups.queries.ts'
import { exportOf } from './export.rules.ts'
import { sha256Of } from './hash.ts'
import type { Progress } from './progress.ts'

type Parts = {
  database: Database
  storage: Storage
  nameOfImage(hash: string): string
  now: Date
  progress: Progress
}

export type WrittenArchive = {
  counts: Counts
  missingImages: number
  /** The projects that show a photo whose file is gone. */
  titlesWithout: string[]
}

/** Writes projects, messages and photos as they are at one moment. Photos pass through piece by piece. */
export async function writeArchive(
  draft: Draft,
  { database, storage, nameOfImage, now, progress }: Parts,
): Promise<WrittenArchive> {
  const createdAt = now.toISOString()
  const { records, hashes } = await database.snapshot(async (tx) => ({
    records: await queries.readRecords(tx),
    hashes: await queries.listImageHashes(tx),
  }))
  const stored = new Map((await storage.list('objects')).map(({ name, bytes }) => [name, bytes]))
  const images = hashes.flatMap((hash) => {
    const bytes = stored.get(nameOfImage(hash))
    return bytes === undefined ? [] : [{ hash, bytes }]
  })
  const data = Buffer.from(JSON.stringify(exportOf(records, createdAt)))
  const counts = { projects: records.projects.length, contacts: records.contacts.length, images: images.length }
  if (isTooMuch(counts, data.length)) throw new Problem('backup_too_large')
  const manifest: Manifest = {
    format: archiveFormat,
    version: backupVersion,
    createdAt,
    counts,
    entries: [
      { name: dataName, bytes: data.length, sha256: await sha256Of(data) },
      ...images.map(({ hash, bytes }) => ({ name: imageEntry(hash), bytes, sha256: hash })),
    ],
  }

  const zip = new yazl.ZipFile()
  const entry = { mtime: now, mode: 0o100644 }
  zip.addBuffer(Buffer.from(JSON.stringify(manifest)), manifestName, entry)
  zip.addBuffer(data, dataName, entry)
  let done = 0
  for (const { hash, bytes } of images) {
    zip.addReadStreamLazy(imageEntry(hash), { ...entry, size: bytes, compress: false }, (use) => {
      const opening = storage.stream(nameOfImage(hash)).then((found) => {
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
  const written = new Set(images.map(({ hash }) => hash))
  const without = records.projects.filter((project) => hashesShown(project).some((hash) => !written.has(hash)))
  // A project may show a photo of which nothing at all is known any more.
  const gone = new Set([...hashes, ...records.projects.flatMap(hashesShown)].filter((hash) => !written.has(hash)))
  return { counts, missingImages: gone.size, titlesWithout: without.map(({ title }) => title) }
}
