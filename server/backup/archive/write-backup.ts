import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import yazl from 'yazl'
import {
  archiveFormat,
  backupVersion,
  type Counts,
  exportFormat,
  type IncomingContact,
  type IncomingProject,
  type Owners,
} from '#contract/backups.ts'
import { hashesShown } from '#contract/images.ts'
import { textOf } from '#contract/project-fields.ts'
import { photosIn } from '#contract/site-fields.ts'
import { sum as visitSum } from '#contract/statistics.ts'
import { shownName } from '#contract/value-fault.ts'
import type { Db } from '#server/database/tables.ts'
import { listHashes } from '#server/features/images/images.queries.ts'
import { readPublished } from '#server/features/site-content/site-content.queries.ts'
import { listSums } from '#server/features/statistics/statistics.queries.ts'
import { Problem } from '#server/http/problem.ts'
import { type Draft, reportBytes } from '#server/storage/storage.ts'
import { ensureRoom, type Progress } from '../job.ts'
import type { JobParts } from '../make-backup.ts'
import { countOf, listStored, readWhole } from './backup-photos.ts'
import { asSummed, isReadable, type RecordList, readableFields, recordLists } from './export.rules.ts'
import { checkPhotos, type IncomingBackup, openBackupFile } from './read-backup.ts'
import { eachRecord, type RecordOf } from './records.queries.ts'
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
export async function writeArchive(draft: Draft, parts: JobParts, { now, progress, margin }: Options) {
  const { database, storage } = parts
  let bytes = 0
  for (const sizes of Object.values(await listStored(storage))) for (const size of sizes.values()) bytes += size
  await ensureRoom(storage, bytes, margin)

  const { missing, ...written } = await writeZip(draft, now, async (add) => {
    const { all, counts, ...records } = await database.snapshot((tx) => addRecords(tx, add, progress))
    const missing: ArchivedPhoto[] = []
    for (const [done, photo] of all.entries()) {
      progress('writing', done, all.length)
      const content = await readWhole(storage, photo)
      if (content) await add(photoEntry(photo), Readable.from([content]))
      else missing.push(photo)
    }
    const gone = new Set(missing)
    const photos = all.filter((photo) => !gone.has(photo))
    return { ...records, counts: { ...counts, ...countOf(photos) }, missing }
  })
  return { ...written, ...(await readAgain(draft, missing, progress)), missingImages: missing.length }
}

async function findOwners({ records, site }: IncomingBackup, photos: readonly ArchivedPhoto[]) {
  const entries = new Set(photos.map(photoEntry))
  const isOne = (kind: PhotoKind) => (hash: string) => entries.has(photoEntry({ kind, hash }))
  const owners = noOwners()
  for await (const some of photos.length > 0 ? records() : []) {
    for (const { record } of some) {
      const isOwner = 'email' in record ? record.photos.some(isOne('inquiryPhotos')) : hashesShown(record).some(isOne('images'))
      if (isOwner) nameOwner(owners, record)
    }
  }
  return { ...owners, site: photosIn(site ?? {}).some(isOne('images')) }
}

const noOwners = (): Owners => ({ projects: [], senders: [], others: 0, site: false })

/** More would be no sentence. */
const mostOwners = 10

function nameOwner(owners: Owners, record: IncomingProject | IncomingContact | RecordOf[RecordList]) {
  const [names, name] = 'email' in record ? [owners.senders, record.name] : [owners.projects, textOf(record, 'title') ?? '']
  if (names.length < mostOwners) names.push(shownName(String(name)).trim() || String(record.id))
  else owners.others += 1
}

/** Adds the entries with the records. Answers all photos that belong to them. */
async function addRecords(tx: Db, add: AddEntry, progress: Progress) {
  const { counts, site, records, sums, leftOut } = await openReadable(tx)
  // Records may show photos that are not in the database any more.
  const hashes = { images: new Set(await listHashes(tx)), inquiryPhotos: new Set<string>() }
  async function* linesOf(list: RecordList) {
    for await (const record of records(list)) {
      if ('email' in record) for (const hash of record.photos) hashes.inquiryPhotos.add(hash)
      else for (const hash of hashesShown(record)) hashes.images.add(hash)
      progress('writing', 0, hashes.images.size)
      yield Buffer.from(`${JSON.stringify(record)}\n`)
    }
  }

  for (const list of recordLists) await add(recordEntry[list], linesOf(list))
  await add(siteName, Readable.from([Buffer.from(JSON.stringify(site))]))
  await add(statisticsName, Readable.from([Buffer.from(JSON.stringify(await sums()))]))
  for (const hash of photosIn(site?.fields ?? {})) hashes.images.add(hash)
  const all = photoKinds.flatMap((kind) => [...hashes[kind]].map((hash): ArchivedPhoto => ({ kind, hash })))
  return { all, counts, ...leftOut() }
}

async function readAgain(draft: Draft, missing: readonly ArchivedPhoto[], progress: Progress) {
  const file = await draft.open()
  try {
    const incoming = await openBackupFile(file, 'complete_backup.zip')
    await checkPhotos(incoming, progress, async () => false)
    return { bytes: file.bytes, missingFrom: await findOwners(incoming, missing) }
  } catch (error) {
    // It was written just now: its fault is one of the site, and not of an uploaded file.
    if (!(error instanceof Problem) || error.status !== 422) throw error
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
    let source: Readable | undefined = reportBytes(content, (total, chunk) => {
      bytes = total
      entrySum.update(chunk)
    })
    const read = finished(source)
    zip.addReadStreamLazy(name, { ...about, compress: !photoIn(name) }, (pass) => pass(null, source as Readable))
    // A draft that can no longer be written does not read the source to its end.
    await Promise.race([read, written])
    // The library keeps that function to the end, and with it each photo that was in memory once.
    source = undefined
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
export function writeExport(draft: Draft, { database }: JobParts, { now, progress }: Options) {
  return database.snapshot(async (tx) => {
    const readable = await openReadable(tx)
    const text = Readable.from(exportText(readable, now), { objectMode: false })
    await draft.write(reportBytes(text, (bytes) => progress('writing', bytes, 0)))
    return readable.leftOut()
  })
}

async function* exportText({ counts, site, records }: ReadableRecords, now: Date): AsyncGenerator<string> {
  const begin = { format: exportFormat, version: backupVersion, createdAt: now.toISOString() }
  const sum = createHash('sha256')
  yield JSON.stringify(begin).replace(/\}$/, '')
  for (const list of recordLists) {
    yield `,\n"${list}": [`
    let before = '\n'
    for await (const record of records(list)) {
      sum.update(`${asSummed(record)}\n`)
      yield before + JSON.stringify(record)
      before = ',\n'
    }
    yield '\n]'
  }
  const end = { counts, site }
  sum.update(asSummed({ ...begin, ...end }))
  yield `,\n${JSON.stringify({ ...end, sha256: sum.digest('hex') }).slice(1)}\n`
}

type ReadableRecords = Awaited<ReturnType<typeof openReadable>>

/** What a backup holds; without what an import would refuse, for which the whole file would be refused. */
async function openReadable(tx: Db) {
  const published = await readPublished(tx)
  const { publishedAt } = published
  const fields = readableFields(published.fields)
  const counts = { projects: 0, contacts: 0 }
  const owners = { ...noOwners(), site: Object.keys(fields).length < Object.keys(published.fields).length }
  let missingRecords = owners.site ? 1 : 0

  async function* records(list: RecordList) {
    for await (const some of eachRecord(tx, list)) {
      for (const record of some) {
        if (isReadable(list, record)) {
          counts[list] += 1
          yield record
          continue
        }
        missingRecords += 1
        nameOwner(owners, record)
      }
    }
  }

  async function sums() {
    const all = await listSums(tx)
    const readable = all.filter((each) => visitSum.safeParse(each).success)
    missingRecords += all.length - readable.length
    owners.others += all.length - readable.length
    return readable
  }

  return {
    counts,
    /** Null while the site is as it came. */
    site: publishedAt === null ? null : { fields, publishedAt },
    records,
    sums,
    /** To be asked for at the end. */
    leftOut: () => ({ missingRecords, leftOut: owners }),
  }
}
