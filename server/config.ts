import { accessSync, constants, readFileSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod/mini'
import { maker } from '#content/maker.ts'
import { newAdmin } from '#contract/accounts.ts'
import { mailAddressesIn, mailAddressIn } from '#contract/mails.ts'
import { leastPassphrase, type SettingName } from '#contract/settings.ts'
import { demoAdmin } from '#demo/admin.ts'
import { isHost } from './http/own-address.ts'
import { readSmtpUrl } from './mail/mail-config.rules.ts'
import type { MailSettings } from './mail/mailer.ts'
import type { BucketSettings } from './storage/s3.ts'

function wholeNumber(least: number, most: number, fault = `must be a whole number between ${least} and ${most}`) {
  const isWithin = (number: unknown) => Number.isInteger(number) && Number(number) >= least && Number(number) <= most
  return z.pipe(z.transform(Number), z.custom<number>(isWithin, fault))
}

const portNumber = () => wholeNumber(0, 65_535, 'must be a port number between 0 and 65535')

function settingInUrl(url: string, name: string) {
  return new URLSearchParams(url.split('?')[1]).get(name) ?? undefined
}

function isReadable(file: string | undefined) {
  try {
    if (file) accessSync(file, constants.R_OK)
    return true
  } catch {
    return false
  }
}

function readText(file: string) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

function isOrigin(url: string) {
  const host = /^https?:\/\/([^/]+)\/?$/i.exec(url)?.[1]
  return host !== undefined && isHost(host)
}

/** A setting that is parsed into an object; what cannot be parsed is a fault of the setting. */
function readBy<T extends object>(read: (text: string) => T | { fault: string }) {
  return z.pipe(
    z.string(),
    z.transform((text, context): T => {
      const result = read(text)
      if (!('fault' in result)) return result
      context.issues.push({ code: 'custom', message: result.fault, input: undefined })
      return z.NEVER
    }),
  )
}

const serviceAddress = z
  .string()
  .check(z.regex(/^https?:\/\/[^?#]+$/, 'must be the address of the service, such as https://s3.example.com'))

const pathStyle = z.pipe(
  z._default(z.enum(['true', 'false', ''], 'must be true or false'), 'false'),
  z.transform((answer) => answer === 'true'),
)

const prefix = z.pipe(
  z.string().check(z.regex(/^[\w./-]+$/, 'must be letters, digits, dots, dashes and slashes, such as sites/models')),
  z.transform((text) => text.replace(/^\/+|\/+$/g, '')),
)

const wrongBackupKey = 'must be a key as age-keygen writes it: the whole line that begins with AGE-SECRET-KEY-1'

const loopback = ['127.0.0.1', 'localhost', '::1']

/** Every setting, once. All of them are optional; README.md says what they are for. */
export const environment = z.object({
  PORT: z._default(portNumber(), 3000),
  HOST: z._default(z.string(), '127.0.0.1'),
  DATA_DIR: z._default(z.string(), './data'),
  DATABASE_URL: z.optional(
    z.string().check(
      z.regex(/^postgres(ql)?:\/\//, 'must begin with postgres:// (leave it out to use the built-in database in DATA_DIR)'),
      z.refine((url) => isReadable(settingInUrl(url, 'sslrootcert')), 'names a certificate (sslrootcert) that cannot be read'),
      z.refine(
        (url) => settingInUrl(url, 'sslmode') !== 'verify-ca' || settingInUrl(url, 'sslrootcert') !== undefined,
        'has sslmode=verify-ca and no sslrootcert. Add the certificate of your authority, or use verify-full',
      ),
    ),
  ),
  DATABASE_CONNECTIONS: z._default(wholeNumber(5, 1_000), 10),
  S3_BUCKET: z.optional(z.string()),
  S3_ENDPOINT: z.optional(serviceAddress),
  S3_REGION: z._default(z.string(), 'us-east-1'),
  S3_ACCESS_KEY_ID: z.optional(z.string()),
  S3_SECRET_ACCESS_KEY: z.optional(z.string()),
  S3_PATH_STYLE: pathStyle,
  S3_PREFIX: z.optional(prefix),
  S3_PUBLIC_URL: z.optional(
    z.pipe(
      z
        .string()
        .check(
          z.regex(
            /^https?:\/\/[^?#]+$/,
            'must be the address under which visitors reach the files, such as https://cdn.example.com',
          ),
        ),
      z.transform((url) => url.replace(/\/+$/, '')),
    ),
  ),
  BACKUP_PASSPHRASE: z.optional(
    z.string().check(z.minLength(leastPassphrase, `must be at least ${leastPassphrase} characters long`)),
  ),
  BACKUP_KEY: z.optional(z.string().check(z.regex(/^AGE-SECRET-KEY-1[0-9A-Z]{58}$/, wrongBackupKey))),
  OFFSITE_DIR: z.optional(z.string()),
  OFFSITE_S3_BUCKET: z.optional(z.string()),
  OFFSITE_S3_ENDPOINT: z.optional(serviceAddress),
  OFFSITE_S3_REGION: z._default(z.string(), 'us-east-1'),
  OFFSITE_S3_ACCESS_KEY_ID: z.optional(z.string()),
  OFFSITE_S3_SECRET_ACCESS_KEY: z.optional(z.string()),
  OFFSITE_S3_PATH_STYLE: pathStyle,
  OFFSITE_S3_PREFIX: z.optional(prefix),
  PUBLIC_URL: z.optional(
    z.pipe(
      z.string().check(z.refine(isOrigin, 'must be the address visitors use, such as https://example.com, without a path')),
      // As browsers write it: in lower case, without the default port.
      z.transform((url) => new URL(url).origin),
    ),
  ),
  TRUST_PROXY: z.pipe(
    z._default(
      z
        .string()
        .check(z.regex(/^([0-9]|true|false)$/, 'must be how many proxies are in front of the site: 0 for none, or 1 to 9')),
      '0',
    ),
    z.transform((answer) => (answer === 'true' ? 1 : Number(answer) || 0)),
  ),
  ADMIN_USERNAME: z.optional(z.string()),
  ADMIN_PASSWORD: z.optional(z.string()),
  SMTP_URL: z.optional(readBy(readSmtpUrl)),
  MAIL_FROM: z.optional(
    readBy(
      (text) =>
        mailAddressIn(text) ?? {
          fault: 'must be an e-mail address, such as site@example.com or Vitrina <site@example.com>',
        },
    ),
  ),
  MAIL_TO: z.optional(
    readBy(
      (text) =>
        mailAddressesIn(text) ?? {
          fault: 'must be the email address that messages are sent to, or several with commas between them',
        },
    ),
  ),
  RATE_LIMITS: z.pipe(
    z._default(z.enum(['on', 'off'], 'must be on or off'), 'on'),
    z.transform((answer) => answer === 'on'),
  ),
  LOG_LEVEL: z._default(
    z.enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'must be fatal, error, warn, info, debug, trace or silent',
    ),
    'info',
  ),
  SECRET_KEY_FILE: z.optional(
    z
      .string()
      .check(
        z.refine(
          (file) => (readText(file)?.trim().length ?? 0) >= 32,
          'must name a file with at least 32 characters, such as one made by: openssl rand -base64 32',
        ),
      ),
  ),
  METRICS_PORT: z.optional(portNumber()),
  DRAIN_SECONDS: z._default(wholeNumber(0, 600), 0),
  STOP_SECONDS: z._default(wholeNumber(0, 3_600), 30),
})

/** Encrypts backups that leave the server. */
export type BackupSecret = { passphrase: string } | { key: string }

/** The off-site target of backups. */
export type OffsiteSettings = { kind: 'folder'; folder: string } | { kind: 'bucket'; bucket: BucketSettings }

/** What is set in the environment or in the panel, there while the site runs: read it when it is needed, and not before. */
export type Settings = {
  /** Undefined when no mails are sent. */
  mail: MailSettings | undefined
  publicUrl: string | undefined
  /** The maker's. */
  timeZone: string
  /** Undefined where backups are not copied off-site. */
  offsite: OffsiteSettings | undefined
  /** Undefined when backups leave the server as they are. */
  backupSecret: BackupSecret | undefined
  /** Set in the panel, and of no use: the key of their passwords is gone. */
  lost: readonly SettingName[]
}

export type Config = Settings & {
  port: number
  host: string
  /** Whether only this machine can reach the site. */
  loopbackOnly: boolean
  dataDir: string
  databaseUrl: string | undefined
  databaseConnections: number
  bucket: BucketSettings | undefined
  /** Encrypts the passwords of settings; undefined for the one that the site makes in its data folder. */
  secretKeyFile: string | undefined
  /** How many proxies in front are trusted; 0 for none. */
  trustProxy: number
  firstAdmin: { username: string; password: string } | undefined
  rateLimits: boolean
  logLevel: string
  metricsPort: number | undefined
  drainSeconds: number
  stopSeconds: number
}

/** Settings that the site cannot start with; the message lists each with what to do. */
export class ConfigError extends Error {
  constructor(faults: readonly (readonly [setting: string, cure: string])[]) {
    const count = faults.length === 1 ? '1 setting needs attention' : `${faults.length} settings need attention`
    const width = Math.max(15, ...faults.map(([setting]) => setting.length))
    const lines = faults.map(([setting, cure]) => `  ${setting.padEnd(width)} ${cure}`)
    super([`Cannot start: ${count}.`, ...lines].join('\n'))
    this.name = 'ConfigError'
  }
}

/** Reports all faults at once, so that they can be corrected in one go. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const raw = Object.fromEntries(Object.keys(environment.shape).map((name) => [name, settingIn(env, name)]))
  const parsed = environment.safeParse(raw)
  const faults = [
    ...(parsed.error?.issues.map((issue) => [String(issue.path[0]), issue.message] as const) ?? []),
    ...bucketFaults(raw, ''),
    ...bucketFaults(raw, 'OFFSITE_'),
    ...secretFaults(raw),
    ...offsiteFaults(raw),
    ...accountFaults(raw.ADMIN_USERNAME, raw.ADMIN_PASSWORD),
    ...mailFaults(raw),
  ]
  if (!parsed.success || faults.length > 0) throw new ConfigError(faults)
  const set = parsed.data
  return {
    port: set.PORT,
    host: set.HOST,
    loopbackOnly: loopback.includes(set.HOST),
    dataDir: path.resolve(set.DATA_DIR),
    databaseUrl: set.DATABASE_URL,
    databaseConnections: set.DATABASE_CONNECTIONS,
    bucket: bucketIn(set, ''),
    backupSecret: secretIn(set),
    offsite: offsiteIn(set),
    publicUrl: set.PUBLIC_URL,
    timeZone: maker.timeZone,
    lost: [],
    secretKeyFile: set.SECRET_KEY_FILE,
    trustProxy: set.TRUST_PROXY,
    firstAdmin:
      set.ADMIN_USERNAME && set.ADMIN_PASSWORD ? { username: set.ADMIN_USERNAME, password: set.ADMIN_PASSWORD } : undefined,
    mail:
      set.SMTP_URL && set.MAIL_FROM && set.MAIL_TO ? { server: set.SMTP_URL, from: set.MAIL_FROM, to: set.MAIL_TO } : undefined,
    rateLimits: set.RATE_LIMITS,
    logLevel: set.LOG_LEVEL,
    metricsPort: set.METRICS_PORT,
    drainSeconds: set.DRAIN_SECONDS,
    stopSeconds: set.STOP_SECONDS,
  }
}

/** Also refuses a mistyped key, which would be noticed only with the first encrypted backup. */
export async function readCheckedConfig(env: NodeJS.ProcessEnv): Promise<Config> {
  const config = readConfig(env)
  if (config.backupSecret && 'key' in config.backupSecret) {
    const { identityToRecipient } = await import('age-encryption')
    await identityToRecipient(config.backupSecret.key).catch(() => {
      throw new ConfigError([['BACKUP_KEY', wrongBackupKey]])
    })
  }
  return config
}

const passwords = ['ADMIN_PASSWORD', 'BACKUP_PASSPHRASE']

/** Spaces around a setting come from copying, but may be part of a password. */
function settingIn(env: NodeJS.ProcessEnv, name: string) {
  const trimmed = env[name]?.trim() || undefined
  return passwords.includes(name) && trimmed ? env[name] : trimmed
}

type RawSettings = Record<string, string | undefined>
type Environment = z.infer<typeof environment>
type BucketPrefix = '' | 'OFFSITE_'

function bucketIn(set: Environment, namePrefix: BucketPrefix): BucketSettings | undefined {
  const bucket = set[`${namePrefix}S3_BUCKET`]
  if (!bucket) return undefined
  const [accessKeyId, secretAccessKey] = [set[`${namePrefix}S3_ACCESS_KEY_ID`], set[`${namePrefix}S3_SECRET_ACCESS_KEY`]]
  const folder = set[`${namePrefix}S3_PREFIX`]
  return {
    bucket,
    endpoint: set[`${namePrefix}S3_ENDPOINT`],
    region: set[`${namePrefix}S3_REGION`],
    credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined,
    pathStyle: set[`${namePrefix}S3_PATH_STYLE`],
    prefix: folder ? `${folder}/` : '',
    publicUrl: namePrefix === '' ? set.S3_PUBLIC_URL : undefined,
  }
}

function bucketFaults(raw: RawSettings, namePrefix: BucketPrefix) {
  const bucket = `${namePrefix}S3_BUCKET`
  const id = `${namePrefix}S3_ACCESS_KEY_ID`
  const secret = `${namePrefix}S3_SECRET_ACCESS_KEY`
  const others = Object.keys(raw).filter((name) => name.startsWith(`${namePrefix}S3_`) && raw[name])
  if (!raw[bucket]) return others.slice(0, 1).map((name) => [bucket, `is missing while ${name} is set.`] as const)
  if (raw[id] && !raw[secret]) return [[secret, `is missing while ${id} is set. Set both, or neither.`] as const]
  if (raw[secret] && !raw[id]) return [[id, `is missing while ${secret} is set. Set both, or neither.`] as const]
  return []
}

function secretIn({ BACKUP_PASSPHRASE: passphrase, BACKUP_KEY: key }: Environment): BackupSecret | undefined {
  if (passphrase) return { passphrase }
  return key ? { key } : undefined
}

function secretFaults({ BACKUP_PASSPHRASE: passphrase, BACKUP_KEY: key }: RawSettings) {
  if (!passphrase || !key) return []
  return [['BACKUP_KEY', 'is set together with BACKUP_PASSPHRASE. Set the one that backups are to be opened with.'] as const]
}

function offsiteIn(set: Environment): OffsiteSettings | undefined {
  if (set.OFFSITE_DIR) return { kind: 'folder', folder: path.resolve(set.OFFSITE_DIR) }
  const bucket = bucketIn(set, 'OFFSITE_')
  return bucket && { kind: 'bucket', bucket }
}

/** A target inside the site's own folder or bucket would be lost together with the site. */
function offsiteFaults(raw: RawSettings) {
  const { OFFSITE_DIR: folder, OFFSITE_S3_BUCKET: bucket, DATA_DIR: dataDir = './data' } = raw
  if (folder && bucket) return [['OFFSITE_DIR', 'is set together with OFFSITE_S3_BUCKET. Set one of them.'] as const]
  if (folder && isWithin(folder, dataDir)) {
    return [['OFFSITE_DIR', 'is in DATA_DIR, and would be lost with it. Choose a folder on another disk.'] as const]
  }
  const same = ['BUCKET', 'ENDPOINT', 'PREFIX'].every((name) => bareOf(raw[`S3_${name}`]) === bareOf(raw[`OFFSITE_S3_${name}`]))
  if (!bucket || !same) return []
  return [['OFFSITE_S3_BUCKET', 'is the bucket of the site itself, and would be lost with it. Choose another.'] as const]
}

export function bareOf(setting = '') {
  return setting.replace(/^\/+|\/+$/g, '')
}

export function isWithin(folder: string, parent: string) {
  const inside = path.relative(realPath(parent), realPath(folder))
  return !inside.startsWith('..') && !path.isAbsolute(inside)
}

/** With symbolic links resolved; a folder that does not exist yet is taken as it is written. */
function realPath(folder: string) {
  try {
    return realpathSync(folder)
  } catch {
    return path.resolve(folder)
  }
}

const mailSettings = ['SMTP_URL', 'MAIL_FROM', 'MAIL_TO']

function mailFaults(raw: RawSettings) {
  const set = mailSettings.filter((name) => raw[name])
  if (set.length === 0) return []
  const missing = mailSettings.filter((name) => !raw[name])
  return missing.map((name) => [name, `is missing while ${set[0]} is set. Set all three, or none.`] as const)
}

function accountFaults(username: string | undefined, password: string | undefined) {
  if (!username && !password) return []
  if (!username) return [['ADMIN_USERNAME', 'is missing while ADMIN_PASSWORD is set. Set both, or neither.'] as const]
  if (!password) return [['ADMIN_PASSWORD', 'is missing while ADMIN_USERNAME is set. Set both, or neither.'] as const]
  if (password === demoAdmin.password) {
    return [['ADMIN_PASSWORD', 'is the password of the demo account, which everybody knows. Choose another.'] as const]
  }
  const judged = newAdmin.safeParse({ username, password })
  return (judged.error?.issues ?? []).map(
    (issue) => [issue.path[0] === 'username' ? 'ADMIN_USERNAME' : 'ADMIN_PASSWORD', `${issue.message}.`] as const,
  )
}
