import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { type Category, categories, countsPath, projectsPath } from './first-visit.ts'
import { imageFacts } from './images.ts'
import { pageLimit, placeByRank } from './paging.ts'
import { storedFields, storedPhoto, translatedFields } from './project-fields.ts'
import { moment } from './text.ts'

const photo = z.strictObject({ ...storedPhoto.shape, image: z.nullable(imageFacts) })
export type ProjectPhoto = z.infer<typeof photo>

export const project = z.strictObject({
  id: z.uuid(),
  /** The last part of its readable address. */
  slug: z.string(),
  ...storedFields,
  photos: z.array(photo),
  /** Those of its texts that are not in the site's own language: they are answered in another one. */
  fallbacks: z.optional(z.array(z.enum(translatedFields))),
  /** The projects are shown from the highest to the lowest. */
  rank: z.number(),
  createdAt: moment,
  /** Grows with every change. */
  version: z.int(),
  image: z.nullable(imageFacts),
  beforeImage: z.nullable(imageFacts),
  afterImage: z.nullable(imageFacts),
})
export type Project = z.infer<typeof project>

/** By its id, or by an address it has or had. */
export const projectName = z.strictObject({ id: z.string() })

export const categoryAsked = z.optional(
  z.enum(categories, `There is no such category. Choose one of: ${categories.join(', ')}.`),
)

/** Of each category, and of all. */
const projectCounts = z.strictObject({
  all: z.int(),
  ...(Object.fromEntries(categories.map((each) => [each, z.int()])) as Record<Category, z.ZodMiniInt>),
})
export type ProjectCounts = z.infer<typeof projectCounts>

export const listProjects = endpoint({
  method: 'GET',
  path: projectsPath,
  access: 'public',
  summary: 'The published projects in the maker’s order; of one category, or all; a page of them when a limit is given.',
  query: z.strictObject({
    category: categoryAsked,
    /** Only those that are featured, or those that the page shows as featured after all others, which takes a limit. */
    featured: z.optional(z.enum(['true', 'last'], 'Featured can only be asked for as true or last.')),
    limit: pageLimit,
    /** The place of the last project of the page before. */
    after: z.optional(placeByRank),
  }),
  reply: z.array(project),
})

export const countProjects = endpoint({
  method: 'GET',
  path: countsPath,
  access: 'public',
  summary: 'How many projects there are, of each category and of all.',
  reply: projectCounts,
})

/** Would be taken for another call, or for an id. */
const reserved = /^(counts|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/

export function isReserved(slug: string) {
  return reserved.test(slug)
}

/** The last part of a readable address. */
export const slug = z.string().check(
  z.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'This is not an address.'),
  z.maxLength(120),
  z.refine((text) => !isReserved(text), 'This address means something else.'),
)

/** As many of one project as a backup holds. */
export const mostAddresses = 200
