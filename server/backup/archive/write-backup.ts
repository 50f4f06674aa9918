import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import yazl from 'yazl'
import { archiveFormat, backupVersion, type Counts, exportFormat } from '#contract/backups.ts'
import { hashesShown } from '#contract/images.ts'
import { type OwnFields, photosIn } from '#contract/site-fields.ts'
import { shownName } from '#contract/value-fault.ts'
import type { Database } from '#server/database/open.ts'
import type { Db } from '#server/database/tables.ts'
import type { Draft } from '#server/storage/storage.ts'
import { ensureRoom } from '../disk-space.ts'
import type { Progress } from '../job.ts'
import type { MergeParts } from '../restore/restore.ts'
import { photosOf } from '../restore/restore.ts'
import { type ArchivedPhoto, type Manifest, manifestName, photoEntry, recordEntry, siteName } from './archive.rules.ts'
import { findOwners, type Images, namedProjects } from './backup-photos.ts'
import { asSummed, isReadable, type RecordList, recordLists } from './export.rules.ts'
import { eachRecord, findSite } from './records.queries.ts'
import { readableSite } from './site.rules.ts'

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
    for (const [done, photo] of photos.entries()) {
      progress('writing', done, photos.length)
      const file = await kinds[photo.kind].stream(photo.hash)
      if (!file) throw new Error(`The photo ${photo.hash} was removed while it was being backed up.`)
      if ((await add(photoEntry(photo), file.content, { compress: false })) !== photo.hash) damaged.push(photo)
    }
    progress('writing', photos.length, photos.length)
    return { ...written, damaged: damaged.length > 0 ? await describeDamaged(database.db, damaged) : undefined }
  })
}

type RecordWriting = { add: AddEntry; images: Images; isThere(photo: ArchivedPhoto): boolean; progress: Progress }

/** The entries with the records, the photos that belong to them, and what is missing. */
async function addRecords(tx: Db, { add, images, isThere, progress }: RecordWriting) {
  const readable = await openReadable(tx)
  const shown = (await images.listKnown(tx)).map((hash): ArchivedPhoto => ({ kind: 'images', hash }))
  const written = new Set(shown.filter(isThere).map(({ hash }) => hash))
  const missing = new Set(shown.flatMap(({ hash }) => (written.has(hash) ? [] : hash)))
  const sent = new Set<string>()
  const titles: string[] = []

  /** Also notes photos that are not in the database any more. */
  const noteMissing = (hashes: readonly string[]) => {
    const without = hashes.filter((hash) => !written.has(hash))
    for (const hash of without) missing.add(hash)
    return without.length > 0
  }
  async function* linesOf(list: RecordList) {
    for await (const record of readable.records(list)) {
      if ('email' in record) for (const hash of record.photos) sent.add(hash)
      else if (noteMissing(hashesShown(record))) titles.push(record.title)
      progress('writing', 0, written.size)
      yield `${JSON.stringify(record)}\n`
    }
  }

  for (const list of recordLists) await add(recordEntry[list], linesOf(list))
  await add(siteName, [JSON.stringify(readable.site)])
  const isOfSite = noteMissing(photosIn(readable.site?.fields ?? {}))
  const fromVisitors = [...sent].map((hash): ArchivedPhoto => ({ kind: 'inquiryPhotos', hash })).filter(isThere)
  const missingFromMessages = sent.size - fromVisitors.length
  return {
    photos: [...shown.filter(isThere), ...fromVisitors],
    counts: { ...readable.counts, images: written.size, inquiryPhotos: fromVisitors.length },
    ...readable.leftOut(),
    missingImages: missing.size + missingFromMessages,
    /** Whose photos are missing, and how many of them came with messages. */
    missingFrom: namedProjects(titles, isOfSite),
    missingFromMessages,
  }
}

/** All photos whose bytes are not those of their names, and whose they are. */
async function describeDamaged(db: Db, photos: readonly ArchivedPhoto[]) {
  async function* records() {
    for (const list of recordLists) {
      for await (const some of eachRecord(db, list)) yield some.map((record) => ({ record }))
    }
  }
  const owners = await findOwners({ records, site: (await findSite(db))?.fields }, photos)
  return { hashes: new Set(photos.map(({ hash }) => hash)), owners }
}

type Content = AsyncIterable<string | Buffer> | Iterable<string>
/** Resolves to the SHA-256 of the content once all of it is read. */
type AddEntry = (name: string, content: Content, options?: { compress: boolean }) => Promise<string>

/** Calls `work` to add the entries, and ends with the manifest of them. */
async function writeZip<T extends { counts: Counts }>(draft: Draft, now: Date, work: (add: AddEntry) => Promise<T>) {
  const zip = new yazl.ZipFile()
  const output = zip.outputStream as Readable
  const about = { mtime: now, mode: 0o100644 }
  const entries: Manifest['entries'] = []
  const sum = createHash('sha256')
  const written = draft.write(streamOf(output, (chunk) => sum.update(chunk)))
  zip.on('error', (error) => output.destroy(error))

  const add: AddEntry = async (name, content, options) => {
    const entrySum = createHash('sha256')
    let bytes = 0
    const source = streamOf(content, (chunk) => {
      entrySum.update(chunk)
      bytes += Buffer.byteLength(chunk)
    })
    zip.addReadStream(source, name, { ...about, ...options })
    // A draft that can no longer be written does not read the source to its end.
    await Promise.race([finished(source), written])
    const sha256 = entrySum.digest('hex')
    entries.push({ name, bytes, sha256 })
    return sha256
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

function streamOf<Chunk>(content: AsyncIterable<Chunk> | Iterable<Chunk>, onChunk: (chunk: Chunk) => void) {
  const chunks = async function* () {
    for await (const chunk of content) {
      onChunk(chunk)
      yield chunk
    }
  }
  return Readable.from(chunks(), { objectMode: false })
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
