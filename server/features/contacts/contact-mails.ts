import { createHash } from 'node:crypto'
import { defaultLanguage } from '#contract/languages.ts'
import { day, hour } from '#server/clock.ts'
import type { ContactMessageRow, ContactReplyRow, Db } from '#server/database/tables.ts'
import { readMaker } from '#server/features/site-content/site-content.queries.ts'
import { countTowards } from '#server/http/request-counts.ts'
import { composeAcknowledgement, composeContact, composeReply, oneLine } from '#server/mail/compose.rules.ts'
import type { MailSettings } from '#server/mail/mailer.ts'
import { putIntoOutbox, putIntoOutboxFor, readMailSettings } from '#server/mail/outbox.queries.ts'
import type { Site } from '#server/site.ts'
import { photosSentWith } from './photos.queries.ts'

// To be called in the transaction that stores what a mail is about. `mailer.wake()` afterwards sends it at once.

type MailSite = Pick<Site, 'config' | 'clock'>

/** Puts the mails about a new message into the outbox; none where mail is not set up. */
export async function mailContact(site: MailSite, tx: Db, contact: ContactMessageRow) {
  const {
    config: { mail, publicUrl, timeZone },
    clock,
  } = site
  if (!mail) return
  const { language, acknowledges } = await readMailSettings(tx)
  const photos = (await photosSentWith(tx, [contact.id])).get(contact.id)?.length ?? 0
  const message = {
    ...composeContact(contact, photos, { language, publicUrl, timeZone }),
    replyTo: [{ name: oneLine(contact.name, 120), address: contact.email }],
  }
  await putIntoOutboxFor(tx, mail.to, { kind: 'inquiry', contactId: contact.id, message }, clock.now())
  if (acknowledges) await acknowledge(site, tx, contact)
}

async function acknowledge({ config: { publicUrl }, clock }: MailSite, tx: Db, { id, email, language }: ContactMessageRow) {
  if (!(await mayAcknowledge(tx, email, clock.now()))) return
  const maker = await readMaker(tx)
  const message = {
    to: email,
    ...composeAcknowledgement({ language: language ?? defaultLanguage, publicUrl, brand: maker.brand }),
    // The address on the page: those that read the messages may be private, and anyone can cause this mail.
    replyTo: [{ name: maker.brand, address: maker.email }],
  }
  await putIntoOutbox(tx, { kind: 'acknowledgement', contactId: id, message }, clock.now())
}

/** Puts a reply of the maker into the outbox. */
export async function mailReply(tx: Db, { to }: MailSettings, { contact, reply }: Answered, now: Date) {
  const { brand } = await readMaker(tx)
  const message = {
    to: contact.email,
    ...composeReply(contact, reply.text, { language: contact.language ?? defaultLanguage, brand }),
    replyTo: [...to],
  }
  await putIntoOutbox(tx, { kind: 'reply', contactId: contact.id, replyId: reply.id, message }, now)
}

type Answered = { contact: ContactMessageRow; reply: ContactReplyRow }

/**
 * Anyone can enter any address in the form: one acknowledgement a day for each address, and few an hour for all. Dots and what
 * follows a plus sign do not count, because one mailbox has any number of such addresses.
 */
const acknowledgementLimits = { eachAddress: 1, allAddresses: 60 }

async function mayAcknowledge(tx: Db, email: string, now: Date) {
  const mailbox = email.toLowerCase().replace(/(\+[^@]*|\.)(?=[^@]*@)/g, '')
  const address = createHash('sha256').update(`acknowledgement ${mailbox}`).digest('hex')
  const own = await countTowards(tx, address, { amount: 1, now, timeWindow: day })
  if (own.count > acknowledgementLimits.eachAddress) return false
  const all = await countTowards(tx, 'all acknowledgements', { amount: 1, now, timeWindow: hour })
  return all.count <= acknowledgementLimits.allAddresses
}
