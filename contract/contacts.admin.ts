import { z } from 'zod/mini'
import { contactLimits, contactStates, contactsPath, spamReasons } from './contacts.fields.ts'
import { endpoint, type ReplyOf } from './endpoint.ts'
import { languages } from './languages.ts'
import { mailStates } from './mails.ts'
import { pageLimit, placeAmongContacts, placeInList } from './paging.ts'
import { done, moment, nullableText, recordId, requiredText, searchText } from './text.ts'

/** Not validated on its way out: one damaged contact must not hide the others. */
export const contactMessage = z.strictObject({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  projectType: z.nullable(z.string()),
  message: z.string(),
  createdAt: z.nullable(z.string()),
})
export type ContactMessage = z.infer<typeof contactMessage>

export const listContacts = endpoint({
  method: 'GET',
  path: contactsPath,
  access: 'admin',
  summary: 'The messages but for spam, newest first; a page of them when a limit is given.',
  query: z.strictObject({
    limit: pageLimit,
    /** The place of the last contact of the page before. */
    after: z.optional(placeInList),
  }),
  reply: z.array(contactMessage),
})

/** Where the panel reads them, and the second key under which they are cached: every change invalidates both. */
export const adminContactsKey = '/api/admin/contacts'

const contactReply = z.strictObject({
  id: z.string(),
  text: z.string(),
  createdAt: z.string(),
  /** When the mail server took it. */
  sentAt: z.nullable(z.string()),
  /** The mail it goes out with; null once that is forgotten. */
  mail: z.nullable(z.strictObject({ id: z.string(), state: z.enum(mailStates), lastError: z.nullable(z.string()) })),
})
export type ContactReply = z.infer<typeof contactReply>

/** A contact with what has become of it. Not validated on its way out either. */
const contact = z.strictObject({
  ...contactMessage.shape,
  state: z.enum(contactStates),
  language: z.nullable(z.enum(languages)),
  /** The project it is about, which may be gone by now, and what that was called. */
  about: z.nullable(z.strictObject({ id: z.string(), title: z.string() })),
  note: z.nullable(z.string()),
  spamReason: z.nullable(z.enum(spamReasons)),
  /** When an administrator last changed the state or the note. */
  changedAt: z.nullable(z.string()),
  photos: z.array(z.strictObject({ hash: z.string(), width: z.int(), height: z.int() })),
  replies: z.array(contactReply),
})
export type Contact = z.infer<typeof contact>

/** Which of them: those of one state, or all but spam; with all the words in name, address, text or note. */
const wanted = {
  state: z.optional(z.enum(contactStates)),
  search: searchText('Please search for fewer words.', 200),
}

export const searchContacts = endpoint({
  method: 'GET',
  path: adminContactsKey,
  access: 'admin',
  summary: 'A page of messages: first those that wait for an answer, the oldest first, then the others, the newest first.',
  query: z.strictObject({ ...wanted, limit: pageLimit, after: z.optional(placeAmongContacts) }),
  reply: z.strictObject({
    contacts: z.array(contact),
    /** Where the next page begins; null at the end. */
    next: z.nullable(z.string()),
    /** The place of the newest that there is, for deleting no more than was seen; null when there is none. */
    newest: z.nullable(z.string()),
  }),
})

export const readContact = endpoint({
  method: 'GET',
  path: `${adminContactsKey}/:id`,
  access: 'admin',
  summary: 'One message.',
  params: recordId,
  reply: contact,
})

export const readContactNews = endpoint({
  method: 'GET',
  path: '/api/admin/contacts-news',
  access: 'admin',
  summary: 'How many messages wait for an answer, and since when.',
  reply: z.strictObject({
    /** By the clock of the server. */
    now: moment,
    counts: z.record(z.enum(contactStates), z.int()),
    /** When the one that has waited longest arrived. */
    oldest: z.nullable(z.string()),
    /** The id of the newest but for spam. */
    newest: z.nullable(z.string()),
    /** Mails the mail server has not taken so far, or has refused. */
    troubledMails: z.int(),
  }),
})
export type ContactNews = ReplyOf<typeof readContactNews>

export const exportContacts = endpoint({
  method: 'GET',
  path: '/api/admin/contacts-csv',
  access: 'confirmed',
  summary: 'The messages as a table for a spreadsheet.',
  query: z.strictObject({ ...wanted, lang: z.optional(z.enum(languages)) }),
})

export const changeContact = endpoint({
  method: 'PUT',
  path: `${adminContactsKey}/:id`,
  access: 'admin',
  summary: 'Gives a message another state, or another note if nobody has changed that meanwhile.',
  params: recordId,
  body: z.union([
    z.strictObject({ state: z.enum(contactStates) }),
    z.strictObject({
      note: nullableText(contactLimits.message),
      /** The note it was made from. */
      was: nullableText(contactLimits.message),
    }),
  ]),
  reply: contact,
})

export const replyText = requiredText('Please write a reply.', contactLimits.reply)

export const replyToContact = endpoint({
  method: 'POST',
  path: `${adminContactsKey}/:id/replies`,
  access: 'admin',
  summary: 'Keeps a reply and puts it into the outbox, in one step; the message is answered then.',
  params: recordId,
  body: z.strictObject({
    /** Made by the browser: the same reply twice is sent once. */
    id: z.uuid(),
    text: replyText,
  }),
  reply: contact,
})

export const readContactPhoto = endpoint({
  method: 'GET',
  path: '/api/admin/contact-photos/:hash',
  access: 'admin',
  summary: 'A photo a visitor sent.',
  params: z.strictObject({ hash: z.string().check(z.regex(/^[0-9a-f]{64}$/)) }),
})

export const deleteContact = endpoint({
  method: 'DELETE',
  path: `${contactsPath}/:id`,
  access: 'admin',
  summary: 'Deletes a message for good.',
  params: recordId,
  reply: done,
})

/** At most so many can be named at once. */
export const mostNamed = 1_000
const ids = z
  .array(z.uuid('This is not the id of a message.').check(z.toLowerCase()))
  .check(z.maxLength(mostNamed, 'That is too many at once.'))

export const deleteContacts = endpoint({
  method: 'POST',
  path: `${contactsPath}/delete`,
  access: 'confirmed',
  summary: 'Deletes the named messages for good, or all up to one but for the named: what has arrived since is kept.',
  body: z.union([
    z.strictObject({ ids }),
    z.strictObject({
      /** The place of the newest one that was seen. */
      upTo: placeInList,
      except: ids,
      ...wanted,
    }),
  ]),
  reply: z.strictObject({ message: z.string(), deleted: z.int() }),
})
