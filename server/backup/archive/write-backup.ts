import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import yazl from 'yazl'
import { archiveFormat, backupVersion, type Counts, exportFormat, type PhotoOwners } from '#contract/backups.ts'
import { hashesShown } from '#contract/images.ts'
import { textOf } from '#contract/project-fields.ts'
import { photosIn } from '#contract/site-fields.ts'
import { shownName } from '#contract/value-fault.ts'
import type { Database } from '#server/database/open.ts'
import type { Db } from '#server/database/tables.ts'
import { listHashes } from '#server/features/images/images.queries.ts'
import { readPublished } from '#server/features/site-content/site-content.queries.ts'
import { listSums } from '#server/features/statistics/statistics.queries.ts'
import { Problem } from '#server/http/problem.ts'
import { type Draft, reportBytes } from '#server/storage/storage.ts'
import { ensureRoom, type Progress } from '../job.ts'
import { countOf, type MergeParts, photosOf } from './backup-photos.ts'
import { asSummed, type RecordList, recordLists } from './export.rules.ts'
import { checkPhotos, type IncomingBackup, openBackupFile } from './read-backup.ts'
import { eachRecord } from './records.queries.ts'
import {
  type ArchivedPhoto,
  type Manifest,
  manifestName,
  type PhotoKind,
  photoEntry,
  photoIn,
  photoKinds,
  recordEntry,
  siteName,
  statisticsName,
} from './zip-archive.ts'

type Options = { now: Date; progress: Progress; margin?: number | undefined }

/**
 * Writes records and photos as they are at one moment, in one pass; the manifest comes last, when all sums are known. Photos
 * whose files are gone or damaged are left out. Then all of it is read again.
 */
export async function writeArchive(draft: Draft, parts: MergeParts, { now, progress, margin }: Options) {
  const { database, storage } = parts
  const kinds = photosOf(parts)
  let bytes = 0
  for (const kind of photoKinds) for (const size of (await kinds[kind].listStored()).values()) bytes += size
  await ensureRoom(storage, bytes, margin)

  const { missing, ...written } = await writeZip(draft, now, async (add) => {
    const { all, counts } = await database.snapshot((tx) => addRecords(tx, add, progress))
    const missing: ArchivedPhoto[] = []
    for (const [done, photo] of all.entries()) {
      progress('writing', done, all.length)
      const content = await kinds[photo.kind].readWhole(photo.hash)
      if (content) await add(photoEntry(photo), Readable.from([content]))
      else missing.push(photo)
    }
    const photos = all.filter((photo) => !missing.includes(photo))
    return { counts: { ...counts, ...countOf(photos) }, missing }
  })
  const checked = await withWritten(draft, async (incoming) => {
    await checkPhotos(incoming, progress, async () => false)
    return { missingFrom: await findOwners(incoming, missing) }
  })
  return { ...written, ...checked, missingImages: missing.length }
}

/** More would be no sentence. */
const mostOwners = 10

async function findOwners({ records, site }: IncomingBackup, photos: readonly ArchivedPhoto[]): Promise<PhotoOwners> {
  const entries = new Set(photos.map(photoEntry))
  const isOne = (kind: PhotoKind) => (hash: string) => entries.has(photoEntry({ kind, hash }))
  const titles: string[] = []
  const names = new Set<string>()
  for await (const some of photos.length > 0 ? records() : []) {
    for (const { record } of some) {
      if ('email' in record) {
        if (record.photos.some(isOne('inquiryPhotos'))) names.add(shownName(record.name))
      } else if (hashesShown(record).some(isOne('images'))) titles.push(textOf(record, 'title') ?? record.id)
    }
  }
  const [projects, senders] = [titles.slice(0, mostOwners), [...names].slice(0, mostOwners)]
  const others = titles.length + names.size - projects.length - senders.length
  return { projects, senders, others, site: photosIn(site ?? {}).some(isOne('images')) }
}

/** Adds the entries with the records. Answers all photos that belong to them. */
async function addRecords(tx: Db, add: AddEntry, progress: Progress) {
  const site = await readOwnSite(tx)
  const counts = { projects: 0, contacts: 0 }
  // Records may show photos that are not in the database any more.
  const hashes = { images: new Set(await listHashes(tx)), inquiryPhotos: new Set<string>() }
  async function* linesOf(list: RecordList) {
    for await (const records of eachRecord(tx, list)) {
      counts[list] += records.length
      for (const record of records) {
        if ('email' in record) for (const hash of record.photos) hashes.inquiryPhotos.add(hash)
        else for (const hash of hashesShown(record)) hashes.images.add(hash)
        yield Buffer.from(`${JSON.stringify(record)}\n`)
      }
      progress('writing', 0, hashes.images.size)
    }
  }

  for (const list of recordLists) await add(recordEntry[list], linesOf(list))
  await add(siteName, Readable.from([Buffer.from(JSON.stringify(site))]))
  await add(statisticsName, Readable.from([Buffer.from(JSON.stringify(await listSums(tx)))]))
  for (const hash of photosIn(site?.fields ?? {})) hashes.images.add(hash)
  const all = photoKinds.flatMap((kind) => [...hashes[kind]].map((hash): ArchivedPhoto => ({ kind, hash })))
  return { all, counts }
}

async function withWritten<T>(draft: Draft, use: (incoming: IncomingBackup) => Promise<T>) {
  const file = await draft.open()
  try {
    return { bytes: file.bytes, ...(await use(await openBackupFile(file, 'complete_backup.zip'))) }
  } catch (error) {
    // It was written just now: its fault is one of the site, and not of an uploaded file. A person can mend a record.
    if (!(error instanceof Problem) || error.status !== 422 || error.code === 'record_refused') throw error
    throw new Problem(error.code === 'file_too_large' ? 'backup_too_large' : 'unexpected', { cause: error })
  } finally {
    await file.close()
  }
}

type AddEntry = (name: string, content: AsyncIterable<Buffer>) => Promise<void>

/** Calls `work` to add the entries, and ends with the manifest of them. */
async function writeZip<T extends { counts: Counts }>(draft: Draft, now: Date, work: (add: AddEntry) => Promise<T>) {
  const zip = new yazl.ZipFile()
  const output = zip.outputStream as Readable
  const about = { mtime: now, mode: 0o100644 }
  const entries: Manifest['entries'] = []
  const sum = createHash('sha256')
  const written = draft.write(reportBytes(output, (_bytes, chunk) => sum.update(chunk)))
  zip.on('error', (error) => output.destroy(error))

  const add: AddEntry = async (name, content) => {
    const entrySum = createHash('sha256')
    let bytes = 0
    const source = reportBytes(content, (total, chunk) => {
      bytes = total
      entrySum.update(chunk)
    })
    zip.addReadStream(source, name, { ...about, compress: !photoIn(name) })
    // A draft that can no longer be written does not read the source to its end.
    await Promise.race([finished(source), written])
    entries.push({ name, bytes, sha256: entrySum.digest('hex') })
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

/** Projects, messages and the texts of the site as one JSON object, a record to a line, as they are at one moment. */
export function writeExport(draft: Draft, { database }: { database: Database }, { now }: { now: Date }) {
  return database.snapshot(async (tx) => {
    await draft.write(Readable.from(exportText(tx, now), { objectMode: false }))
  })
}

async function* exportText(tx: Db, now: Date): AsyncGenerator<string> {
  const begin = { format: exportFormat, version: backupVersion, createdAt: now.toISOString() }
  const counts = { projects: 0, contacts: 0 }
  const sum = createHash('sha256')
  yield JSON.stringify(begin).replace(/\}$/, '')
  for (const list of recordLists) {
    yield `,\n"${list}": [`
    let before = '\n'
    for await (const records of eachRecord(tx, list)) {
      counts[list] += records.length
      for (const record of records) {
        sum.update(`${asSummed(record)}\n`)
        yield before + JSON.stringify(record)
        before = ',\n'
      }
    }
    yield '\n]'
  }
  const end = { counts, site: await readOwnSite(tx) }
  sum.update(asSummed({ ...begin, ...end }))
  yield `,\n${JSON.stringify({ ...end, sha256: sum.digest('hex') }).slice(1)}\n`
}

/** Null while the site is as it came. */
async function readOwnSite(db: Db) {
  const { fields, publishedAt } = await readPublished(db)
  return publishedAt === null ? null : { fields, publishedAt }
}
