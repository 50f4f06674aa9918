import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { imageFacts, isImageAddress } from './images.ts'
import { pageLimit, placeInList } from './paging.ts'
import { done, moment, optionalText, recordId, requiredText, searchText } from './text.ts'

export const categories = ['locomotive', 'aircraft', 'ships', 'automotive', 'military', 'figures'] as const
export type Category = (typeof categories)[number]

/** The most characters each text may have. */
export const projectLimits = {
  title: 200,
  description: 10_000,
  imageUrl: 2_000,
  scale: 100,
  materials: 2_000,
  techniques: 2_000,
  timeSpent: 100,
  beforeImageUrl: 2_000,
  afterImageUrl: 2_000,
  titleEs: 200,
  descriptionEs: 10_000,
  materialsEs: 2_000,
  techniquesEs: 2_000,
} as const

const imageAddressMessage = 'A photo must be one uploaded here or an https:// address.'
const requiredImage = requiredText('Image is required', projectLimits.imageUrl).check(
  z.refine((text) => isImageAddress(text), imageAddressMessage),
)
const optionalImage = optionalText(projectLimits.beforeImageUrl).check(
  z.refine((text) => text === null || isImageAddress(text), imageAddressMessage),
)

/** Everything of a project but its id and its date. */
export const projectDraft = z.strictObject({
  title: requiredText('Title is required', projectLimits.title),
  description: requiredText('Description is required', projectLimits.description),
  category: z.enum(categories, 'Category is required'),
  imageUrl: requiredImage,
  scale: optionalText(projectLimits.scale),
  materials: optionalText(projectLimits.materials),
  techniques: optionalText(projectLimits.techniques),
  timeSpent: optionalText(projectLimits.timeSpent),
  beforeImageUrl: optionalImage,
  afterImageUrl: optionalImage,
  featured: z._default(z.boolean('Featured must be yes or no.'), false),
  titleEs: optionalText(projectLimits.titleEs),
  descriptionEs: optionalText(projectLimits.descriptionEs),
  materialsEs: optionalText(projectLimits.materialsEs),
  techniquesEs: optionalText(projectLimits.techniquesEs),
})
export type ProjectDraft = z.output<typeof projectDraft>

/** The same, every field optional: what is not sent stays as it is. */
export const projectChanges = z.strictObject({
  ...z.partial(projectDraft).shape,
  /** The version the changes were made from; when it is not the present one, they are refused. */
  version: z.optional(z.int32('The version must be a whole number.')),
  featured: z.optional(z.boolean('Featured must be yes or no.')),
})
export type ProjectChanges = z.output<typeof projectChanges>

export const project = z.strictObject({
  id: z.uuid(),
  title: z.string(),
  description: z.string(),
  category: z.enum(categories),
  imageUrl: z.string(),
  scale: z.nullable(z.string()),
  materials: z.nullable(z.string()),
  techniques: z.nullable(z.string()),
  timeSpent: z.nullable(z.string()),
  beforeImageUrl: z.nullable(z.string()),
  afterImageUrl: z.nullable(z.string()),
  featured: z.boolean(),
  createdAt: moment,
  titleEs: z.nullable(z.string()),
  descriptionEs: z.nullable(z.string()),
  materialsEs: z.nullable(z.string()),
  techniquesEs: z.nullable(z.string()),
  /** Grows with every change. */
  version: z.int(),
  image: z.nullable(imageFacts),
  beforeImage: z.nullable(imageFacts),
  afterImage: z.nullable(imageFacts),
})
export type Project = z.infer<typeof project>

/** How many models the gallery shows at first, and adds at a time. */
export const galleryPage = 24

const category = z.optional(z.enum(categories, `There is no such category. Choose one of: ${categories.join(', ')}.`))

/** Of each category, and of all. */
const projectCounts = z.strictObject({
  all: z.int(),
  ...(Object.fromEntries(categories.map((each) => [each, z.int()])) as Record<Category, z.ZodMiniInt>),
})
export type ProjectCounts = z.infer<typeof projectCounts>

export const listProjects = endpoint({
  method: 'GET',
  path: '/api/projects',
  access: 'public',
  summary: 'The projects, newest first; of one category, or all; a page of them when a limit is given.',
  query: z.strictObject({
    category,
    /** Only those that are featured. */
    featured: z.optional(z.literal('true', 'Featured can only be asked for as true.')),
    limit: pageLimit,
    /** The place of the last project of the page before. */
    after: z.optional(placeInList),
  }),
  reply: z.array(project),
})

export const countProjects = endpoint({
  method: 'GET',
  path: '/api/projects/counts',
  access: 'public',
  summary: 'How many projects there are, of each category and of all.',
  reply: projectCounts,
})

/** A project among the others of its category, or of all: which one it is, and its neighbours, around the ends. */
const projectInList = z.strictObject({
  project,
  position: z.int(),
  count: z.int(),
  previous: z.uuid(),
  next: z.uuid(),
})
export type ProjectInList = z.infer<typeof projectInList>

export const findProject = endpoint({
  method: 'GET',
  path: '/api/projects/:id',
  access: 'public',
  summary: 'One project, its place in the list and its neighbours there.',
  params: recordId,
  query: z.strictObject({ category }),
  reply: projectInList,
})

export const searchProjects = endpoint({
  method: 'GET',
  path: '/api/admin/projects',
  access: 'admin',
  summary: 'A page of the projects that have all the words in their names or facts, newest first, and how many there are.',
  query: z.strictObject({
    search: searchText('Please search for less.', 200),
    category,
    limit: pageLimit,
    after: z.optional(placeInList),
  }),
  reply: z.strictObject({ projects: z.array(project), count: z.int() }),
})

export const createProject = endpoint({
  method: 'POST',
  path: '/api/admin/projects',
  access: 'admin',
  summary: 'Adds a project.',
  body: projectDraft,
  reply: project,
})

export const updateProject = endpoint({
  method: 'PUT',
  path: '/api/admin/projects/:id',
  access: 'admin',
  summary: 'Changes the fields that are sent and keeps the rest; refuses changes made from an older version, if that is sent.',
  params: recordId,
  body: projectChanges,
  reply: project,
})

export const deleteProject = endpoint({
  method: 'DELETE',
  path: '/api/admin/projects/:id',
  access: 'admin',
  summary: 'Deletes a project for good.',
  params: recordId,
  reply: done,
})
