import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { categories } from './gallery.ts'
import { isImageAddress } from './image-addresses.ts'
import { pageLimit, placeInList } from './paging.ts'
import { categoryAsked, project } from './projects.ts'
import { done, optionalText, recordId, requiredText, searchText } from './text.ts'

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

const notAPhoto = {
  error: 'A photo must be one uploaded here or an https:// address.',
  params: { fault: 'not_a_photo' },
}
const requiredImage = requiredText('Image is required', projectLimits.imageUrl).check(
  z.refine((text) => isImageAddress(text), notAPhoto),
)
const optionalImage = optionalText(projectLimits.beforeImageUrl).check(
  z.refine((text) => text === null || isImageAddress(text), notAPhoto),
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
const projectChanges = z.strictObject({
  ...z.partial(projectDraft).shape,
  /** The version the changes were made from; when it is not the present one, they are refused. */
  version: z.optional(z.int32('The version must be a whole number.')),
  featured: z.optional(z.boolean('Featured must be yes or no.')),
})
export type ProjectChanges = z.output<typeof projectChanges>

export const searchProjects = endpoint({
  method: 'GET',
  path: '/api/admin/projects',
  access: 'admin',
  summary: 'A page of the projects that have all the words in their names or facts, newest first, and how many there are.',
  query: z.strictObject({
    search: searchText('Please search for less.', 200),
    category: categoryAsked,
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
