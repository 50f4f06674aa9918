import { z } from 'zod/mini'
import { endpoint, type ReplyOf } from './endpoint.ts'
import { languages } from './languages.ts'
import { done, recordId } from './text.ts'

/** The first three go to the maker, the next two to a visitor, the others to the owner of an account. */
const mailKinds = ['inquiry', 'reminder', 'backup', 'acknowledgement', 'reply', 'address', 'password', 'new_device'] as const
export type MailKind = (typeof mailKinds)[number]

/** Failed ones are not retried automatically. */
export const mailStates = ['waiting', 'sent', 'failed'] as const
export type MailState = (typeof mailStates)[number]

export type MailAddress = { name: string; address: string }

/** `ana@example.com`, or with a name before it: `Ana <ana@example.com>`. */
export function mailAddressIn(text: string): MailAddress | undefined {
  const [, name = '', address = text.trim()] = /^([^<>\r\n]*)<([^<>]+)>\s*$/.exec(text) ?? []
  if (!z.email().safeParse(address).success) return undefined
  return { name: name.trim().replace(/^"(.*)"$/, '$1'), address }
}

/** Several, with commas between them. */
export function mailAddressesIn(text: string): MailAddress[] | undefined {
  const addresses = (text.match(/(?:"[^"]*"|[^,"])+/g) ?? []).filter((part) => part.trim() !== '').map(mailAddressIn)
  return addresses.length > 0 && addresses.every((address) => address !== undefined) ? addresses : undefined
}

export function shownAddress({ name, address }: MailAddress) {
  return name ? `${name} <${address}>` : address
}

const mail = z.strictObject({
  id: z.string(),
  kind: z.enum(mailKinds),
  state: z.enum(mailStates),
  to: z.string(),
  subject: z.string(),
  contactId: z.nullable(z.string()),
  attempts: z.int(),
  /** What the mail server said the last time. */
  lastError: z.nullable(z.string()),
  nextAttemptAt: z.string(),
  createdAt: z.string(),
})
export type Mail = z.infer<typeof mail>

const mailSettings = z.strictObject({
  /** Whether visitors get a mail that says their message has arrived. */
  acknowledges: z.boolean(),
  /** The one the panel was last used in: mails to the maker are in it. */
  language: z.enum(languages),
})

const mailsPath = '/api/admin/mails'

export const readMails = endpoint({
  method: 'GET',
  path: mailsPath,
  access: 'admin',
  summary: 'Whether mail is set up, and which mails the mail server has not taken.',
  reply: z.strictObject({
    /** Null while there is no mail server. */
    setUp: z.nullable(z.strictObject({ from: z.string(), to: z.string() })),
    settings: mailSettings,
    /** Refused, or tried in vain so far; the newest first, at most a hundred. */
    troubled: z.array(mail),
  }),
})
export type Mails = ReplyOf<typeof readMails>

export const changeMailSettings = endpoint({
  method: 'PUT',
  path: mailsPath,
  access: 'owner',
  summary: 'Changes which mails are sent, and in which language.',
  body: z.partial(mailSettings),
  reply: mailSettings,
})

export const retryMail = endpoint({
  method: 'POST',
  path: `${mailsPath}/:id/retry`,
  access: 'admin',
  summary: 'Tries a mail again now, and for two more days.',
  params: recordId,
  reply: mail,
})

export const dismissMail = endpoint({
  method: 'DELETE',
  path: `${mailsPath}/:id`,
  access: 'owner',
  summary: 'Gives up a mail that could not be sent.',
  params: recordId,
  reply: done,
})
