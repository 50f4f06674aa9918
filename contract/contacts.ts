import { z } from 'zod/mini'
import { contactLimits, contactPath, projectTypes } from './contacts.fields.ts'
import { endpoint } from './endpoint.ts'
import { done, requiredText } from './text.ts'

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

export const sendContact = endpoint({
  method: 'POST',
  path: contactPath,
  access: 'public',
  summary: 'Sends an inquiry to the maker. It is stored before this answers.',
  body: contactDraft,
  reply: done,
})
