import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { type PassThrough, Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import yazl from 'yazl'
import { archiveFormat, backupVersion, type Counts, exportFormat } from '#contract/backups.ts'
import { hashesShown } from '#contract/images.ts'
import { type OwnFields, photosIn } from '#contract/site-fields.ts'
import { shownName } from '#contract/value-fault.ts'
import type { Database } from '#server/database/open.ts'
import type { Db } from '#server/database/tables.ts'
import { type Draft, forEachConcurrently } from '#server/storage/storage.ts'
import { ensureRoom } from '../disk-space.ts'
import { type Progress, reportBytes } from '../job.ts'
import { type ArchivedPhoto, type Manifest, manifestName, photoEntry, recordEntry, siteName } from './archive.rules.ts'
import {
  countOf,
  findOwners,
  hashOfPhoto,
  type Images,
  type MergeParts,
  namedProjects,
  photosAtOnce,
  photosOf,
} from './backup-photos.ts'
import { asSummed, isReadable, type RecordList, readableSite, recordLists } from './export.rules.ts'
import { eachRecord, findSite } from './records.queries.ts'

type Options = {
  now: Date
  progress: Progress
  /** What must stay free on the disk. */
  margin?: number | undefined
  /** Hashes of photos that are left out like those whose files are gone. */
  without?: ReadonlySet<string>
}

/**
 * Writes records and photos as they are at one moment, in one pass; the manifest comes last, when all sums are known. With
 * damaged photos in it the archive must not be kept.
 */
export async function writeArchive(draft: Draft, parts: MergeParts, { now, progress, margin, without }: Options) {
  const { database, storage, images } = parts
  const kinds = photosOf(parts)
  const stored = { images: await images.listStored(), inquiryPhotos: await kinds.inquiryPhotos.listStored() }
  let bytes = 0
  for (const size of [...stored.images.values(), ...stored.inquiryPhotos.values()]) bytes += size
  await ensureRoom(storage, bytes, margin)
  const isThere = ({ kind, hash }: ArchivedPhoto) => stored[kind].has(hash) && !without?.has(hash)

  return writeZip(draft, now, async (add) => {
    const { photos, ...written } = await database.snapshot((tx) => addRecords(tx, { add, images, isThere, progress }))
    const damaged: ArchivedPhoto[] = []
    let done = 0
    await forEachConcurrently(photos, photosAtOnce, async (photo) => {
      const content = await kinds[photo.kind].read(photo.hash)
      if (!content) throw new Error(`The photo ${photo.hash} was removed while it was being backed up.`)
      if ((await add(photoEntry(photo), content)) !== photo.hash) damaged.push(photo)
      done += 1
      progress('writing', done, photos.length)
    })
    if (damaged.length === 0) return { ...written, damaged: undefined }
    /** All photos whose bytes are not those of their names, and whose they are. */
    const owners = await findOwnersHere(database.db, damaged)
    return { ...written, damaged: { hashes: new Set(damaged.map(({ hash }) => hash)), owners } }
  })
}

type RecordWriting = { add: AddEntry; images: Images; isThere(photo: ArchivedPhoto): boolean; progress: Progress }

/** The entries with the records, the photos that belong to them, and what is missing. */
async function addRecords(tx: Db, { add, images, isThere, progress }: RecordWriting) {
  const readable = await openReadable(tx)
  // Projects may also show photos that are not in the database any more.
  const hashes = { images: new Set(await images.listKnown(tx)), inquiryPhotos: new Set<string>() }
  async function* linesOf(list: RecordList) {
    for await (const record of readable.records(list)) {
      if ('email' in record) for (const hash of record.photos) hashes.inquiryPhotos.add(hash)
      else for (const hash of hashesShown(record)) hashes.images.add(hash)
      progress('writing', 0, hashes.images.size)
      yield Buffer.from(`${JSON.stringify(record)}\n`)
    }
  }

  for (const list of recordLists) await add(recordEntry[list], linesOf(list))
  await add(siteName, Readable.from([Buffer.from(JSON.stringify(readable.site))]))
  for (const hash of photosIn(readable.site?.fields ?? {})) hashes.images.add(hash)
  const all = (['images', 'inquiryPhotos'] as const).flatMap((kind) => [...hashes[kind]].map((hash) => ({ kind, hash })))
  const photos = all.filter(isThere)
  const missing = all.filter((photo) => !isThere(photo))
  const { senders: _senders, ...missingFrom } = await findOwnersHere(tx, missing, 3)
  return {
    photos,
    counts: { ...readable.counts, ...countOf(photos) },
    ...readable.leftOut(),
    missingImages: missing.length,
    /** Whose photos are missing, and how many of them came with messages. */
    missingFrom,
    missingFromMessages: countOf(missing).inquiryPhotos,
  }
}

/** Whose photos they are on this site. */
async function findOwnersHere(db: Db, photos: readonly ArchivedPhoto[], most?: number) {
  async function* records() {
    for (const list of photos.length > 0 ? recordLists : []) {
      for await (const some of eachRecord(db, list)) yield some.map((record) => ({ record }))
    }
  }
  return findOwners({ records, site: (await findSite(db))?.fields }, photos, most)
}

/** Photos as buffers, which are stored, and the rest as streams, which are deflated. Resolves to the SHA-256 of the content. */
type AddEntry = (name: string, content: Buffer | AsyncIterable<Buffer>) => Promise<string>

/** Calls `work` to add the entries, and ends with the manifest of them. */
async function writeZip<T extends { counts: Counts }>(draft: Draft, now: Date, work: (add: AddEntry) => Promise<T>) {
  const zip = new yazl.ZipFile()
  const output = zip.outputStream as PassThrough
  const about = { mtime: now, mode: 0o100644 }
  const entries: Manifest['entries'] = []
  const sum = createHash('sha256')
  const written = draft.write(streamOf(output, (_bytes, chunk) => sum.update(chunk)))
  zip.on('error', (error) => output.destroy(error))

  const add: AddEntry = async (name, content) => {
    const { bytes, sha256 } = await (Buffer.isBuffer(content) ? addBuffer(name, content) : addStream(name, content))
    entries.push({ name, bytes, sha256 })
    return sha256
  }

  async function addBuffer(name: string, content: Buffer) {
    zip.addBuffer(content, name, { ...about, compress: false })
    const sha256 = await hashOfPhoto(content)
    // Otherwise all photos would be in memory. A draft that can no longer be written does not read to the end.
    if (output.writableNeedDrain) await Promise.race([once(output, 'drain'), written])
    return { bytes: content.length, sha256 }
  }

  async function addStream(name: string, content: AsyncIterable<Buffer>) {
    const entrySum = createHash('sha256')
    let bytes = 0
    const source = streamOf(content, (total, chunk) => {
      entrySum.update(chunk)
      bytes = total
    })
    zip.addReadStream(source, name, about)
    await Promise.race([finished(source), written])
    return { bytes, sha256: entrySum.digest('hex') }
  }

  async function make() {
    const result = await work(add)
    const head = { format: archiveFormat, version: backupVersion, createdAt: now.toISOString(), counts: result.counts }
    zip.addBuffer(Buffer.from(JSON.stringify({ ...head, entries })), manifestName, about)
    zip.end()
    return result
  }
  const made = make()
  // Without a listener a draft that does not read it would end the process.
  output.on('error', () => {})
  made.catch((error: Error) => output.destroy(error))
  const both = [made, written]
  // Neither may go on once this has failed: the draft is dropped then.
  await Promise.all(both).finally(() => Promise.allSettled(both))
  return { sha256: sum.digest('hex'), ...(await made) }
}

function streamOf(...reported: Parameters<typeof reportBytes<Buffer>>) {
  return Readable.from(reportBytes(...reported), { objectMode: false })
}

/** Projects, messages and the texts of the site as one JSON object, a record to a line, as they are at one moment. */
export function writeExport(draft: Draft, { database }: { database: Database }, { now }: { now: Date }) {
  return database.snapshot(async (tx) => {
    const readable = await openReadable(tx)
    await draft.write(Readable.from(exportText(readable, now), { objectMode: false }))
    return readable.leftOut()
  })
}

async function* exportText(readable: ReadableRecords, now: Date): AsyncGenerator<string> {
  const begin = { format: exportFormat, version: backupVersion, createdAt: now.toISOString() }
  const sum = createHash('sha256')
  yield JSON.stringify(begin).replace(/\}$/, '')
  for (const list of recordLists) {
    yield `,\n"${list}": [`
    let before = '\n'
    for await (const record of readable.records(list)) {
      sum.update(`${asSummed(record)}\n`)
      yield before + JSON.stringify(record)
      before = ',\n'
    }
    yield '\n]'
  }
  const end = { counts: readable.counts, site: readable.site }
  sum.update(asSummed({ ...begin, ...end }))
  yield `,\n${JSON.stringify({ ...end, sha256: sum.digest('hex') }).slice(1)}\n`
}

type ReadableRecords = Awaited<ReturnType<typeof openReadable>>

/** What a backup holds; without what an import would refuse, for which the whole file would be refused. */
async function openReadable(db: Db) {
  const counts = { projects: 0, contacts: 0 }
  const names: string[] = []
  const published = await findSite(db)
  const fields: OwnFields = readableSite(published?.fields ?? {})
  const isOfSite = Object.keys(fields).length < Object.keys(published?.fields ?? {}).length

  /** To be read to the end before counts and names are asked for. */
  async function* records(list: RecordList) {
    for await (const some of eachRecord(db, list)) {
      for (const record of some) {
        if (isReadable(list, record)) {
          counts[list] += 1
          yield record
        } else names.push(shownName('title' in record ? record.title : record.name).trim() || record.id)
      }
    }
  }

  return {
    counts,
    site: published && { ...published, fields },
    records,
    /** How many records are missing, because an import would refuse them, and which. */
    leftOut() {
      return { missingRecords: names.length + (isOfSite ? 1 : 0), leftOut: namedProjects(names, isOfSite) }
    },
  }
}
