import { z } from 'zod/mini'
import { archiveFormat } from '#contract/backups.ts'
import type { Problem } from '#server/http/problem.ts'
import { fileFault } from './file-faults.ts'
import { olderRecordEntries } from './older-versions.ts'

export const manifestName = 'manifest.json'
/** A record to a line. */
export const recordEntry = { projects: 'projects.ndjson', contacts: 'messages.ndjson' } as const
export const siteName = 'site.json'
const recordEntries = [...Object.values(recordEntry), siteName]

/** The maker's photos are public, those of visitors private. */
export type PhotoKind = 'images' | 'inquiryPhotos'
export type ArchivedPhoto = { kind: PhotoKind; hash: string }
export const photoKinds = ['images', 'inquiryPhotos'] as const

const folders: Record<PhotoKind, string> = { images: 'images', inquiryPhotos: 'inquiry-photos' }
const photoName = /^(.+)\/([0-9a-f]{64})$/

export const archiveLimits = {
  /** Of both kinds; few enough to be listed in memory. */
  photos: 100_000,
  manifestBytes: 32 * 1024 * 1024,
  /** Of all records; never in memory as a whole. */
  recordBytes: 4 * 1024 * 1024 * 1024,
  /** No record of ours is as large, whatever its texts are made of: a message may have a hundred long replies. */
  lineBytes: 8 * 1024 * 1024,
  /** Of what is parsed whole: exports, and the records of older versions. Not much more fits into a string. */
  wholeBytes: 500 * 1024 * 1024,
  /** A photo of 50 megapixels as this site stores it, at its very largest. */
  imageBytes: 64 * 1024 * 1024,
} as const

export function photoEntry({ kind, hash }: ArchivedPhoto) {
  return `${folders[kind]}/${hash}`
}

export function photoIn(entry: string): ArchivedPhoto | undefined {
  const [, folder, hash = ''] = photoName.exec(entry) ?? []
  const kind = photoKinds.find((each) => folders[each] === folder)
  return kind && { kind, hash }
}

/** What the ZIP directory says of an entry. */
export type EntryFacts = {
  name: string
  isEncrypted: boolean
  /** 0 is stored, 8 is deflated. */
  method: number
  /** The upper half of the attributes. */
  unixMode: number
  crc: number
  storedBytes: number
  bytes: number
  /** Where its header begins, and how much that and the name take before the bytes at least. */
  start: number
  headerBytes: number
}

const symlink = 0o120000
const fileKinds = 0o170000

/** The fault of an entry, if it has one. Only few names exist in a backup of ours. */
export function faultOfEntry({ name, ...facts }: EntryFacts): Problem | undefined {
  const { isEncrypted, method, unixMode, storedBytes, bytes } = facts
  const isPhoto = photoIn(name) !== undefined
  const isOurs = isPhoto || [manifestName, ...recordEntries, ...olderRecordEntries].includes(name)
  if (!isOurs) return fileFault('not_a_backup', 'A file in it does not belong into a backup.', { entry: name })
  if ((unixMode & fileKinds) === symlink) return fileFault('not_a_backup', 'It is a link.', { entry: name })
  if (isEncrypted) return fileFault('not_a_backup', 'It is encrypted by the ZIP program.', { entry: name })
  if (method !== 0 && (isPhoto || method !== 8))
    return fileFault('not_a_backup', 'It is packed in another way.', { entry: name })
  if (method === 0 && storedBytes !== bytes) return fileFault('file_damaged', 'It has two sizes.', { entry: name })
  if (bytes > mostBytes(name)) return fileFault('file_too_large', `It has ${bytes} bytes.`, { entry: name })
  return undefined
}

function mostBytes(name: string) {
  if (name === manifestName) return archiveLimits.manifestBytes
  if (name === siteName) return archiveLimits.lineBytes
  if (olderRecordEntries.includes(name)) return archiveLimits.wholeBytes
  return recordEntries.includes(name) ? archiveLimits.recordBytes : archiveLimits.imageBytes
}

/** Faults that show only between entries: two of one name, or two that share bytes. */
export function faultOfEntries(entries: readonly EntryFacts[], end: number): Problem | undefined {
  const names = new Set<string>()
  let free = 0
  for (const { name, start, headerBytes, storedBytes } of entries.toSorted((a, b) => a.start - b.start)) {
    if (names.has(name)) return fileFault('file_damaged', 'Two files in it have this name.', { entry: name })
    names.add(name)
    if (start < free) return fileFault('file_damaged', 'It overlaps another part of the file.', { entry: name })
    free = start + headerBytes + storedBytes
  }
  return free > end ? fileFault('file_damaged', 'Its files do not end before the file does.') : undefined
}

const sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/))
const count = z.int().check(z.nonnegative())

const manifest = z.strictObject({
  format: z.literal(archiveFormat),
  version: z.int().check(z.positive()),
  createdAt: z.iso.datetime(),
  counts: z.strictObject({ projects: count, contacts: count, images: count, inquiryPhotos: z._default(count, 0) }),
  entries: z.array(z.strictObject({ name: z.string().check(z.maxLength(100)), bytes: count, sha256 })),
})
export type Manifest = z.infer<typeof manifest>

/** The list of contents, once it is what it should be and agrees with what the archive holds. */
export function readManifest(data: unknown, entries: readonly EntryFacts[]): Manifest {
  const read = manifest.safeParse(data)
  if (!read.success) throw fileFault('not_a_backup', 'Its manifest is not one of this site.', { entry: manifestName })
  const fault = faultOfManifest(
    read.data,
    entries.filter(({ name }) => name !== manifestName),
  )
  if (fault) throw fault
  return read.data
}

function faultOfManifest({ version, entries, counts }: Manifest, others: readonly EntryFacts[]): Problem | undefined {
  const listed = new Map(entries.map((entry) => [entry.name, entry]))
  const damaged = (cause: string, entry = manifestName) => fileFault('file_damaged', cause, { entry })
  if (listed.size < entries.length) return damaged('It names a file twice.')
  for (const { name, bytes } of others) {
    const entry = listed.get(name)
    if (!entry) return damaged('The manifest does not list it.', name)
    if (entry.bytes !== bytes) return damaged('It is not as large as the manifest says.', name)
    if ((photoIn(name)?.hash ?? entry.sha256) !== entry.sha256) return damaged('Its name is not its sum.', name)
  }
  if (others.length < entries.length) return damaged('It names files that are missing.')
  const expected = version < 7 ? olderRecordEntries : recordEntries
  const held = others.flatMap(({ name }) => (photoIn(name) ? [] : name))
  if (held.toSorted().join() !== expected.toSorted().join())
    return damaged('The files with the records are not those of its version.')
  const isTrue = photoKinds.every((kind) => counts[kind] === others.filter(({ name }) => photoIn(name)?.kind === kind).length)
  return isTrue ? undefined : damaged('It does not count the photos right.')
}
