import { type BackupStatus, failedBackupWarnings } from '#contract/backup-status.ts'
import {
  type CheckName,
  type Finding,
  type FindingOf,
  type Level,
  type SiteCheck,
  siteChecks,
  type ValuesOf,
} from '#contract/checks.ts'
import { day, isFuture } from '#server/clock.ts'
import { isLoopbackHost } from '#server/http/own-address.ts'
import type { ProxySign } from '#server/http/proxy-signs.ts'

/** The request for the checks itself; undefined at the console. */
export type Visit = { host: string; protocol: 'http' | 'https'; forwarded: boolean }

/** What is known for each check. */
export type Facts = {
  settings: { refused: string } | { lost: readonly string[] }
  address: { publicUrl: string | undefined; loopbackOnly: boolean; visit: Visit | undefined }
  proxy: { trustProxy: number; signs: readonly ProxySign[]; visit: Visit | undefined }
  demo: { isActive: boolean }
  backups: { status: BackupStatus; isOnSameDisk: boolean; takenAt: string | null; now: Date }
  /** Undefined where the site needs no disk. `inodes` is undefined where the file system has no limit. */
  disk: { free: number; inodes: number | undefined; databaseBytes: number } | { unwritable: string } | undefined
  database: { damage: string | null; bytes: number; checkedAt: string | null } | { unusable: string }
  photos: { photos: number; missing: number; damaged: number; checkedAt: string } | undefined
  mail: { to: string | undefined; failed: number; waiting: number; reason: string | null }
  clock: { now: Date; databaseNow: Date | undefined; newest: string | null; hasJumped: boolean }
  version: { release: string; node: string; now: Date }
  accounts: { owners: readonly { name: string; hasAddress: boolean; hasPasskey: boolean }[]; mailsLinks: boolean }
  visitors: { isOpened: boolean; publicUrl: string | undefined }
}

type Found<Name extends CheckName> = Name extends CheckName
  ? { [F in FindingOf<Name>]: { finding: F; values: ValuesOf<F> } }[FindingOf<Name>]
  : never

const megabyte = 1_000_000
/** Below 16 MB free the site adds nothing. */
const fewBytes = 100 * megabyte
/** For some days of nightly backups of a small site. */
const enoughBytes = 1_000 * megabyte
const fewInodes = 1_000
const enoughInodes = 20_000
/** An update of the tables copies the built-in database first. */
const timesDatabase = 2.5

/** A backup that was downloaded lately is an off-site copy. */
const takenDays = 31

/** In seconds: with more, mails are sent twice. */
const clocksDiffer = 30

/** When the Node.js project ends its support of a release line. */
const nodeEnds: Readonly<Record<string, string>> = {
  20: '2026-04-30',
  21: '2024-06-01',
  22: '2027-04-30',
  23: '2025-06-01',
  24: '2028-04-30',
  25: '2026-06-01',
  26: '2029-04-30',
}
const endingDays = 90

/** All there is to know about how the site is, one rule for each check. */
const rules: { [Name in CheckName]: (facts: Facts[Name]) => Found<Name> } = {
  settings(facts) {
    if ('refused' in facts) return found('settings_refused', { reason: facts.refused })
    const names = [...facts.lost]
    return names.length > 0 ? found('settings_lost', { names }) : found('settings_accepted')
  },

  address({ publicUrl: url, loopbackOnly, visit }) {
    const isHere = visit ? isLoopbackHost(visit.host) : loopbackOnly
    if (!url) return found(isHere ? 'address_local' : 'address_missing')
    const { host, protocol } = new URL(url)
    if (isLoopbackHost(host)) return found('address_local')
    if (protocol === 'http:') return found('address_plain', { url })
    const isUnencrypted = visit?.host.toLowerCase() === host && visit.protocol === 'http'
    return found(isUnencrypted ? 'address_unencrypted' : 'address_secure', { url })
  },

  proxy({ trustProxy: proxies, signs, visit }) {
    if (signs.includes('proxy_not_trusted')) return found('proxy_not_trusted')
    if (signs.includes('one_visitor')) return found('proxy_one_visitor')
    if (proxies === 0) return found('proxy_none')
    const isBypassed = visit && !visit.forwarded && !isLoopbackHost(visit.host)
    return found(isBypassed ? 'proxy_bypassed' : 'proxy_trusted', { proxies })
  },

  demo: ({ isActive }) => found(isActive ? 'demo_active' : 'demo_gone'),

  backups({ status, isOnSameDisk, takenAt, now }) {
    const { warnings, offsite } = status
    if (warnings.some((warning) => failedBackupWarnings.includes(warning))) return found('backups_failed', { status })
    if (warnings.length > 0) return found('backups_missing', { status })
    const isTaken = takenAt && !isFuture(takenAt, now) && now.getTime() - Date.parse(takenAt) < takenDays * day
    if ((!offsite || isOnSameDisk) && !isTaken) return found('backups_here_only', { status, takenAt })
    return found('backups_safe', { status })
  },

  disk(facts) {
    if (!facts) return found('disk_unused')
    if ('unwritable' in facts) return found('disk_unwritable', { folder: facts.unwritable })
    const { free, inodes, databaseBytes } = facts
    const needed = Math.max(enoughBytes, timesDatabase * databaseBytes)
    if (free < fewBytes) return found('disk_full', { free })
    if (inodes !== undefined && inodes < fewInodes) return found('disk_inodes_gone', { inodes })
    if (free < needed) return found('disk_low', { free, needed })
    if (inodes !== undefined && inodes < enoughInodes) return found('disk_inodes_low', { inodes })
    return found('disk_free', { free })
  },

  database(facts) {
    if ('unusable' in facts) return found('database_unusable', { reason: facts.unusable })
    const { damage, bytes, checkedAt } = facts
    if (damage !== null) return found('database_damaged', { reason: damage })
    return found('database_sound', { bytes, checkedAt })
  },

  photos(facts) {
    if (!facts) return found('photos_unchecked')
    const { photos, missing, damaged, checkedAt } = facts
    if (missing + damaged > 0) return found('photos_broken', { missing, damaged })
    return found('photos_whole', { photos, checkedAt })
  },

  mail({ to, failed, waiting, reason }) {
    if (to === undefined) return found('mail_off')
    if (failed > 0) return found('mail_failed', { mails: failed, reason })
    if (waiting > 0) return found('mail_waiting', { mails: waiting, reason })
    return found('mail_works', { to })
  },

  clock({ now, databaseNow, newest, hasJumped }) {
    if (hasJumped) return found('clock_jumped')
    if (newest && isFuture(newest, now)) return found('clock_behind', { newest })
    const seconds = Math.round(Math.abs((databaseNow?.getTime() ?? now.getTime()) - now.getTime()) / 1_000)
    if (seconds > clocksDiffer) return found('clock_differs', { seconds })
    return found('clock_right')
  },

  version({ release, node, now }) {
    const until = nodeEnds[node.split('.')[0] ?? '']
    if (!until) return found('version_newer', { release, node })
    const daysLeft = (Date.parse(until) + day - now.getTime()) / day
    const finding = daysLeft <= 0 ? 'version_ended' : daysLeft <= endingDays ? 'version_ending' : 'version_supported'
    return found(finding, { release, node, until })
  },

  accounts({ owners, mailsLinks }) {
    const names = owners.filter((owner) => !owner.hasPasskey && !(owner.hasAddress && mailsLinks)).map(({ name }) => name)
    return names.length > 0 ? found('accounts_locked_out', { names }) : found('accounts_safe')
  },

  visitors: ({ isOpened, publicUrl }) =>
    isOpened ? found('visitors_welcome', { sitemap: publicUrl ? `${publicUrl}/sitemap.xml` : null }) : found('visitors_closed'),
}

function found<F extends Finding>(finding: F, ...[values]: keyof ValuesOf<F> extends never ? [] : [ValuesOf<F>]) {
  return { finding, values: values ?? {} } as { finding: F; values: ValuesOf<F> }
}

export function judge<Name extends CheckName>(check: Name, facts: Facts[Name]): SiteCheck {
  const { finding, values } = rules[check](facts)
  const level = (siteChecks[check] as Record<string, Level>)[finding] ?? 'red'
  return { check, level, finding, values: { ...values } }
}

/** A check that failed itself: what it asks is in a bad way, or does not answer. */
export function unreadable(check: CheckName, reason: string): SiteCheck {
  return { check, level: 'red', finding: 'unreadable', values: { reason } }
}
