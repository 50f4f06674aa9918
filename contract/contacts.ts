import { z } from 'zod/mini'
import { contactLimits, contactPath, contactPhotosPath, mostContactPhotos, projectTypes } from './contact-fields.ts'
import { endpoint } from './endpoint.ts'
import { languages } from './languages.ts'
import { moment, requiredText } from './text.ts'

/** Stands for a photo that was taken, in the browser that sent it. */
const photoTicket = z.string().check(z.regex(/^[\w-]{43}$/, 'This is not a photo that was taken here.'))

export const contactDraft = z.strictObject({
  name: requiredText('Please tell me your name.', contactLimits.name),
  email: requiredText('Please enter your email address.', contactLimits.email).check(
    z.email('That email address does not look right.'),
  ),
  projectType: z.pipe(
    z.nullish(z.enum([...projectTypes, ''], 'There is no such project type.')),
    z.transform((type) => type || null),
  ),
  message: requiredText('Please write a message.', contactLimits.message),
  /** A hidden field: only robots fill it in. */
  website: z.optional(z.string().check(z.maxLength(500))),
  /** The project it is about, by its id or an address it has or had; one that is not there is left out. */
  about: z.optional(z.string().check(z.maxLength(200))),
  /** The one the visitor reads the page in. */
  language: z.optional(z.enum(languages)),
  /** Expired ones are left out, and counted in the answer. */
  photos: z.optional(z.array(photoTicket).check(z.maxLength(mostContactPhotos, 'Please send at most four photos.'))),
  /** Milliseconds since the page was opened, where a script knows. */
  elapsed: z.optional(z.number().check(z.nonnegative())),
})
export type ContactDraft = z.output<typeof contactDraft>

export const sendContact = endpoint({
  method: 'POST',
  path: contactPath,
  access: 'public',
  summary: 'Sends a message to the maker. It is stored before this answers.',
  body: contactDraft,
  reply: z.strictObject({
    message: z.string(),
    /** When the maker will have answered. */
    answerBy: moment,
    /** How many of the photos were not there any more; the message is stored all the same. */
    photosLost: z.optional(z.int()),
  }),
})

export const sendContactPhoto = endpoint({
  method: 'POST',
  path: contactPhotosPath,
  access: 'public',
  summary: 'Takes the bytes of a photo for a message, at most 10 MB. Kept for a day, and with the message once that is sent.',
  reply: z.strictObject({ photo: photoTicket }),
})
