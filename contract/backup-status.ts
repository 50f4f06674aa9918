import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { restoredReport } from './restores.ts'
import { moment } from './text.ts'

/** How many of the newest days, weeks and months keep one backup each. */
export const keepLimits = { daily: [1, 90], weekly: [0, 104], monthly: [0, 120] } as const

const keptFor = (least: number, most: number) =>
  z.int('This must be a number.').check(z.gte(least, `At least ${least}.`), z.lte(most, `At most ${most}.`))

const backupSettings = z.strictObject({
  /** Whether a complete backup is made every night. */
  nightly: z.boolean(),
  /** When, by the maker's clock: `03:00`. */
  at: z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'This must be a time, such as 03:00.')),
  keep: z.strictObject({
    daily: keptFor(...keepLimits.daily),
    weekly: keptFor(...keepLimits.weekly),
    monthly: keptFor(...keepLimits.monthly),
  }),
})
export type BackupSettings = z.infer<typeof backupSettings>

/** A code of contract/problems.ts and its details. */
const backupFault = z.strictObject({
  code: z.string(),
  details: z.optional(z.unknown()),
  /** When it went wrong last, how often in a row, and when it is tried again. */
  at: moment,
  tries: z.int(),
  nextTryAt: moment,
})
export type BackupFault = z.infer<typeof backupFault>

/** With none of them the status is green. */
export const backupWarnings = [
  /** There is no whole complete backup. */
  'nothing_yet',
  'nightly_off',
  'night_failed',
  'night_late',
  /** Photos are missing from the newest one. */
  'not_whole',
  /** Records are missing from the newest one. */
  'records_missing',
  /** Its off-site copy failed, or is older than the last nightly backup. */
  'copy_failed',
  'copy_late',
  /** The restore test found a difference, or could not be run for another reason than a full disk. */
  'trial_failed',
] as const
export type BackupWarning = (typeof backupWarnings)[number]

/** Something was tried and did not succeed. */
export const failedBackupWarnings: readonly BackupWarning[] = ['night_failed', 'copy_failed', 'trial_failed']

/** One at a time, in all processes. */
const workKinds = [
  'night',
  'complete',
  'database',
  'export',
  'preview',
  'restore',
  'import',
  'undo',
  'copy',
  'restore-test',
  'integrity',
] as const
export type WorkKind = (typeof workKinds)[number]
const workSteps = ['reading', 'writing', 'checking', 'storing', 'merging'] as const
export type WorkStep = (typeof workSteps)[number]

const working = z.strictObject({
  kind: z.enum(workKinds),
  step: z.enum(workSteps),
  /** Photos, of so many. */
  done: z.int(),
  total: z.int(),
  startedAt: moment,
})
export type Working = z.infer<typeof working>

/** Ended when a person begins something else, and due again later. */
export const isInBackground = ({ kind }: Pick<Working, 'kind'>) =>
  kind === 'copy' || kind === 'restore-test' || kind === 'integrity'

export const backupStatus = z.strictObject({
  settings: backupSettings,
  /** In which the time is meant, and moments are shown. */
  timeZone: z.string(),
  now: moment,
  warnings: z.array(z.enum(backupWarnings)),
  /** The newest complete backup from which nothing is missing and that was read again, by its moment. */
  lastGood: z.nullable(z.strictObject({ filename: z.string(), at: moment, bytes: z.int() })),
  nightly: z.strictObject({
    /** When the next one is made; null while it is switched off. */
    nextAt: z.nullable(moment),
    doneAt: z.nullable(moment),
    fault: z.nullable(backupFault),
  }),
  /** Null where no off-site target is set. */
  offsite: z.nullable(
    z.strictObject({
      kind: z.enum(['folder', 'bucket']),
      encrypted: z.boolean(),
      /** The newest copy that was read back: when the backup was made, and when the copy was read. */
      copied: z.nullable(z.strictObject({ filename: z.string(), at: moment, copiedAt: moment })),
      fault: z.nullable(backupFault),
    }),
  ),
  /** The last restore test: a backup restored into an empty site, and compared with it record by record. */
  restoreTest: z.nullable(
    z.strictObject({
      filename: z.string(),
      at: moment,
      fault: z.nullable(backupFault),
      /** PostgreSQL refused to create a database for the test, which took the built-in one. */
      onBuiltIn: z.optional(z.boolean()),
    }),
  ),
  /** Whether what is downloaded is encrypted. */
  encrypted: z.boolean(),
  working: z.nullable(working),
  /** The last import or restore, until it is put away. */
  lastMerge: z.nullable(restoredReport),
})
export type BackupStatus = z.infer<typeof backupStatus>

export const readBackupStatus = endpoint({
  method: 'GET',
  path: '/api/admin/backup/state',
  access: 'owner',
  summary: 'The status of backups, the running job, and what the last restore did.',
  reply: backupStatus,
})

export const readBackupWork = endpoint({
  method: 'GET',
  path: '/api/admin/backup/working',
  access: 'owner',
  summary: 'The running job alone, to be asked for while it runs: for the status the stored backups are listed.',
  reply: z.strictObject({ working: z.nullable(working) }),
})

export const changeBackupSettings = endpoint({
  method: 'PUT',
  path: '/api/admin/backup/settings',
  access: 'confirmed',
  summary: 'When nightly backups are made, and how many are kept: with fewer, some are deleted.',
  body: backupSettings,
  reply: backupStatus,
})
