import { z } from 'zod/mini'
import { endpoint, type ReplyOf } from './endpoint.ts'
import { mailAddressesIn, mailAddressIn } from './mails.ts'
import { moment } from './text.ts'
import { parseUrl } from './web-address.ts'

/** Each is changed by itself. What the environment of the server sets, the panel only shows. */
export const settingNames = ['mail', 'address', 'timeZone', 'offsite', 'passphrase'] as const
export type SettingName = (typeof settingNames)[number]

const line = (most: number) => z.string().check(z.trim(), z.maxLength(most), z.regex(/^\P{Control}*$/u))
const neededLine = (most: number) => line(most).check(z.minLength(1))
const secret = z.optional(z.string().check(z.maxLength(1_000)))

const because = (fault: string, error: string) => ({ error, params: { fault } })

const host = neededLine(253).check(
  z.refine((text) => /^[\p{L}\p{N}._:-]+$/u.test(text), because('not_a_server', 'Use the name of a server.')),
)

/** Where mails are handed over. Without a user it must take them unasked. */
export const mailServer = z.strictObject({
  host,
  port: z.int().check(z.gte(1), z.lte(65_535)),
  /** TLS from the first byte on; otherwise by STARTTLS. */
  secure: z.boolean(),
  user: line(320),
  from: neededLine(320).check(
    z.refine((text) => mailAddressIn(text) !== undefined, because('not_an_email', 'This is not an email address.')),
  ),
  /** One or several, with commas between them. */
  to: neededLine(2_000).check(
    z.refine((text) => mailAddressesIn(text) !== undefined, because('not_an_email', 'This is not an email address.')),
  ),
})
export type MailServer = z.infer<typeof mailServer>

function isTimeZone(name: string) {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}

/** As browsers write it: in lower case, without the default port. */
function originOf(text: string) {
  const url = /^https?:\/\/[^/?#@\\]+\/?$/i.test(text) ? parseUrl(text) : undefined
  return url?.hostname ? url.origin : undefined
}

export const siteAddress = z.strictObject({
  url: z.pipe(
    neededLine(300).check(
      z.refine((text) => originOf(text) !== undefined, because('not_a_site_address', 'Use an address without a path.')),
    ),
    z.transform((text) => originOf(text) ?? ''),
  ),
})

export const timeZoneChosen = z.strictObject({
  timeZone: neededLine(100).check(z.refine(isTimeZone, because('not_a_time_zone', 'There is no such time zone.'))),
})

const offsiteFolder = z.strictObject({
  kind: z.literal('folder'),
  folder: neededLine(1_000).check(
    z.refine((text) => /^(\/|[a-z]:\\)/i.test(text), because('not_a_folder', 'Use the whole path.')),
  ),
})
const offsiteBucket = z.strictObject({
  kind: z.literal('bucket'),
  /** Empty for Amazon. */
  endpoint: line(300).check(
    z.refine(
      (text) => text === '' || (/^https?:\/\/[^?#]+$/i.test(text) && parseUrl(text) !== undefined),
      because('not_a_link', 'Use the address of the service.'),
    ),
  ),
  region: neededLine(100),
  bucket: neededLine(255),
  /** The folder in it; may be empty. */
  prefix: line(300).check(z.regex(/^[\w./-]*$/)),
  pathStyle: z.boolean(),
  accessKeyId: neededLine(300),
})

/** Where copies of backups go. */
export const offsite = z.discriminatedUnion('kind', [offsiteFolder, offsiteBucket])
export type Offsite = z.infer<typeof offsite>

export const leastPassphrase = 12

const set = <Value extends z.ZodMiniType>(value: Value) =>
  z.strictObject({
    source: z.nullable(z.enum(['environment', 'panel'])),
    value: z.nullable(value),
    /** When its password was typed, which is never answered; null where it has none. */
    secretSetAt: z.nullable(moment),
    /** Its password cannot be read any more: the key it was encrypted with is gone. */
    isLost: z.boolean(),
  })

const settings = z.strictObject({
  mail: set(mailServer),
  /** When a test mail last went out. */
  mailTestedAt: z.nullable(moment),
  address: set(z.strictObject({ url: z.string() })),
  timeZone: set(z.strictObject({ timeZone: z.string() })),
  offsite: set(offsite),
  /** The folder for copies is on the disk of the site itself. */
  onSameDisk: z.boolean(),
  passphrase: set(z.strictObject({})),
})
export type Settings = z.infer<typeof settings>

const path = '/api/admin/settings'

export const readSettings = endpoint({
  method: 'GET',
  path,
  access: 'owner',
  summary: 'What the server is set to, without passwords.',
  reply: settings,
})

/** Left out, the password stays, for the same user of the same server. */
const mailChange = z.strictObject({ ...mailServer.shape, password: secret })

export const changeMail = endpoint({
  method: 'PUT',
  path: `${path}/mail`,
  access: 'confirmed',
  summary: 'Sets the mail server, the sender, and who is told of messages.',
  body: mailChange,
  reply: settings,
})

const mailTested = z.strictObject({ answer: z.string(), to: z.string() })

export const tryMail = endpoint({
  method: 'POST',
  path: `${path}/mail/try`,
  access: 'confirmed',
  summary: 'Sends a test mail with settings that are not stored, and answers what the mail server said.',
  body: mailChange,
  reply: mailTested,
})

export const sendTestMail = endpoint({
  method: 'POST',
  path: `${path}/mail/test`,
  access: 'owner',
  summary: 'Sends a test mail with the settings in use, and answers what the mail server said.',
  reply: mailTested,
})

export const changeAddress = endpoint({
  method: 'PUT',
  path: `${path}/address`,
  access: 'confirmed',
  summary: 'Sets the address at which visitors reach the site.',
  body: siteAddress,
  reply: settings,
})

export const changeTimeZone = endpoint({
  method: 'PUT',
  path: `${path}/time-zone`,
  access: 'confirmed',
  summary: 'Sets the time zone of the maker: of mails, nightly backups and commissions.',
  body: timeZoneChosen,
  reply: settings,
})

const offsiteChange = z.discriminatedUnion('kind', [
  offsiteFolder,
  z.strictObject({ ...offsiteBucket.shape, secretAccessKey: secret }),
])
export type OffsiteChange = z.input<typeof offsiteChange>

export const changeOffsite = endpoint({
  method: 'PUT',
  path: `${path}/offsite`,
  access: 'confirmed',
  summary: 'Sets where copies of backups go, if a small file can be written there and read back.',
  body: offsiteChange,
  reply: settings,
})

export const changePassphrase = endpoint({
  method: 'PUT',
  path: `${path}/passphrase`,
  access: 'confirmed',
  summary: 'Sets the passphrase that backups are encrypted with when they leave the server.',
  body: z.strictObject({ passphrase: z.string().check(z.minLength(leastPassphrase), z.maxLength(1_000)) }),
  reply: settings,
})

export const removeSetting = endpoint({
  method: 'DELETE',
  path: `${path}/:name`,
  access: 'confirmed',
  summary: 'Goes back to what the site came with.',
  params: z.strictObject({ name: z.enum(settingNames) }),
  reply: settings,
})

export type MailChange = z.input<typeof mailChange>
export type MailTested = ReplyOf<typeof sendTestMail>
