import type { ColumnType, Generated, Insertable, Kysely, Selectable } from 'kysely'
import type { Role } from '#contract/accounts.ts'
import type { ActivityDetails, ActivityKind } from '#contract/activity.ts'
import type { BackupFault, BackupStatus, Working } from '#contract/backup-status.ts'
import type { ContactState, SpamReason } from '#contract/contacts.admin.ts'
import type { Language } from '#contract/languages.ts'
import type { MailKind, MailState } from '#contract/mails.ts'
import type { ProjectInput, StoredPhoto, TranslatedField, TranslatedPhotoField } from '#contract/project-fields.ts'
import type { RestoredReport } from '#contract/restores.ts'
import type { SettingName } from '#contract/settings.ts'
import type { FieldChanges, OwnFields } from '#contract/site-fields.ts'
import type { Sum } from '#contract/statistics.ts'

/**
 * The tables as the code sees them, the same from both databases: camelCase names, real booleans, parsed JSON, and
 * moments as ISO 8601 text in UTC.
 */
export type Tables = {
  projects: ProjectsTable
  projectTexts: ProjectTextsTable
  projectPhotos: ProjectPhotosTable
  projectPhotoTexts: ProjectPhotoTextsTable
  projectAddresses: ProjectAddressesTable
  contactMessages: ContactMessagesTable
  contactReplies: ContactRepliesTable
  contactPhotos: ContactPhotosTable
  outbox: OutboxTable
  adminUsers: AdminUsersTable
  sessions: SessionsTable
  loginAttempts: LoginAttemptsTable
  requestCounts: RequestCountsTable
  images: ImagesTable
  uploadTickets: UploadTicketsTable
  site: SiteTable
  siteVersions: SiteVersionsTable
  siteDraft: SiteDraftTable
  backupCare: BackupCareTable
  jobs: JobsTable
  knownBackups: KnownBackupsTable
  mergedRecords: MergedRecordsTable
  passkeys: PasskeysTable
  tokens: TokensTable
  activity: ActivityTable
  statistics: Sum
  settings: SettingsTable
}

export type Db = Kysely<Tables>

type ProjectsTable = Omit<ProjectInput, 'featured' | 'draft' | 'photos' | 'translations'> & {
  id: string
  featured: Generated<boolean>
  /** Seen by administrators only. */
  draft: Generated<boolean>
  /** When it was put into the trash. */
  deletedAt: string | null
  createdAt: Generated<string>
  /** Projects are shown from the highest to the lowest. */
  rank: Generated<number>
  /** The one of its addresses that is shown. */
  slug: Generated<string>
  /** Grows with every change of what the maker fills in. */
  version: Generated<number>
}
export type ProjectRow = Selectable<ProjectsTable>

/** What is translated of a project; where nothing is, there is no row. */
type ProjectTextsTable = { projectId: string; language: Language } & Record<TranslatedField, string | null>

/** The photos beside the cover. */
type ProjectPhotosTable = Omit<StoredPhoto, 'translations'> & { projectId: string; position: number }

/** What is translated of them. */
type ProjectPhotoTextsTable = { projectId: string; position: number; language: Language } & Record<
  TranslatedPhotoField,
  string | null
>

/** Every readable address a project has or had: old links keep working. */
type ProjectAddressesTable = { slug: string; projectId: string }

type ContactMessagesTable = {
  id: string
  name: string
  email: string
  projectType: string | null
  message: string
  createdAt: Generated<string>
  state: Generated<ContactState>
  /** The one the visitor wrote in; null where it is not known. */
  language: Language | null
  /** The project it is about, which may be gone by now, and what that was called. */
  aboutId: string | null
  aboutTitle: string | null
  /** Seen by administrators only. */
  note: string | null
  spamReason: SpamReason | null
  /** When an administrator last changed the state or the note. */
  changedAt: string | null
}
export type ContactMessageRow = Selectable<ContactMessagesTable>
export type NewContactMessage = Insertable<ContactMessagesTable>

type ContactRepliesTable = {
  id: string
  contactId: string
  text: string
  createdAt: Generated<string>
  /** When the mail server took it. */
  sentAt: string | null
}
export type ContactReplyRow = Selectable<ContactRepliesTable>

type ContactPhotosTable = {
  /** SHA-256 of the ticket the visitor's browser holds. */
  id: string
  /** Null until the message is sent; again when it is deleted, until the file is swept. */
  contactId: string | null
  position: Generated<number>
  /** Of the stored bytes, which are named by it. */
  hash: string
  contentType: string
  bytes: number
  width: number
  height: number
  createdAt: Generated<string>
}
export type ContactPhotoRow = Selectable<ContactPhotosTable>

/** Mails on their way. A row stays for a day after it was sent, unless it has a link that lets its reader in. */
type OutboxTable = {
  id: string
  kind: MailKind
  contactId: string | null
  replyId: string | null
  /** All of it: what was stored is what is sent, however often it is tried. */
  message: ColumnType<MailMessage, string, string>
  state: Generated<MailState>
  attempts: Generated<number>
  /** Put off before each attempt, so that no other process makes the same one. Once it was sent or given up: when that was. */
  nextAttemptAt: string
  /** What the mail server said the last time. */
  lastError: string | null
  createdAt: string
}
export type MailRow = Selectable<OutboxTable>
export type MailMessage = {
  /** One address, without a name: each gets a mail of its own, which is taken or refused by itself. */
  to: string
  replyTo?: { name: string; address: string }[]
  subject: string
  text: string
}

type AdminUsersTable = {
  id: string
  username: string
  /** Unique; the same for every way to write the same name. */
  nameKey: string
  passwordHash: string
  lastLogin: string | null
  createdAt: Generated<string>
  /** Made by a first start without an owner. It may still have the well-known password, or not. */
  demo: Generated<boolean>
  role: Generated<Role>
  /** Confirmed by a link that was sent there. */
  email: string | null
}
export type NewAdminUser = Insertable<AdminUsersTable>

type SessionsTable = {
  /** SHA-256 of the identifier the browser holds, so that a leaked table opens no session. */
  sid: string
  adminId: string
  sess: ColumnType<SessionData, string, string>
  expire: string
  /** In words; sessions of older releases do not know. */
  browser: string | null
  system: string | null
  /** To the hour. */
  usedAt: string | null
}
type SessionData = {
  adminId: string
  createdAt: string
  /** When the password was last given; sessions of older releases do not know. */
  confirmedAt?: string
}

type LoginAttemptsTable = {
  /** What is being counted: an account, an address, both together, a browser, a session; hashed. */
  subject: string
  failures: number
  lastFailure: string
}

type RequestCountsTable = {
  /** Route and address, hashed. */
  subject: string
  count: number
  windowEnds: string
}

type ImagesTable = {
  hash: string
  contentType: string
  bytes: number
  width: number
  height: number
  placeholder: string
  createdAt: Generated<string>
  /** When a sweep first found that no project shows it; null while one does, and before a sweep. */
  unreferencedSince: string | null
}
export type NewImage = Insertable<ImagesTable>

type UploadTicketsTable = {
  /** SHA-256 of the ticket in the address, so that a leaked table uploads nothing. */
  id: string
  adminId: string
  state: UploadState
  expiresAt: string
}
/** Each step is taken once, by the request that changes the state first. */
export type UploadState = 'open' | 'received' | 'used'

/** One row. */
type SiteTable = {
  /** The storage that belongs to this database carries the same; null until it is known which that is. */
  id: string | null
  createdAt: Generated<string>
  /** Signs the cookies of browsers that have signed in before. */
  deviceKey: Generated<string>
  /** Another one after every change of what visitors see. Written by triggers alone. */
  contentVersion: Generated<string>
  /** Whether visitors get a mail that says their message has arrived. */
  acknowledges: Generated<boolean>
  /** The one the panel was last used in: mails to the maker are in it. */
  panelLanguage: Generated<Language>
  /** Whether visitors see the page; until then they read that it opens soon. */
  opened: Generated<boolean>
  /** Whether the list of first steps has been put away. */
  firstStepsDone: Generated<boolean>
  /** When a complete backup was last downloaded. */
  backupTakenAt: string | null
  /** When the site ran, as JSON: `running-time.ts`. */
  clock: string | null
  /** Whether visits are counted. */
  countsVisits: Generated<boolean>
}

/** What is set in the panel, and `mailTested`: when a test mail last went out. */
type SettingsTable = {
  name: SettingName | 'mailTested'
  value: ColumnType<Record<string, unknown>, string, string>
  /** Encrypted. */
  secret: string | null
  setAt: string
}

/** The newest is shown; with none the site is as it came. */
type SiteVersionsTable = {
  number: number
  fields: ColumnType<OwnFields, string, string>
  /** The name of the account that published it; null when a backup brought it. */
  author: string | null
  createdAt: Generated<string>
}

/** What is not published yet: one row at most. */
type SiteDraftTable = {
  id: number
  changes: ColumnType<FieldChanges, string, string>
  /** Another one after every change. */
  revision: string
  author: string | null
  changedAt: string
}

/** Settings of backups, the running one and the last merge: one row. */
type BackupCareTable = {
  id: number
  /** Null until an administrator decides: then on for a site with an owner. */
  nightly: boolean | null
  /** By the maker's clock: `03:00`. */
  at: Generated<string>
  keepDaily: Generated<number>
  keepWeekly: Generated<number>
  keepMonthly: Generated<number>
  /** The running job. Of a killed process it stays behind, and counts only while the lock is held. */
  working: Json<Working>
  /** The last import or restore, until it is put away. */
  lastMerge: Json<StoredMerge>
}
export type BackupStateRow = Selectable<BackupCareTable>
/** `siteVersions` are the numbers published before and by it. */
export type StoredMerge = Omit<RestoredReport, 'canUndo'> & { siteVersions: { before: number; after: number } | null }

/** One row for each job that has run. */
type JobsTable = {
  name: JobName
  lastSuccess: string | null
  /** In a row, and what went wrong the last time. */
  failures: Generated<number>
  lastError: Json<Pick<BackupFault, 'code' | 'details' | 'at'>>
  /** Set after a failure. */
  nextTry: string | null
  /** Of the last restore test, or of the last integrity check. */
  result: Json<Pick<NonNullable<BackupStatus['restoreTest']>, 'filename' | 'onBuiltIn'> | Integrity>
}
export const jobNames = ['hourly', 'reminders', 'nightly', 'copy', 'restore-test', 'integrity', 'fault-mails'] as const
export type JobName = (typeof jobNames)[number]
export type JobRow = Selectable<JobsTable>
export type Integrity = {
  /** What is wrong with the database; null when nothing was found. */
  damage: string | null
  /** How many there are of the maker and of visitors. */
  photos: number
  missing: number
  /** By their names. They are read every night. */
  damaged: string[]
  /** The last one that was read; the next night goes on behind it. */
  readUpTo: string
}

type Json<Value> = ColumnType<Value | null, string | null, string | null>

/** Backups that were read again after they were made. */
type KnownBackupsTable = {
  filename: string
  /** Of all of its bytes. */
  sha256: string
  checkedAt: string
  /** When its off-site copy was read back and was the same. */
  copiedAt: string | null
}
export type KnownBackupRow = Selectable<KnownBackupsTable>

/** How to undo the last import or restore: the records it has added or changed. */
type MergedRecordsTable = {
  mergeId: string
  list: 'projects' | 'contacts'
  recordId: string
  /** The whole record as backups carry it; null where it was not there. */
  before: Json<object>
  /** The sum of what it became: a record with another one was changed since. */
  after: string
}
export type MergedRecordRow = Selectable<MergedRecordsTable>

type PasskeysTable = {
  /** As the browser names it: base64url. */
  id: string
  adminId: string
  /** Given by the maker: "My telephone". */
  name: string
  /** Base64url. */
  publicKey: string
  /** Grows with every use, where the device counts; a lower one comes from a copy. */
  counter: number
  transports: ColumnType<string[], string, string>
  createdAt: string
  usedAt: string | null
}
export type PasskeyRow = Selectable<PasskeysTable>

/** What is handed out to be used once: links in mails, and challenges of passkeys. */
type TokensTable = {
  /** SHA-256 of what was handed out. */
  id: string
  kind: TokenKind
  /** Null for a challenge of somebody who signs in. */
  adminId: string | null
  /** The address that a link confirms. */
  email: string | null
  expiresAt: string
}
export type TokenKind = 'new password' | 'address' | 'new passkey' | 'passkey'

/** Who did what. */
type ActivityTable = {
  id: string
  at: string
  /** Null where no account did it. */
  adminId: string | null
  /** Its name at that time. */
  account: string | null
  kind: ActivityKind
  details: ColumnType<ActivityDetails, string, string>
}
export type ActivityRow = Selectable<ActivityTable>
