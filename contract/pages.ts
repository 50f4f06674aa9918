import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { adminPath, categories, galleryMost, galleryPage, signInPath } from './first-visit.ts'
import { languages } from './languages.ts'

const galleryLengths = Array.from({ length: galleryMost / galleryPage }, (_, index) => String((index + 1) * galleryPage))

// Mail programs and search engines add parameters to links: unknown or wrong ones are ignored.
const pageQuery = z.object({
  lang: z.catch(z.optional(z.enum(languages)), undefined),
  /** The id of one, or an address it has or had. */
  project: z.catch(z.optional(z.string().check(z.minLength(1))), undefined),
  category: z.catch(z.optional(z.enum(categories)), undefined),
  /** The project the contact form is about, by its id or an address it has or had. */
  about: z.catch(z.optional(z.string().check(z.minLength(1))), undefined),
  /** How many models of the gallery, where no script adds the others. */
  shown: z.catch(z.optional(z.enum(galleryLengths)), undefined),
  /** For an administrator: the words and pictures of the draft, or of the version of that number. */
  preview: z.catch(z.optional(z.string().check(z.regex(/^(draft|\d{1,9})$/))), undefined),
})

export const homePage = endpoint({
  method: 'GET',
  path: '/',
  access: 'public',
  summary: 'The public page; with one project open, or the gallery of one category, when the address names it.',
  query: pageQuery,
})

/** The form as browsers send it by themselves, with its photos: multipart, or urlencoded without them. */
export const sendFromPage = endpoint({
  method: 'POST',
  path: '/',
  access: 'public',
  summary: 'The contact form without a script: the public page comes back with the answer in it.',
  query: pageQuery,
})

export const readAsset = endpoint({
  method: 'GET',
  path: '/assets/*',
  access: 'public',
  summary: 'Scripts, styles, fonts and pictures of the site itself.',
})

export const robots = endpoint({
  method: 'GET',
  path: '/robots.txt',
  access: 'public',
  summary: 'What search engines may visit.',
})

export const securityText = endpoint({
  method: 'GET',
  path: '/.well-known/security.txt',
  access: 'public',
  summary: 'Where to report a vulnerability.',
})

export const sitemap = endpoint({ method: 'GET', path: '/sitemap.xml', access: 'public', summary: 'The pages of the site.' })

export const adminPage = endpoint({
  method: 'GET',
  path: adminPath,
  access: 'public',
  summary: 'The dashboard; leads to the sign-in page when signed out.',
})

export const signInPage = endpoint({
  method: 'GET',
  path: signInPath,
  access: 'public',
  summary: 'The sign-in page; leads to the dashboard when signed in, unless it was opened by a link in a mail.',
})

export const describeApi = endpoint({
  method: 'GET',
  path: '/api/openapi.json',
  access: 'public',
  summary: 'This description.',
})
