import { describe, expect, test } from 'vitest'
import type { BackupStatus, BackupWarning } from '#contract/backup-status.ts'
import { type CheckName, checkNames, gravestOf } from '#contract/checks.ts'
import { type Facts, judge } from './checks.rules.ts'

const now = new Date('2026-11-18T12:00:00.000Z')
const url = 'https://models.example'
const visit = { host: 'models.example', protocol: 'https', forwarded: true } as const

const status = (warnings: BackupWarning[] = [], offsite: BackupStatus['offsite'] = null): BackupStatus => ({
  settings: { nightly: true, at: '03:00', keep: { daily: 7, weekly: 5, monthly: 12 } },
  timeZone: 'America/Mexico_City',
  now: now.toISOString(),
  warnings,
  lastGood: null,
  nightly: { nextAt: null, doneAt: null, fault: null },
  offsite,
  restoreTest: null,
  encrypted: false,
  working: null,
  lastMerge: null,
})
const offsite: BackupStatus['offsite'] = { kind: 'bucket', encrypted: true, copied: null, fault: null }

/** A site of which nothing is to be said. */
const fine: Facts = {
  settings: { lost: [] },
  address: { publicUrl: url, loopbackOnly: true, visit },
  proxy: { trustProxy: 1, signs: [], visit },
  demo: { isActive: false },
  backups: { status: status([], offsite), isOnSameDisk: false, takenAt: null, now },
  disk: { free: 20e9, inodes: 1e6, databaseBytes: 5e6 },
  database: { damage: null, bytes: 5e6, checkedAt: now.toISOString() },
  photos: { photos: 12, missing: 0, damaged: 0, checkedAt: now.toISOString() },
  mail: { to: 'ana@example.com', failed: 0, waiting: 0, reason: null },
  clock: { now, databaseNow: now, newest: '2026-11-18T11:59:00.000Z', hasJumped: false },
  version: { release: '0.1.0', node: '24.1.0', now },
  accounts: { owners: [{ name: 'Ana', hasAddress: false, hasPasskey: true }], mailsLinks: false },
  visitors: { isOpened: true, publicUrl: url },
}

function found<Name extends CheckName>(check: Name, facts: object | undefined) {
  const changed = facts && { ...(fine[check] as object), ...facts }
  const { level, finding } = judge(check, changed as Facts[Name])
  return `${level} ${finding}`
}

test('a site of which nothing is to be said is green in every line', () => {
  const all = checkNames.map((check) => judge(check, fine[check] as never))
  expect(all.filter(({ level }) => level !== 'green')).toEqual([])
  expect(gravestOf(all)).toBe('green')
})

test('the level of all is that of the gravest', () => {
  expect(gravestOf([])).toBe('green')
  expect(gravestOf([{ level: 'amber' }, { level: 'green' }])).toBe('amber')
  expect(gravestOf([{ level: 'amber' }, { level: 'red' }, { level: 'green' }])).toBe('red')
})

describe.each<[CheckName, [about: string, facts: object | undefined, finding: string][]]>([
  ['settings', [['a wrong setting', { refused: 'PORT must be a port number' }, 'red settings_refused']]],
  [
    'address',
    [
      ['no address on this machine', { publicUrl: undefined, visit: undefined }, 'green address_local'],
      [
        'no address, read at localhost',
        { publicUrl: undefined, visit: { ...visit, host: 'localhost:3000' } },
        'green address_local',
      ],
      [
        'no address, listening to all',
        { publicUrl: undefined, visit: undefined, loopbackOnly: false },
        'amber address_missing',
      ],
      ['no address, read under a name', { publicUrl: undefined }, 'amber address_missing'],
      ['an address of this machine', { publicUrl: 'http://localhost:3000' }, 'green address_local'],
      ['an address without encryption', { publicUrl: 'http://models.example' }, 'red address_plain'],
      ['an encrypted one, reached without', { visit: { ...visit, protocol: 'http' } }, 'amber address_unencrypted'],
      [
        'an encrypted one, from the local network',
        { visit: { ...visit, host: '10.0.0.7', protocol: 'http' } },
        'green address_secure',
      ],
      ['an encrypted one, at the console', { visit: undefined }, 'green address_secure'],
    ],
  ],
  [
    'proxy',
    [
      ['none', { trustProxy: 0 }, 'green proxy_none'],
      ['one that is not trusted', { trustProxy: 0, signs: ['proxy_not_trusted'] }, 'amber proxy_not_trusted'],
      ['one visitor for all', { signs: ['one_visitor'] }, 'amber proxy_one_visitor'],
      ['one that was bypassed', { visit: { ...visit, forwarded: false } }, 'amber proxy_bypassed'],
      ['read on the server itself', { visit: { ...visit, host: '127.0.0.1:3000', forwarded: false } }, 'green proxy_trusted'],
      ['at the console', { visit: undefined }, 'green proxy_trusted'],
    ],
  ],
  ['demo', [['with its password', { isActive: true }, 'amber demo_active']]],
  [
    'backups',
    [
      ['none yet', { status: status(['nothing_yet']) }, 'amber backups_missing'],
      ['one that failed', { status: status(['nightly_off', 'trial_failed'], offsite) }, 'red backups_failed'],
      ['no off-site copy', { status: status() }, 'amber backups_here_only'],
      ['one that was downloaded', { status: status(), takenAt: '2026-10-20T12:00:00.000Z' }, 'green backups_safe'],
      [
        'one that was downloaded long ago',
        { status: status(), takenAt: '2026-10-17T12:00:00.000Z' },
        'amber backups_here_only',
      ],
      [
        'one that was downloaded in the future',
        { status: status(), takenAt: '2027-10-17T12:00:00.000Z' },
        'amber backups_here_only',
      ],
    ],
  ],
  [
    'disk',
    [
      ['none', undefined, 'green disk_unused'],
      ['little room', { free: 999e6 }, 'amber disk_low'],
      ['little room for a large database', { free: 2.4e9, databaseBytes: 1e9 }, 'amber disk_low'],
      ['no room', { free: 99e6 }, 'red disk_full'],
      ['room for few files', { inodes: 19_999 }, 'amber disk_inodes_low'],
      ['room for no files', { inodes: 999 }, 'red disk_inodes_gone'],
      ['a file system without such a limit', { inodes: undefined }, 'green disk_free'],
      ['one that cannot be written to', { unwritable: '/data' }, 'red disk_unwritable'],
    ],
  ],
  [
    'database',
    [
      ['not checked yet', { checkedAt: null }, 'green database_sound'],
      ['damage', { damage: 'page 7 is wrong' }, 'red database_damaged'],
      ['one that cannot be opened', { unusable: 'It is of a newer release.' }, 'red database_unusable'],
    ],
  ],
  [
    'photos',
    [
      ['not checked yet', undefined, 'green photos_unchecked'],
      ['a missing one', { missing: 1 }, 'red photos_broken'],
      ['a damaged one', { damaged: 1 }, 'red photos_broken'],
    ],
  ],
  [
    'mail',
    [
      ['not set up', { to: undefined }, 'amber mail_off'],
      ['waiting', { waiting: 2 }, 'amber mail_waiting'],
      ['failed', { waiting: 2, failed: 1 }, 'red mail_failed'],
    ],
  ],
  [
    'clock',
    [
      ['jumped', { hasJumped: true }, 'amber clock_jumped'],
      ['the built-in database has no other', { databaseNow: undefined }, 'green clock_right'],
      ['another one in the database', { databaseNow: new Date('2026-11-18T12:00:31.000Z') }, 'amber clock_differs'],
      ['nearly the same in the database', { databaseNow: new Date('2026-11-18T11:59:30.000Z') }, 'green clock_right'],
      ['records of the future', { newest: '2026-11-18T13:00:01.000Z' }, 'amber clock_behind'],
      ['no records', { newest: null }, 'green clock_right'],
    ],
  ],
  [
    'version',
    [
      ['Node 20, whose support has ended', { node: '20.19.0' }, 'amber version_ended'],
      ['the last day of support', { node: '22.1.0', now: new Date('2027-04-30T23:59:59.000Z') }, 'amber version_ending'],
      ['the day after', { node: '22.1.0', now: new Date('2027-05-01T00:00:00.000Z') }, 'amber version_ended'],
      ['four months before', { node: '22.1.0', now: new Date('2027-01-01T00:00:00.000Z') }, 'green version_supported'],
      ['a line that is not known yet', { node: '99.0.0' }, 'green version_newer'],
    ],
  ],
  [
    'accounts',
    [
      [
        'nothing but a password',
        { owners: [{ name: 'Ana', hasAddress: false, hasPasskey: false }] },
        'amber accounts_locked_out',
      ],
      [
        'an address without mail',
        { owners: [{ name: 'Ana', hasAddress: true, hasPasskey: false }] },
        'amber accounts_locked_out',
      ],
      [
        'an address',
        { mailsLinks: true, owners: [{ name: 'Ana', hasAddress: true, hasPasskey: false }] },
        'green accounts_safe',
      ],
      ['the demo account alone', { owners: [] }, 'green accounts_safe'],
    ],
  ],
  [
    'visitors',
    [
      ['a site that is not open', { isOpened: false }, 'amber visitors_closed'],
      ['no sitemap', { publicUrl: undefined }, 'green visitors_welcome'],
    ],
  ],
])('%s', (check, cases) => {
  test.each(cases)('%s', (_, facts, finding) => {
    expect(found(check, facts)).toBe(finding)
  })
})

test('what is found comes with its values', () => {
  expect(judge('version', fine.version)).toEqual({
    check: 'version',
    level: 'green',
    finding: 'version_supported',
    values: { release: '0.1.0', node: '24.1.0', until: '2028-04-30' },
  })
  expect(judge('disk', { free: 5e8, inodes: 1e6, databaseBytes: 1e9 }).values).toEqual({ free: 5e8, needed: 2.5e9 })
  expect(judge('visitors', fine.visitors).values).toEqual({ sitemap: `${url}/sitemap.xml` })
  const mails = { to: 'ana@example.com', failed: 2, waiting: 0, reason: '550 no such user' }
  expect(judge('mail', mails).values).toEqual({ mails: 2, reason: '550 no such user' })
})
