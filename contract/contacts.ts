import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { done, listedId, pageLimit, recordId, requiredText } from './text.ts'

/** What the contact form offers; on purpose not the gallery's categories. */
export const projectTypes = ['locomotive', 'aircraft', 'ship', 'automotive', 'militaryVehicles', 'custom'] as const
export type ProjectType = (typeof projectTypes)[number]

export const contactLimits = { name: 120, email: 254, message: 5_000 } as const

export const contactDraft = z.strictObject({
  name: requiredText('Please tell me your name.', contactLimits.name),
  email: requiredText('Please give an e-mail address.', contactLimits.email).check(
    z.email('That e-mail address does not look right.'),
  ),
  projectType: z.pipe(
    z.nullish(z.enum([...projectTypes, ''], 'There is no such project type.')),
    z.transform((type) => type || null),
  ),
  message: requiredText('Please write a message.', contactLimits.message),
  /** People never see this field; robots fill it in. */
  website: z.optional(z.string().check(z.maxLength(500))),
})
export type ContactDraft = z.output<typeof contactDraft>

/** Not judged again on its way out: one message that a disk has damaged must not hide the others. */
export const contactMessage = z.strictObject({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  projectType: z.nullable(z.string()),
  message: z.string(),
  createdAt: z.nullable(z.string()),
})
export type ContactMessage = z.infer<typeof contactMessage>

export const sendContact = endpoint({
  method: 'POST',
  path: '/api/contact',
  access: 'public',
  summary: 'Sends an inquiry to the maker. It is stored before this answers.',
  body: contactDraft,
  reply: done,
})

export const listContacts = endpoint({
  method: 'GET',
  path: '/api/contacts',
  access: 'admin',
  summary: 'The inquiries, newest first; a page of them when a limit is given.',
  query: z.strictObject({
    limit: pageLimit,
    /** The id of the last inquiry of the page before. */
    after: z.optional(listedId),
  }),
  reply: z.array(contactMessage),
})

/** A second name under which lists of inquiries may be cached; whoever changes inquiries refreshes it too. */
export const adminContactsKey = '/api/admin/contacts'

export const deleteContact = endpoint({
  method: 'DELETE',
  path: '/api/contacts/:id',
  access: 'admin',
  summary: 'Deletes an inquiry for good.',
  params: recordId,
  reply: done,
})

/** At most so many can be named at once. */
export const mostNamed = 1_000
const ids = z.array(z.uuid('This is not the id of a message.')).check(z.maxLength(mostNamed, 'Those are too many at once.'))

export const deleteContacts = endpoint({
  method: 'POST',
  path: '/api/contacts/delete',
  access: 'admin',
  summary: 'Deletes the named inquiries for good, or all up to one but for the named: what has arrived since is kept.',
  body: z.union([
    z.strictObject({ ids }),
    z.strictObject({
      /** The newest one that was seen. */
      upTo: z.uuid('This is not the id of a message.'),
      except: ids,
    }),
  ]),
  reply: z.strictObject({ message: z.string(), deleted: z.int() }),
})
