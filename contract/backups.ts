import { z } from 'zod/mini'
import { contactLimits, mostContactPhotos } from './contact-fields.ts'
import { contactMessage, contactStates, mostReplies, spamReasons } from './contacts.admin.ts'
import { endpoint } from './endpoint.ts'
import { languages } from './languages.ts'
import { complete, projectInput, projectLimits, storedFields } from './project-fields.ts'
import { mostAddresses, slug } from './projects.ts'
import { ownFields } from './site-content.ts'
import { done, moment, optionalText, requiredStoredText, requiredText, storableMoment } from './text.ts'

export const exportFormat = 'vitrina-export'
export const archiveFormat = 'vitrina-complete-backup'
/**
 * What this release writes. Older versions are read, newer ones refused. Exports have a checksum since 2; all of a project's
 * photos, its place, whether it is a draft or deleted, and its addresses since 3; what has become of a message, and the
 * photos that came with it, since 4; the maker's own words and pictures since 5; translations by language since 6; a complete
 * backup has a record to a line, and the checksum begins with the records, since 7; a draft may lack anything, and a project its
 * texts in the site's own language, since 8; the site's texts know the maker's name and portrait since 9; a complete
 * backup has the sums of visits since 10.
 */
export const backupVersion = 10

/** The most an export may weigh that is imported on the page. */
export const maxExportBytes = 64 * 1024 * 1024

/** The name of the form field and the ending of the file that restoring takes. */
export const restoreUpload = { field: 'backup', ending: '.zip' } as const

export type BackupType = 'database' | 'complete' | 'export'

export function backupType(filename: string): BackupType {
  if (filename.includes('database_backup')) return 'database'
  return filename.includes('complete_backup') ? 'complete' : 'export'
}

/** How many images the site knew and could not put into a complete backup, because their files were gone or damaged. */
export function missingFromBackup(filename: string): number {
  return Number(/_without_(\d+)_photos/.exec(filename)?.[1] ?? 0)
}

/** How many records the site could not put into a backup, because an import would refuse them. */
export function recordsMissingFrom(filename: string): number {
  return Number(/_without_(\d+)_records/.exec(filename)?.[1] ?? 0)
}

/** Made by the schedule, by an administrator, or before a merge as its restore point. */
const makers = ['night', 'person', 'restore'] as const
export type BackupMaker = (typeof makers)[number]

export function backupMaker(filename: string): BackupMaker {
  if (/_nightly[_.]/.test(filename)) return 'night'
  return /_restore_point[_.]/.test(filename) ? 'restore' : 'person'
}

/** The first yyyy-mm-dd in the name. */
export function backupDate(filename: string): string | undefined {
  return /\d{4}-\d{2}-\d{2}/.exec(filename)?.[0]
}

/** The moment in the name, which is in UTC and without colons. */
export function backupMoment(filename: string): string | undefined {
  const [, hours, minutes, seconds] = /(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\dZ)/.exec(filename) ?? []
  return hours && `${hours}:${minutes}:${seconds}`
}

const id = z.uuid('This is not an id.').check(z.toLowerCase())
const optionalMoment = z.nullish(storableMoment)

/** A project in a file: without an id or a date it gets new ones. */
export const incomingProject = z
  .strictObject({
    ...projectInput.shape,
    id: z.optional(id),
    createdAt: optionalMoment,
    /** Far from where numbers have gaps. */
    rank: z.optional(z.number('This must be a number.').check(z.gte(-1e15), z.lte(1e15))),
    /** When it was put into the trash. */
    deletedAt: optionalMoment,
    /** The present one first. */
    addresses: z.optional(z.array(slug).check(z.maxLength(mostAddresses))),
  })
  .check(complete)
export type IncomingProject = z.output<typeof incomingProject>

/** A value of a list, or none. */
const choice = <const Value extends string>(values: readonly Value[]) =>
  z.pipe(
    z.nullish(z.enum(values)),
    z.transform((value) => value ?? null),
  )

const incomingReply = z.strictObject({
  id,
  text: requiredText('A reply needs a text.', contactLimits.reply),
  createdAt: storableMoment,
  sentAt: optionalMoment,
})

const photoHash = z.string().check(z.regex(/^[0-9a-f]{64}$/, 'This is not the SHA-256 of a photo.'))

/** Older sites took addresses and project types as they came, so these are only measured here. */
export const incomingContact = z.strictObject({
  id: z.optional(id),
  name: requiredStoredText('A message needs a name.', contactLimits.name),
  email: requiredStoredText('A message needs an email address.', contactLimits.email),
  projectType: optionalText(100),
  message: requiredStoredText('A message needs a text.', contactLimits.message),
  createdAt: optionalMoment,
  state: z._default(z.enum(contactStates), 'new'),
  language: choice(languages),
  aboutId: z.pipe(
    z.nullish(id),
    z.transform((value) => value ?? null),
  ),
  aboutTitle: optionalText(projectLimits.title),
  note: optionalText(contactLimits.message),
  spamReason: choice(spamReasons),
  changedAt: optionalMoment,
  replies: z._default(z.array(incomingReply).check(z.maxLength(mostReplies)), []),
  /** By the SHA-256 of their bytes, in their order. */
  photos: z._default(z.array(photoHash).check(z.maxLength(mostContactPhotos)), []),
})
export type IncomingContact = z.output<typeof incomingContact>

/** The maker's own words and pictures, as they were published last. */
export const incomingSite = z.strictObject({ fields: ownFields, publishedAt: z.optional(storableMoment) })

const exportedProject = z.strictObject({
  id: z.uuid(),
  ...storedFields,
  createdAt: moment,
  rank: z.number(),
  deletedAt: z.nullable(moment),
  addresses: z.array(z.string()),
})

/** Not validated on its way out either. */
const exportedContact = z.strictObject({
  ...contactMessage.shape,
  state: z.enum(contactStates),
  language: z.nullable(z.enum(languages)),
  aboutId: z.nullable(z.string()),
  aboutTitle: z.nullable(z.string()),
  note: z.nullable(z.string()),
  spamReason: z.nullable(z.enum(spamReasons)),
  changedAt: z.nullable(moment),
  replies: z.array(z.strictObject({ id: z.string(), text: z.string(), createdAt: moment, sentAt: z.nullable(moment) })),
  photos: z.array(z.string()),
})

const exportedData = z.strictObject({
  format: z.literal(exportFormat),
  version: z.int(),
  createdAt: moment,
  counts: z.strictObject({ projects: z.int(), contacts: z.int() }),
  /** Null while the site is as it came. */
  site: z.nullable(z.strictObject({ fields: ownFields, publishedAt: moment })),
  /** Of everything else in it, so that a damaged file is noticed. */
  sha256: z.string(),
  projects: z.array(exportedProject),
  contacts: z.array(exportedContact),
})

const counts = z.strictObject({
  projects: z.int(),
  contacts: z.int(),
  images: z.int(),
  /** Photos that visitors sent with their messages. */
  inquiryPhotos: z.int(),
})
export type Counts = z.infer<typeof counts>

export const mergeReport = z.strictObject({
  message: z.string(),
  /** What was added or brought back; nothing when the same file is merged twice. */
  imported: counts,
  added: counts,
  /** What had been changed since, and is now as the backup has it. */
  broughtBack: counts,
  alreadyThere: counts,
  /** How many fields of the site's own words and pictures were added, and how many had been changed since. */
  site: z.strictObject({ added: z.int(), broughtBack: z.int() }),
  /** How many of the file's photos are not on this site: only a complete backup brings photos. */
  missingImages: z.int(),
})
export type MergeReport = z.infer<typeof mergeReport>

export const listBackups = endpoint({
  method: 'GET',
  path: '/api/admin/backup/list',
  access: 'owner',
  summary: 'The backups on the server, newest first.',
  reply: z.strictObject({
    backups: z.array(z.string()),
    files: z.array(
      z.strictObject({
        filename: z.string(),
        bytes: z.int(),
        missingImages: z.int(),
        missingRecords: z.int(),
        madeBy: z.enum(makers),
        /** When its off-site copy was read back. */
        copiedAt: z.nullable(moment),
        /** Whether it is the only complete backup from which nothing is missing, or the only one at all. */
        isLast: z.boolean(),
      }),
    ),
  }),
})

/**
 * What a person knows photos and records by: the titles of projects, and who sent a message; a few of each, and how many more
 * there are. And whether it is the site itself.
 */
const owners = z.strictObject({
  projects: z.array(z.string()),
  senders: z.array(z.string()),
  others: z.int(),
  site: z.boolean(),
})
export type Owners = z.infer<typeof owners>

export const createDatabaseBackup = endpoint({
  method: 'POST',
  path: '/api/admin/backup/database',
  access: 'owner',
  summary: 'Keeps a copy of the whole database.',
  reply: z.strictObject({ message: z.string(), filename: z.string(), bytes: z.int() }),
})

export const exportData = endpoint({
  method: 'POST',
  path: '/api/admin/backup/export',
  access: 'confirmed',
  summary: 'Keeps an export of projects, messages and the texts of the site, and answers it.',
  reply: z.strictObject({
    data: exportedData,
    filename: z.string(),
    /** The records that are not in it, because an import would refuse them. */
    leftOut: owners,
  }),
})

export const importData = endpoint({
  method: 'POST',
  path: '/api/admin/backup/import',
  access: 'confirmed',
  summary: 'Adds what is missing from an export, or from a part of one; changes and deletes nothing.',
  // Read by the same rules as the file in an archive, which say more exactly what is wrong.
  body: z.looseObject({}, 'This is not an export of this site.'),
  reply: mergeReport,
})

export const createCompleteBackup = endpoint({
  method: 'POST',
  path: '/api/admin/backup/complete',
  access: 'owner',
  summary: 'Keeps an archive of projects, messages, the texts of the site, and all photos.',
  reply: z.strictObject({
    message: z.string(),
    filename: z.string(),
    bytes: z.int(),
    counts,
    /** Photos the site knows of and whose files are gone or damaged: they cannot be in the archive. */
    missingImages: z.int(),
    /** Whose they are. */
    missingFrom: owners,
    /** How many records are not in it, because a restore would refuse them, and which. */
    missingRecords: z.int(),
    leftOut: owners,
  }),
})

/** Takes a multipart form with the archive in the field `backup`; as large as the disk has room for. */
export const restoreComplete = endpoint({
  method: 'POST',
  path: '/api/admin/backup/upload-complete',
  access: 'confirmed',
  summary:
    'Adds what is missing from a complete backup, brings back changed projects, the texts of the site and what was done with messages later than here; deletes nothing.',
  reply: mergeReport,
})

const named = z.strictObject({ filename: z.string().check(z.maxLength(100)) })

export const downloadBackup = endpoint({
  method: 'GET',
  path: '/api/admin/backup/download/:filename',
  access: 'confirmed',
  summary: 'A listed backup, as a file; encrypted where the site has a secret for that.',
  params: named,
})

export const deleteBackup = endpoint({
  method: 'DELETE',
  path: '/api/admin/backup/files/:filename',
  access: 'confirmed',
  summary: 'Deletes a listed backup; the last whole one only when that is said.',
  params: named,
  query: z.strictObject({ last: z.optional(z.enum(['yes'])) }),
  reply: done,
})
