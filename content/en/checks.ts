import type { CheckName, Finding, FindingOf, Level, ValuesOf } from '#contract/checks.ts'
import { inWords } from '../in-words.ts'
import { sizeIn } from '../sizes.ts'

/** What was found and, where there is something to do, what that is. Those of backups are told by their status. */
export type CheckFindings = {
  [F in Exclude<Finding, Exclude<FindingOf<'backups'>, 'backups_here_only'>>]: (
    values: ValuesOf<F>,
    timeZone: string,
  ) => readonly [says: string, todo?: string]
}

const size = (bytes: number) => sizeIn('en', bytes)
const number = (count: number) => count.toLocaleString('en')
/** Of a day that has no time. */
const day = (date: string) => new Date(date).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' })
const moment = (at: string, timeZone: string) =>
  new Date(at).toLocaleString('en-US', { dateStyle: 'long', timeStyle: 'short', timeZone })
const mails = (count: number) => (count === 1 ? 'One email' : `${number(count)} emails`)
const lastReason = (reason: string | null) => (reason ? ` The mail server said: ${reason}` : '')
const versions = ({ release, node }: { release: string; node: string }) => `Vitrina ${release} runs on Node ${node}`

const names: Record<CheckName, string> = {
  settings: 'Settings',
  address: 'Address',
  proxy: 'Proxy',
  demo: 'Demo account',
  backups: 'Backups',
  disk: 'Disk space',
  database: 'Database',
  photos: 'Photos',
  mail: 'Email',
  clock: 'Clock',
  version: 'Version',
  accounts: 'Accounts',
  visitors: 'Visitors and search engines',
}

/** Settings that have a password. */
const lostNames: Record<string, string> = { mail: 'email', offsite: 'off-site copies', passphrase: 'passphrase of backups' }

const levels: Record<Level, string> = { green: 'Fine', amber: 'Needs attention', red: 'Urgent' }

const findings: CheckFindings = {
  settings_accepted: () => ['All settings are valid.'],
  settings_refused: ({ reason }) => [reason],
  settings_lost: ({ names: lost }) => [
    `The key of stored passwords is gone or another one, so they cannot be read: ${inWords(
      lost.map((name) => lostNames[name]),
      'and',
    )}.`,
    'Type those passwords again under Settings. A passphrase must be the one you kept.',
  ],
  address_secure: ({ url }) => [`Visitors reach the site at ${url}, encrypted.`],
  address_local: () => ['The site is reached on this machine only.'],
  address_missing: () => [
    'The site does not know its own address, so shared links have no picture and search engines get no list of projects.',
    'Set the address in the panel, under Settings.',
  ],
  address_unencrypted: ({ url }) => [
    `${url} was just reached without encryption, as far as the site can tell.`,
    'The proxy should redirect http to https and send X-Forwarded-Proto: see docs/deploy.md.',
  ],
  address_plain: ({ url }) => [
    `Visitors reach the site at ${url}, without encryption: passwords and messages can be read on the way.`,
    'Get a certificate for the proxy (see docs/deploy.md), then set the https address under Settings.',
  ],
  proxy_none: () => ['There is no proxy in front, and none has been noticed.'],
  proxy_trusted: ({ proxies }) => [proxies === 1 ? 'One proxy is trusted.' : `${proxies} proxies are trusted.`],
  proxy_not_trusted: () => [
    'Requests come through a proxy the site does not trust, so all visitors look like one.',
    'Set TRUST_PROXY: see docs/deploy.md.',
  ],
  proxy_one_visitor: () => [
    'All requests seem to come from one address, so all visitors look like one.',
    'If the site is behind a proxy, set TRUST_PROXY: see docs/deploy.md.',
  ],
  proxy_bypassed: () => [
    'You reached the site without the proxy that TRUST_PROXY counts. A stranger who does that can pretend to be any visitor.',
    'Let only the proxy reach the port, or set TRUST_PROXY to 0: see docs/deploy.md.',
  ],
  demo_gone: () => ['No account has the demo password.'],
  demo_active: () => [
    'This is the demo account, and everyone knows its password.',
    'Change it before you put this site on the internet.',
  ],
  backups_here_only: ({ takenAt }) => [
    takenAt
      ? `Backups exist only on this server and would be lost with it. The last one was downloaded on ${day(takenAt)}.`
      : 'Backups exist only on this server and would be lost with it.',
    'Download a complete backup every month, or set up off-site copies under Settings, on another machine.',
  ],
  disk_free: ({ free }) => [`${size(free)} free.`],
  disk_unused: () => ['Nothing is kept on this machine’s disk.'],
  disk_low: ({ free, needed }) => [
    `Only ${size(free)} left. Backups and updates need about ${size(needed)}.`,
    'Free some space on the server, keep fewer backups, or get a larger disk.',
  ],
  disk_inodes_low: ({ inodes }) => [
    `The disk has room for only ${number(inodes)} more files.`,
    'Delete files on the server that are no longer needed.',
  ],
  disk_full: ({ free }) => [
    `The disk is almost full: ${size(free)} left. Photos, messages and backups will soon be refused.`,
    'Free some space on the server now, or get a larger disk.',
  ],
  disk_inodes_gone: ({ inodes }) => [
    `The disk has room for only ${number(inodes)} more files. Photos and backups will soon be refused.`,
    'Delete files on the server that are no longer needed.',
  ],
  disk_unwritable: ({ folder }) => [
    `Nothing can be written to ${folder}.`,
    'See that the disk is not read-only and that the folder belongs to the account of the site.',
  ],
  database_sound: ({ bytes, checkedAt }, timeZone) => [
    checkedAt
      ? `${size(bytes)}, and undamaged when checked on ${moment(checkedAt, timeZone)}.`
      : `${size(bytes)}. It is checked every night.`,
  ],
  database_damaged: ({ reason }) => [
    reason,
    'Stop the site and go back to the latest database backup: docs/deploy.md says how. Nothing else should be changed before.',
  ],
  database_unusable: ({ reason }) => [reason],
  photos_whole: ({ photos: count, checkedAt }, timeZone) => [
    count === 0
      ? 'There are no photos yet.'
      : count === 1
        ? `The one photo was there on ${moment(checkedAt, timeZone)}, and undamaged.`
        : `All ${number(count)} photos were there on ${moment(checkedAt, timeZone)}, and those that were read were undamaged.`,
  ],
  photos_unchecked: () => ['They are checked every night. The first check is still to come.'],
  photos_broken: ({ missing, damaged }) => [
    `The files of photos are lost: ${inWords([missing > 0 && `${number(missing)} missing`, damaged > 0 && `${number(damaged)} damaged`], 'and')}.`,
    'Press “Create Complete Backup” to see whose they are. Upload them again, or restore a complete backup that has them.',
  ],
  mail_works: ({ to }) => [`Messages are sent to ${to}, and none is stuck.`],
  mail_off: () => ['No email is sent: you learn of new messages only here.', 'Set up email in the panel, under Settings.'],
  mail_waiting: ({ mails: count, reason }) => [
    `${mails(count)} could not be sent so far, and will be tried again.${lastReason(reason)}`,
    'Messages are safe here. If it lasts, check the settings for email.',
  ],
  mail_failed: ({ mails: count, reason }) => [
    `${mails(count)} could not be sent, and will not be tried again.${lastReason(reason)}`,
    'Messages are safe here. Look at what was refused, then try again or give up.',
  ],
  clock_right: () => ['The time seems right.'],
  clock_jumped: () => [
    'This server’s clock jumped in the past week. Dates and backups depend on it.',
    'Make sure it shows the right time.',
  ],
  clock_differs: ({ seconds }) => [
    `The database’s clock is ${number(seconds)} seconds away from this server’s.`,
    'Turn on a time service on both machines.',
  ],
  clock_behind: ({ newest }, timeZone) => [
    `There are entries from the future (${moment(newest, timeZone)}): this server’s clock is behind, or was ahead.`,
    'Make sure it shows the right time.',
  ],
  version_supported: (values) => [`${versions(values)}, which gets fixes until ${day(values.until)}.`],
  version_newer: (values) => [`${versions(values)}.`],
  version_ending: (values) => [
    `${versions(values)}, which gets no more fixes after ${day(values.until)}.`,
    'Install a newer Node on the server: see docs/deploy.md.',
  ],
  version_ended: (values) => [
    `${versions(values)}, which has had no more fixes since ${day(values.until)}.`,
    'Install a newer Node on the server: see docs/deploy.md.',
  ],
  accounts_safe: () => ['Every owner has a second way in.'],
  accounts_locked_out: ({ names: owners }) => [
    `The password is the only way in for ${inWords(owners, 'and')}.`,
    'Add a passkey or, where email is set up, confirm an email address under Admin Management.',
  ],
  visitors_welcome: ({ sitemap }) => [
    sitemap
      ? `Visitors see the site, and search engines find its projects in ${sitemap}.`
      : 'Visitors and search engines see the site. There is no sitemap without an address under Settings.',
  ],
  visitors_closed: () => [
    'The site is not open yet. Visitors read “Opening soon”, and search engines are kept out.',
    'Open it at the top of the panel when it is ready.',
  ],
}

export const checks = {
  title: 'How is my site?',
  text: 'What the site knows about itself. Nothing outside is asked.',
  loading: 'Checking…',
  failed: 'The checks could not be made.',
  again: 'Check again',
  allGreen: 'All is well.',
  /** How many are amber or red. */
  open: (count: number) => (count === 1 ? 'One thing needs attention.' : `${count} things need attention.`),
  show: 'Show',
  showOf: (name: string) => `Show: ${name}`,
  names,
  levels,
  unreadable: (reason: string) => `This could not be checked. (${reason})`,
  findings,
}

export type CheckTexts = typeof checks
