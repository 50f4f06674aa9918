import { createHash } from 'node:crypto'
import type { OwnFields } from '#contract/site-fields.ts'
import type { Sum } from '#contract/statistics.ts'
import { type CheckedImage, judgeImage } from '#server/features/images/image-tasks.ts'
import { Problem } from '#server/http/problem.ts'
import { type OpenFile, piecesOf } from '#server/storage/storage.ts'
import type { Progress } from '../job.ts'
import { eachPhoto } from './backup-photos.ts'
import {
  asSummed,
  type CheckedRecord,
  contentSum,
  mostRecords,
  type RecordList,
  readExport,
  readRecord,
  readSite,
  readSums,
  recordLists,
} from './export.rules.ts'
import {
  type ArchivedPhoto,
  archiveLimits,
  asFileFault,
  fileFault,
  olderDataName,
  openZip,
  type PlacedPhoto,
  readJson,
  recordEntry,
  refuseNewer,
  siteName,
  statisticsName,
} from './zip-archive.ts'

/** A file whose records are checked to the end: names, sizes, sums, schemas. Photos are checked by `checkPhotos`. */
export type IncomingBackup = {
  createdAt: string | undefined
  counts: Record<RecordList, number>
  /** The maker's own words and pictures; undefined when there are none in it. */
  site: OwnFields | undefined
  /** Of visits; none in an export and in older files. */
  sums: readonly Sum[]
  /** The contents of records without an id, by their sums. */
  withoutIds: ReadonlySet<string>
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

type Source = Pick<IncomingBackup, 'createdAt' | 'site' | 'sums'> & {
  rawRecords(): AsyncIterable<{ list: RecordList; record: unknown }>
}

async function openArchive(file: OpenFile): Promise<IncomingBackup> {
  const { version, createdAt, counts, photos, parse, parseLines, readPhoto } = await openZip(file)
  const sums = version < 10 ? [] : readSums(await parse(statisticsName))
  const source =
    version < 7 ? parseExport(await parse(olderDataName)) : { site: readSite(await parse(siteName)), sums, rawRecords }
  async function* rawRecords() {
    for (const list of recordLists) for await (const record of parseLines(recordEntry[list])) yield { list, record }
  }
  const incoming = await checkRecords({ ...source, createdAt })
  if (recordLists.some((list) => incoming.counts[list] !== counts[list])) {
    throw fileFault('file_damaged', 'It does not hold as many records as its manifest says.')
  }
  return { ...incoming, photos, readPhoto }
}

async function openExport(file: OpenFile): Promise<IncomingBackup> {
  if (file.bytes > archiveLimits.wholeBytes) throw fileFault('file_too_large', `It has ${file.bytes} bytes.`)
  const incoming = await checkRecords(parseExport(await readJson(piecesOf(file))))
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
  return { createdAt, site, sums: [], rawRecords }
}

/** As many as a database is asked for at once, and few enough to be in memory. */
const mostAtOnce = 100

/** Reads all records to the end, and refuses the file for the first fault. */
async function checkRecords({ rawRecords, ...source }: Source) {
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
  const withoutIds = new Set<string>()
  for await (const some of records()) {
    for (const { list, record } of some) {
      counts[list] += 1
      if (counts[list] > mostRecords[list]) throw fileFault('file_too_large', `It has more than ${mostRecords[list]} ${list}.`)
      if (record.id === undefined) withoutIds.add(contentSum(record))
      else if (ids[list].has(record.id)) throw fileFault('file_damaged', `Two ${list} have the id ${record.id}.`)
      else ids[list].add(record.id)
    }
  }
  return { ...source, counts, withoutIds, records }
}

/** Reads every photo, and refuses the file for the first fault. Those that are needed must also be such as the site stores. */
export async function checkPhotos(
  incoming: IncomingBackup,
  progress: Progress,
  isNeeded: (photo: PlacedPhoto) => Promise<boolean> = async () => true,
) {
  const { photos, readPhoto } = incoming
  const needed: (PlacedPhoto & CheckedImage)[] = []
  const check = async (photo: PlacedPhoto) => {
    const content = await readPhoto(photo)
    if (!(await isNeeded(photo))) return
    const facts = await judgeImage(content).catch((error: unknown) => {
      if (!(error instanceof Problem)) throw error
      throw new Problem('record_refused', { details: { reason: 'photo', photo: photo.hash }, cause: error })
    })
    needed.push({ ...photo, ...facts })
  }
  await eachPhoto(photos, 'checking', progress, check)
  return needed
}
