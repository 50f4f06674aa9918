import { createHash } from 'node:crypto'
import { defaultLanguage, type Language } from '#contract/languages.ts'
import { type Clock, day, hour } from '#server/clock.ts'
import type { ContactMessageRow, ContactReplyRow, Db } from '#server/database/tables.ts'
import { readMaker } from '#server/features/site-content/site-content.queries.ts'
import { countTowards } from '#server/http/request-counts.ts'
import { composeAcknowledgement, composeContact, composeReply, oneLine } from '#server/mail/compose.rules.ts'
import type { Mailer } from '#server/mail/mailer.ts'
import { putIntoOutbox, putIntoOutboxFor, readMailSettings } from '#server/mail/outbox.queries.ts'
import { photosSentWith } from './photos.queries.ts'

/** The mails that messages cause. */
export type ContactMails = {
  /** Whether there is a mail server that takes them. */
  isOn: boolean
  /** Puts those of a message that has just arrived into the outbox, in the transaction that stores it; spam causes none. */
  ofContact(tx: Db, contact: ContactMessageRow): Promise<void>
  /** The same with a reply of the maker; only while there is a mail server. */
  ofReply(tx: Db, contact: ContactMessageRow, reply: ContactReplyRow): Promise<void>
  /** To be called when that transaction is done: what is in the outbox is sent now, and not only with the next round. */
  wake(): void
}

/** Where no mail server is set up. */
export const noMails: ContactMails = {
  isOn: false,
  ofContact: async () => {},
  ofReply: async () => {},
  wake: () => {},
}

type Parts = { mailer: Mailer; clock: Clock; publicUrl: string | undefined }

export function createContactMails({ mailer: { to: makers, wake }, clock, publicUrl }: Parts): ContactMails {
  async function tellMaker(tx: Db, contact: ContactMessageRow, language: Language) {
    const photos = (await photosSentWith(tx, [contact.id])).get(contact.id)?.length ?? 0
    const message = {
      ...composeContact(contact, photos, { language, publicUrl }),
      replyTo: [{ name: oneLine(contact.name, 120), address: contact.email }],
    }
    await putIntoOutboxFor(tx, makers, { kind: 'inquiry', contactId: contact.id, message }, clock.now())
  }

  async function tellVisitor(tx: Db, { id, email, language }: ContactMessageRow) {
    if (!(await mayAcknowledge(tx, email, clock.now()))) return
    const maker = await readMaker(tx)
    const message = {
      to: email,
      ...composeAcknowledgement({ language: language ?? defaultLanguage, publicUrl, brand: maker.brand }),
      // The address on the page: whoever enters one of their own here learns no other.
      replyTo: [{ name: maker.brand, address: maker.email }],
    }
    await putIntoOutbox(tx, { kind: 'acknowledgement', contactId: id, message }, clock.now())
  }

  return {
    isOn: true,
    async ofContact(tx, contact) {
      const { language, acknowledges } = await readMailSettings(tx)
      await tellMaker(tx, contact, language)
      if (acknowledges) await tellVisitor(tx, contact)
    },
    async ofReply(tx, contact, { id, text }) {
      const { brand } = await readMaker(tx)
      const message = {
        to: contact.email,
        ...composeReply(contact, text, { language: contact.language ?? defaultLanguage, brand }),
        replyTo: [...makers],
      }
      await putIntoOutbox(tx, { kind: 'reply', contactId: contact.id, replyId: id, message }, clock.now())
    },
    wake,
  }
}

/**
 * Anyone can enter anybody's address: one a day for each, and not many an hour for all. Dots and what follows a plus sign do not
 * count, because many mailboxes have endless such addresses.
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
