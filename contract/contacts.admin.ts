import { z } from 'zod/mini'
import { contactLimits } from './contact-fields.ts'
import { endpoint, type ReplyOf } from './endpoint.ts'
import { languages } from './languages.ts'
import { mailStates } from './mails.ts'
import { pageLimit, placeAmongContacts, placeInList } from './paging.ts'
import { done, moment, nullableText, recordId, requiredText, searchText } from './text.ts'

/** Where contacts are read, and the key under which they are cached: sending one invalidates it. */
export const contactsPath = '/api/contacts'

/** Names the message that the panel opens: `/admin?inquiry=<id>` in mails. Signing in keeps it. */
export const contactKey = 'inquiry'

/** Spam is kept out of sight; of the others, new ones wait for an answer. */
export const contactStates = ['new', 'answered', 'quoted', 'closed', 'spam'] as const
export type ContactState = (typeof contactStates)[number]

/** What made a message look like spam. */
export const spamReasons = ['hidden_field', 'too_fast', 'many_links', 'known_pattern', 'marked'] as const
export type SpamReason = (typeof spamReasons)[number]

/** The site promises an answer within this time. */
export const answerWithinHours = 48
/** With fewer left a message is urgent. */
export const urgentBelowHours = 12

/** To one message: it must fit into a backup with all of them. */
export const mostReplies = 100

/** A restored message may have any text as its type, `constructor` among them. */
export function projectTypeName(names: Readonly<Record<string, string>>, type: string) {
  return (Object.hasOwn(names, type) && names[type]) || type
}

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
  summary: 'The messages without spam, newest first; a page of them with a limit.',
  query: z.strictObject({
    limit: pageLimit,
    /** The place of the last contact of the page before. */
    after: z.optional(placeInList),
    with: z.optional(z.literal('state', 'Only the state can be asked for.')),
  }),
  reply: z.array(z.strictObject({ ...contactMessage.shape, state: z.optional(z.enum(contactStates)) })),
})

/** Where the panel reads them, and the second key under which they are cached: every change invalidates both. */
export const adminContactsKey = '/api/admin/contacts'

const contactReply = z.strictObject({
  id: z.string(),
  text: z.string(),
  createdAt: z.string(),
  /** When the mail server took it. */
  sentAt: z.nullable(z.string()),
  /** The mail it is sent with; null once that is removed from the outbox. */
  mail: z.nullable(z.strictObject({ id: z.string(), state: z.enum(mailStates), lastError: z.nullable(z.string()) })),
})
export type ContactReply = z.infer<typeof contactReply>

/** A contact with its state, replies and photos. Not validated on its way out either. */
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

/** Those of one state, or all but spam; with all the words in name, address, text or note. */
const filter = {
  state: z.optional(z.enum(contactStates)),
  search: searchText('Please search for fewer words.', 200),
}

export const searchContacts = endpoint({
  method: 'GET',
  path: adminContactsKey,
  access: 'admin',
  summary: 'A page of messages: first those that wait for an answer, the oldest first, then the others, the newest first.',
  query: z.strictObject({ ...filter, limit: pageLimit, after: z.optional(placeAmongContacts) }),
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
  summary: 'How many messages wait for an answer, and the first of them.',
  reply: z.strictObject({
    /** By the clock of the server. */
    now: moment,
    counts: z.record(z.enum(contactStates), z.int()),
    /** The first ones, that have waited longest, with the hash of their first photo. */
    waiting: z.array(
      z.strictObject({ id: z.string(), name: z.string(), createdAt: z.string(), photo: z.nullable(z.string()) }),
    ),
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
  query: z.strictObject({ ...filter, lang: z.optional(z.enum(languages)) }),
})

export const changeContact = endpoint({
  method: 'PUT',
  path: `${adminContactsKey}/:id`,
  access: 'admin',
  summary: 'Changes the state of a message, or its note unless that was changed since.',
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
  summary: 'Stores a reply, puts it into the outbox and marks the message as answered, in one step.',
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
  summary: 'A photo a visitor sent, or a small copy of it for a list.',
  params: z.strictObject({ hash: z.string().check(z.regex(/^[0-9a-f]{64}$/)) }),
  query: z.strictObject({ size: z.optional(z.literal('small', 'There is only a small copy.')) }),
})

export const deleteContact = endpoint({
  method: 'DELETE',
  path: `${contactsPath}/:id`,
  access: 'confirmed',
  summary: 'Deletes a message for good.',
  params: recordId,
  reply: done,
})

/** At most so many ids in one call. */
export const mostNamed = 1_000
const ids = z
  .array(z.uuid('This is not the id of a message.').check(z.toLowerCase()))
  .check(z.maxLength(mostNamed, 'That is too many at once.'))

export const deleteContacts = endpoint({
  method: 'POST',
  path: `${contactsPath}/delete`,
  access: 'confirmed',
  summary:
    'Deletes messages for good: those with these ids, or all up to one except those with these ids. What has arrived since is kept.',
  body: z.union([
    z.strictObject({ ids }),
    z.strictObject({
      /** The place of the newest one that was seen. */
      upTo: placeInList,
      except: ids,
      ...filter,
    }),
  ]),
  reply: z.strictObject({ message: z.string(), deleted: z.int() }),
})
