import { createHash } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { text } from 'node:stream/consumers'
import type { OwnFields } from '#contract/site-fields.ts'
import { Problem } from '#server/http/problem.ts'
import { forEachConcurrently, type OpenFile, piecesOf } from '#server/storage/storage.ts'
import type { Progress } from '../job.ts'
import { contentSum, momentOf } from '../restore/merge.rules.ts'
import {
  type ArchivedPhoto,
  archiveLimits,
  olderDataName,
  photoEntry,
  photoIn,
  recordEntry,
  siteName,
} from './archive.rules.ts'
import { type CheckedImage, findOwners, type Images } from './backup-photos.ts'
import {
  asSummed,
  type CheckedRecord,
  mostRecords,
  type RecordList,
  readExport,
  readRecord,
  readSite,
  recordLists,
  sentWith,
} from './export.rules.ts'
import { asFileFault, fileFault, parseJson, refuseNewer } from './file-faults.ts'
import { openZip } from './open-zip.ts'

export type PlacedPhoto = ArchivedPhoto & { bytes: number }

/** A file whose records are checked to the end: names, sizes, sums, schemas. Photos are checked by `checkPhotos`. */
export type IncomingBackup = {
  createdAt: string | undefined
  counts: Record<RecordList, number>
  /** The maker's own words and pictures; undefined when there are none in it. */
  site: OwnFields | undefined
  /** The contents of records without an id, by which they are recognized. */
  withoutIds: Record<RecordList, Set<string>>
  /** The checked records in the order of the file, some at a time, from the beginning each time: the file itself is the plan. */
  records(): AsyncGenerator<CheckedRecord[]>
  photos: readonly PlacedPhoto[]
  /** The bytes, once their SHA-256 is the one in the name. */
  readPhoto(photo: ArchivedPhoto): Promise<Buffer>
}

/** A name that ends in `.zip` is a complete backup, any other an export. The file must not be encrypted. */
export async function openBackupFile(file: OpenFile, filename: string): Promise<IncomingBackup> {
  try {
    return await (filename.toLowerCase().endsWith('.zip') ? openArchive(file) : openExport(file))
  } catch (error) {
    throw asFileFault(error)
  }
}

type Source = Pick<IncomingBackup, 'createdAt' | 'site'> & {
  rawRecords(): AsyncIterable<{ list: RecordList; record: unknown }>
}

async function openArchive(file: OpenFile): Promise<IncomingBackup> {
  const { manifest, stream, parse, readPhoto } = await openZip(file)
  const { version, createdAt, counts, entries } = manifest
  const source = version < 7 ? parseExport(await parse(olderDataName)) : { site: readSite(await parse(siteName)), rawRecords }
  async function* rawRecords() {
    for (const list of recordLists) {
      const name = recordEntry[list]
      for await (const line of linesOf(stream(name), name)) yield { list, record: parseJson(line, name) }
    }
  }
  const photos = entries.flatMap(({ name, bytes }): PlacedPhoto[] => {
    const photo = photoIn(name)
    return photo ? [{ ...photo, bytes }] : []
  })
  const unsent = new Set(photos.flatMap(({ kind, hash }) => (kind === 'inquiryPhotos' ? hash : [])))
  const incoming = await checkRecords({ ...source, createdAt }, unsent)
  if (recordLists.some((list) => incoming.counts[list] !== counts[list])) {
    throw fileFault('file_damaged', 'It does not hold as many records as its manifest says.')
  }
  // A photo of no message would never be shown or deleted.
  const [hash] = unsent
  if (hash) throw fileFault('not_a_backup', 'No message brought it.', photoEntry({ kind: 'inquiryPhotos', hash }))
  return { ...incoming, photos, readPhoto }
}

async function openExport(file: OpenFile): Promise<IncomingBackup> {
  if (file.bytes > archiveLimits.wholeBytes) throw fileFault('file_too_large', `It has ${file.bytes} bytes.`)
  const incoming = await checkRecords(parseExport(parseJson(await text(piecesOf(file)))))
  return { ...incoming, photos: [], readPhoto: async () => Buffer.alloc(0) }
}

function parseExport(data: unknown): Source {
  refuseNewer(data)
  const { projects, contacts, sha256, ...head } = readExport(data)
  const { version = 1, createdAt } = head
  const site = readSite(head.site)
  if (!projects && !contacts && !site) throw fileFault('not_a_backup', 'It has no projects, messages or texts of the site.')
  const lists = { projects: projects ?? [], contacts: contacts ?? [] }
  const records = [...lists.projects, ...lists.contacts]
  const sum = createHash('sha256')
  // Until version 6 the head came first.
  const summed = version < 7 ? [head, ...records] : [...records, head]
  for (const [index, value] of summed.entries()) sum.update(`${index > 0 ? '\n' : ''}${asSummed(value)}`)
  if (sha256 !== undefined && sha256 !== sum.digest('hex')) {
    throw fileFault('file_damaged', 'It is not that of its sha256. Remove that line if you changed the file on purpose.')
  }
  async function* rawRecords() {
    for (const list of recordLists) for (const record of lists[list]) yield { list, record }
  }
  return { createdAt, site, rawRecords }
}

/** As many as a database is asked for at once, and few enough to be in memory. */
const mostAtOnce = 100

/** Reads all records to the end, and refuses the file for the first fault. Takes out of `unsent` what messages brought. */
async function checkRecords({ rawRecords, ...source }: Source, unsent = new Set<string>()) {
  async function* records(): AsyncGenerator<CheckedRecord[]> {
    const places = { projects: 0, contacts: 0 }
    let some: CheckedRecord[] = []
    for await (const { list, record } of rawRecords()) {
      some.push(readRecord(list, places[list]++, record))
      if (some.length < mostAtOnce) continue
      yield some
      some = []
    }
    yield some
  }
  const counts = { projects: 0, contacts: 0 }
  const ids = { projects: new Set<string>(), contacts: new Set<string>() }
  const withoutIds = { projects: new Set<string>(), contacts: new Set<string>() }
  for await (const some of records()) {
    for (const { list, record } of some) {
      counts[list] += 1
      if (counts[list] > mostRecords[list]) throw fileFault('file_too_large', `It has more than ${mostRecords[list]} ${list}.`)
      if (record.id === undefined) withoutIds[list].add(contentSum(record, momentOf(record)))
      else if (ids[list].has(record.id)) throw fileFault('file_damaged', `Two ${list} have the id ${record.id}.`)
      else ids[list].add(record.id)
      for (const hash of sentWith({ record })) unsent.delete(hash)
    }
  }
  return { ...source, counts, withoutIds, records }
}

async function* linesOf(content: AsyncIterable<Buffer>, entry: string): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let begun = ''
  for await (const chunk of content) {
    const [first = '', ...others] = decoder.decode(chunk, { stream: true }).split('\n')
    begun += first
    for (const line of others) {
      yield begun
      begun = line
    }
    if (begun.length > archiveLimits.lineBytes) throw fileFault('file_too_large', 'It has a line of more than 8 MB.', entry)
  }
  if (begun) yield begun
}

/** One more than are decoded at once: the next is there when one is done. Each holds at most one photo in memory. */
export const photosAtOnce = Math.min(availableParallelism(), 4) + 1

const verdicts = ['not_an_image', 'image_too_many_pixels', 'image_needs_memory'] as const

type PhotoChecks = {
  judge: Images['judge']
  /** Of the others only the hash is compared. */
  isNeeded(photo: PlacedPhoto): Promise<boolean>
  progress: Progress
}

/** Reads every photo, and refuses the file for the first fault. Those that are needed must also be such as the site stores. */
export async function checkPhotos(incoming: IncomingBackup, { judge, isNeeded, progress }: PhotoChecks) {
  const { photos, readPhoto } = incoming
  const needed: (PlacedPhoto & CheckedImage)[] = []
  let done = 0
  await forEachConcurrently(photos, photosAtOnce, async (photo) => {
    const content = await readPhoto(photo)
    if (await isNeeded(photo)) {
      const facts = await judge(content).catch(async (error: unknown) => {
        if (!(error instanceof Problem)) throw error
        const because = verdicts.find((code) => code === error.code) ?? 'image_broken'
        const details = { reason: 'photo', photo: photo.hash, because, ...(await findOwners(incoming, [photo])) } as const
        throw new Problem('record_refused', { details, cause: error })
      })
      needed.push({ ...photo, ...facts })
    }
    done += 1
    progress('checking', done, photos.length)
  })
  return needed
}
