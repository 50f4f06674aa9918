import { z } from 'zod/mini'
import { archiveFormat, type Counts } from '#contract/backups.ts'
import type { ArchiveRefusal } from '#contract/problems.ts'
import { shownName } from '#contract/value-fault.ts'
import { Problem } from '#server/http/problem.ts'
import { mostRecords, refuseNewer } from './export.rules.ts'

export const manifestName = 'manifest.json'
export const dataName = 'data.json'

/** The maker's photos are public, those of visitors private. */
export type PhotoKind = 'images' | 'inquiryPhotos'
export type ArchivedPhoto = { kind: PhotoKind; hash: string }

const folders: Record<PhotoKind, string> = { images: 'images', inquiryPhotos: 'inquiry-photos' }
const photoName = /^(.+)\/([0-9a-f]{64})$/

export const archiveLimits = {
  /** Of both kinds; few enough to be listed in memory. */
  photos: 100_000,
  manifestBytes: 32 * 1024 * 1024,
  /** Never in memory as a whole. */
  dataBytes: 4 * 1024 * 1024 * 1024,
  /** A photo of 50 megapixels as this site stores it, at its very largest. */
  imageBytes: 64 * 1024 * 1024,
} as const

/** What is written must be readable again: whether there is more than that. */
export function isTooMuch({ projects, contacts, images, inquiryPhotos }: Counts, dataBytes: number) {
  return (
    projects > mostRecords.projects ||
    contacts > mostRecords.contacts ||
    images + inquiryPhotos > archiveLimits.photos ||
    dataBytes > archiveLimits.dataBytes
  )
}

export function photoEntry({ kind, hash }: ArchivedPhoto) {
  return `${folders[kind]}/${hash}`
}

export function photoIn(entry: string): ArchivedPhoto | undefined {
  const [, folder, hash = ''] = photoName.exec(entry) ?? []
  const kind = (Object.keys(folders) as PhotoKind[]).find((each) => folders[each] === folder)
  return kind && { kind, hash }
}

/** What the ZIP directory says of an entry. */
export type EntryFacts = {
  name: string
  encrypted: boolean
  /** 0 is stored, 8 is deflated. */
  method: number
  /** The upper half of the attributes. */
  unixMode: number
  storedBytes: number
  bytes: number
  start: number
  end: number
}

const symlink = 0o120000
const fileKinds = 0o170000

/** Names the fault of an entry, or undefined when there is none. Only four kinds of name exist in a backup of ours. */
export function faultOfEntry(facts: EntryFacts): ArchiveRefusal | undefined {
  const { name, encrypted, method, unixMode, storedBytes, bytes } = facts
  const isPhoto = photoIn(name) !== undefined
  if (name !== manifestName && name !== dataName && !isPhoto) return faulty('foreign_file', name)
  if ((unixMode & fileKinds) === symlink) return faulty('link', name)
  if (encrypted) return { reason: 'encrypted' }
  if (method !== 0 && (isPhoto || method !== 8)) return faulty('packed', name)
  if (method === 0 && storedBytes !== bytes) return faulty('false_size', name)
  if (bytes > mostBytes(name)) return faulty('too_large', name)
  return undefined
}

type EntryFault = Extract<ArchiveRefusal, { entry: string }>

export function faulty(reason: EntryFault['reason'], name: string): EntryFault {
  return { reason, entry: shownName(name) }
}

function mostBytes(name: string) {
  if (name === manifestName) return archiveLimits.manifestBytes
  return name === dataName ? archiveLimits.dataBytes : archiveLimits.imageBytes
}

/** Faults that show only between entries: two of one name, or two that share bytes. They must end before `limit`. */
export function faultOfEntries(entries: readonly EntryFacts[], limit: number): ArchiveRefusal | undefined {
  const names = new Set<string>()
  for (const { name } of entries) {
    if (names.has(name)) return faulty('same_name', name)
    names.add(name)
  }
  let free = 0
  for (const { name, start, end } of entries.toSorted((a, b) => a.start - b.start)) {
    if (start < free || end > limit) return faulty('overlap', name)
    free = end
  }
  return undefined
}

const sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/))
const count = z.int().check(z.nonnegative())

const manifest = z.strictObject({
  format: z.literal(archiveFormat),
  version: z.int(),
  createdAt: z.iso.datetime(),
  counts: z.strictObject({ projects: count, contacts: count, images: count, inquiryPhotos: z._default(count, 0) }),
  entries: z
    .array(z.strictObject({ name: z.string().check(z.maxLength(100)), bytes: count, sha256 }))
    .check(z.maxLength(archiveLimits.photos + 1)),
})
export type Manifest = z.infer<typeof manifest>

/** For reading it entry by entry. */
export const manifestShape = {
  lists: { entries: archiveLimits.photos + 1 },
  values: ['format', 'version', 'createdAt', 'counts'],
}

/** Before anything else is judged: a newer version may have keys that are not known here. */
export function refuseNewerArchive({ format, version }: { format?: unknown; version?: unknown }) {
  if (format === archiveFormat) refuseNewer(version)
}

/** The list of contents, once it is what it should be and agrees with what the archive holds. */
export function readManifest(data: unknown, held: readonly EntryFacts[]): Manifest {
  const read = manifest.safeParse(data)
  if (!read.success) throw refusedArchive({ reason: 'foreign_manifest' })
  const fault = faultOfManifest(read.data, held)
  if (fault) throw refusedArchive(fault)
  return read.data
}

function faultOfManifest({ entries, counts }: Manifest, held: readonly EntryFacts[]): ArchiveRefusal | undefined {
  const listed = new Map(entries.map((entry) => [entry.name, entry]))
  if (listed.size < entries.length) return { reason: 'manifest_repeats' }
  const others = held.filter(({ name }) => name !== manifestName)
  for (const { name, bytes } of others) {
    const entry = listed.get(name)
    if (!entry) return faulty('unlisted', name)
    if (entry.bytes !== bytes) return faulty('not_as_listed', name)
    if ((photoIn(name)?.hash ?? entry.sha256) !== entry.sha256) return faulty('misnamed', name)
  }
  if (others.length < entries.length) return { reason: 'files_missing' }
  if (!listed.has(dataName)) return { reason: 'records_missing' }
  const isTrue = (Object.keys(folders) as PhotoKind[]).every(
    (kind) => counts[kind] === entries.filter(({ name }) => photoIn(name)?.kind === kind).length,
  )
  if (!isTrue) return { reason: 'wrong_photo_count' }
  return undefined
}

export function refusedArchive(details: ArchiveRefusal, cause?: unknown) {
  return new Problem('archive_refused', { details, cause })
}
