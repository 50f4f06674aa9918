import { z } from 'zod/mini'
import { contactsPath } from './contacts.fields.ts'
import { endpoint } from './endpoint.ts'
import { pageLimit, placeInList } from './paging.ts'
import { done, recordId } from './text.ts'

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
  summary: 'The inquiries, newest first; a page of them when a limit is given.',
  query: z.strictObject({
    limit: pageLimit,
    /** The place of the last contact of the page before. */
    after: z.optional(placeInList),
  }),
  reply: z.array(contactMessage),
})

/** A second key under which lists of contacts may be cached: every change invalidates both. */
export const adminContactsKey = '/api/admin/contacts'

export const deleteContact = endpoint({
  method: 'DELETE',
  path: `${contactsPath}/:id`,
  access: 'admin',
  summary: 'Deletes an inquiry for good.',
  params: recordId,
  reply: done,
})

/** At most so many can be named at once. */
export const mostNamed = 1_000
const ids = z
  .array(z.uuid('This is not the id of a message.').check(z.toLowerCase()))
  .check(z.maxLength(mostNamed, 'Those are too many at once.'))

export const deleteContacts = endpoint({
  method: 'POST',
  path: `${contactsPath}/delete`,
  access: 'admin',
  summary: 'Deletes the named inquiries for good, or all up to one but for the named: what has arrived since is kept.',
  body: z.union([
    z.strictObject({ ids }),
    z.strictObject({
      /** The place of the newest one that was seen. */
      upTo: placeInList,
      except: ids,
    }),
  ]),
  reply: z.strictObject({ message: z.string(), deleted: z.int() }),
})
