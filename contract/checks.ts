import { z } from 'zod/mini'
import { type BackupStatus, backupStatus } from './backup-status.ts'
import { endpoint } from './endpoint.ts'

/** The gravest last. */
export const levels = ['green', 'amber', 'red'] as const
export type Level = (typeof levels)[number]

/** What is checked, in the order in which it is shown; and what a check can find, with its level. */
export const siteChecks = {
  settings: {
    settings_accepted: 'green',
    /** Passwords that were set in the panel cannot be read any more. */
    settings_lost: 'amber',
    settings_refused: 'red',
  },
  address: {
    address_secure: 'green',
    address_local: 'green',
    address_missing: 'amber',
    /** The address has https, and a request that names it came without. */
    address_unencrypted: 'amber',
    address_plain: 'red',
  },
  proxy: {
    proxy_none: 'green',
    proxy_trusted: 'green',
    proxy_not_trusted: 'amber',
    /** All visitors seem to have one address. */
    proxy_one_visitor: 'amber',
    /** TRUST_PROXY is set, and a request came past the proxy. */
    proxy_bypassed: 'amber',
  },
  demo: { demo_gone: 'green', demo_active: 'amber' },
  backups: {
    backups_safe: 'green',
    /** No off-site target is set, or one on the same disk, and no backup was downloaded lately. */
    backups_here_only: 'amber',
    backups_missing: 'amber',
    backups_failed: 'red',
  },
  disk: {
    disk_free: 'green',
    /** Everything is in PostgreSQL and a bucket. */
    disk_unused: 'green',
    disk_low: 'amber',
    disk_inodes_low: 'amber',
    disk_full: 'red',
    disk_inodes_gone: 'red',
    disk_unwritable: 'red',
  },
  database: { database_sound: 'green', database_damaged: 'red', database_unusable: 'red' },
  photos: {
    photos_whole: 'green',
    /** The first nightly check is still to come. */
    photos_unchecked: 'green',
    photos_broken: 'red',
  },
  mail: { mail_works: 'green', mail_off: 'amber', mail_waiting: 'amber', mail_failed: 'red' },
  clock: {
    clock_right: 'green',
    clock_jumped: 'amber',
    /** PostgreSQL has another time than this machine. */
    clock_differs: 'amber',
    /** There are records of the future. */
    clock_behind: 'amber',
  },
  version: {
    version_supported: 'green',
    /** Newer than this release of the site knows. */
    version_newer: 'green',
    version_ending: 'amber',
    version_ended: 'amber',
  },
  accounts: { accounts_safe: 'green', accounts_locked_out: 'amber' },
  visitors: { visitors_welcome: 'green', visitors_closed: 'amber' },
} as const satisfies Record<string, Record<string, Level>>

export type CheckName = keyof typeof siteChecks
export const checkNames = Object.keys(siteChecks) as CheckName[]
export type FindingOf<Name extends CheckName> = Name extends CheckName ? keyof (typeof siteChecks)[Name] : never
export type Finding = FindingOf<CheckName>

/** The values of findings that have some. Moments and days are ISO 8601. */
type Values = {
  [F in FindingOf<'backups'>]: { status: BackupStatus }
} & {
  settings_refused: { reason: string }
  settings_lost: { names: string[] }
  address_secure: { url: string }
  address_unencrypted: { url: string }
  address_plain: { url: string }
  proxy_trusted: { proxies: number }
  proxy_bypassed: { proxies: number }
  backups_here_only: { status: BackupStatus; takenAt: string | null }
  disk_free: { free: number }
  disk_low: { free: number; needed: number }
  disk_inodes_low: { inodes: number }
  disk_inodes_gone: { inodes: number }
  disk_full: { free: number }
  disk_unwritable: { folder: string }
  database_sound: { bytes: number; checkedAt: string | null }
  database_damaged: { reason: string }
  database_unusable: { reason: string }
  photos_whole: { photos: number; checkedAt: string }
  photos_broken: { missing: number; damaged: number }
  mail_works: { to: string }
  mail_waiting: { mails: number; reason: string | null }
  mail_failed: { mails: number; reason: string | null }
  clock_differs: { seconds: number }
  clock_behind: { newest: string }
  version_supported: { release: string; node: string; until: string }
  version_newer: { release: string; node: string }
  version_ending: { release: string; node: string; until: string }
  version_ended: { release: string; node: string; until: string }
  accounts_locked_out: { names: string[] }
  visitors_welcome: { sitemap: string | null }
}
export type ValuesOf<F extends Finding> = F extends keyof Values ? Values[F] : object

const value = z.union([z.string(), z.number(), z.null(), z.array(z.string()), backupStatus])

const siteCheck = z.strictObject({
  check: z.enum(checkNames),
  level: z.enum(levels),
  /** `unreadable`: the check itself failed. */
  finding: z.string(),
  values: z.record(z.string(), value),
})
export type SiteCheck = z.infer<typeof siteCheck>

export function gravestOf(checks: readonly Pick<SiteCheck, 'level'>[]): Level {
  return levels.findLast((level) => checks.some((check) => check.level === level)) ?? 'green'
}

export const readChecks = endpoint({
  method: 'GET',
  path: '/api/admin/checks',
  access: 'owner',
  summary: 'How the site is: each check is green, amber or red.',
  reply: z.strictObject({
    now: z.string(),
    /** In the order of their names. */
    checks: z.array(siteCheck),
  }),
})
