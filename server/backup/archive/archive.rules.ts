import { z } from 'zod/mini'
import { archiveFormat } from '#contract/backups.ts'
import { fileFault } from './file-faults.ts'
import { olderDataName } from './older-versions.ts'

export const manifestName = 'manifest.json'
/** A record to a line. */
export const recordEntry = { projects: 'projects.ndjson', contacts: 'messages.ndjson' } as const
export const siteName = 'site.json'

/** The maker's photos are public, those of visitors private. */
export const photoKinds = ['images', 'inquiryPhotos'] as const
export type PhotoKind = (typeof photoKinds)[number]
export type ArchivedPhoto = { kind: PhotoKind; hash: string }

const folders: Record<PhotoKind, string> = { images: 'images', inquiryPhotos: 'inquiry-photos' }
const photoName = /^(.+)\/([0-9a-f]{64})$/

export function photoEntry({ kind, hash }: ArchivedPhoto) {
  return `${folders[kind]}/${hash}`
}

export function photoIn(entry: string): ArchivedPhoto | undefined {
  const [, folder, hash = ''] = photoName.exec(entry) ?? []
  const kind = photoKinds.find((each) => folders[each] === folder)
  return kind && { kind, hash }
}

const megabyte = 1024 * 1024

export const archiveLimits = {
  /** Of both kinds; few enough to be listed in memory. */
  photos: 100_000,
  /** Never in memory as a whole. */
  recordBytes: 4 * 1024 * megabyte,
  /** No record of ours is as large, whatever its texts are made of: a message may have a hundred long replies. */
  lineBytes: 8 * megabyte,
  /** Of what is parsed whole: exports, and the records of older versions. Not much more fits into a string. */
  wholeBytes: 500 * megabyte,
} as const

/** A photo of 50 megapixels as this site stores it, at its very largest. */
const imageBytes = 64 * megabyte
const entryBytes = new Map<string, number>([
  [manifestName, 32 * megabyte],
  [recordEntry.projects, archiveLimits.recordBytes],
  [recordEntry.contacts, archiveLimits.recordBytes],
  [siteName, archiveLimits.lineBytes],
  [olderDataName, archiveLimits.wholeBytes],
])

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

export function checkEntry({ name, isEncrypted, method, unixMode, storedBytes, bytes }: EntryFacts) {
  const isPhoto = photoIn(name) !== undefined
  const mostBytes = isPhoto ? imageBytes : entryBytes.get(name)
  const isPacked = method !== 0 && (isPhoto || method !== 8)
  if (mostBytes === undefined) throw fileFault('not_a_backup', 'It does not belong into a backup.', name)
  if ((unixMode & fileKinds) === symlink) throw fileFault('not_a_backup', 'It is a link.', name)
  if (isEncrypted || isPacked) throw fileFault('not_a_backup', 'It is encrypted or packed in another way.', name)
  if (method === 0 && storedBytes !== bytes) throw fileFault('file_damaged', 'It has two sizes.', name)
  if (bytes > mostBytes) throw fileFault('file_too_large', `It has ${bytes} bytes.`, name)
}

/** Refuses two entries that have one name or share bytes. */
export function checkPlaces(entries: readonly EntryFacts[], end: number) {
  let free = 0
  for (const { name, start, headerBytes, storedBytes } of entries.toSorted((a, b) => a.start - b.start)) {
    if (start < free) throw fileFault('file_damaged', 'It overlaps another part of the file.', name)
    free = start + headerBytes + storedBytes
    if (free > end) throw fileFault('file_damaged', 'It goes beyond the end of the file.', name)
  }
  if (new Set(entries.map(({ name }) => name)).size < entries.length)
    throw fileFault('file_damaged', 'Two files in it have one name.')
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
export function readManifest(data: unknown, held: readonly EntryFacts[]): Manifest {
  const read = manifest.safeParse(data)
  if (!read.success) throw fileFault('not_a_backup', 'It is not one of this site.', manifestName)
  const { version, entries, counts } = read.data
  const others = held.filter(({ name }) => name !== manifestName)
  const listed = new Map(entries.map((entry) => [entry.name, entry]))
  for (const { name, bytes } of others) {
    const entry = listed.get(name)
    const isNamedRight = entry && (photoIn(name)?.hash ?? entry.sha256) === entry.sha256
    if (!isNamedRight || entry.bytes !== bytes) throw fileFault('file_damaged', 'It is not as the manifest says.', name)
  }
  const expected = version < 7 ? [olderDataName] : [...Object.values(recordEntry), siteName]
  const isWhole =
    listed.size === others.length && entries.length === others.length && expected.every((name) => listed.has(name))
  const isTrue = photoKinds.every((kind) => counts[kind] === others.filter(({ name }) => photoIn(name)?.kind === kind).length)
  const ofPhotos = counts.images + counts.inquiryPhotos
  if (!isWhole || !isTrue || others.length !== ofPhotos + expected.length) {
    throw fileFault('file_damaged', 'It lists or counts other files than there are.', manifestName)
  }
  return read.data
}
