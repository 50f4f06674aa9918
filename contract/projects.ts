import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { imageFacts, isImageAddress } from './images.ts'
import { done, moment, optionalText, recordId, requiredText } from './text.ts'

export const categories = ['locomotive', 'aircraft', 'ships', 'automotive', 'military', 'figures'] as const
export type Category = (typeof categories)[number]

const imageAddressMessage = 'A photo must be one uploaded here or an https:// address.'
const requiredImage = requiredText('Image is required', 2_000).refine((text) => isImageAddress(text), imageAddressMessage)
const optionalImage = optionalText(2_000).refine((text) => text === null || isImageAddress(text), imageAddressMessage)

/** Everything of a project but its id and its date. */
export const projectDraft = z.strictObject({
  title: requiredText('Title is required', 200),
  description: requiredText('Description is required'),
  category: z.enum(categories, 'Category is required'),
  imageUrl: requiredImage,
  scale: optionalText(100),
  materials: optionalText(2_000),
  techniques: optionalText(2_000),
  timeSpent: optionalText(100),
  beforeImageUrl: optionalImage,
  afterImageUrl: optionalImage,
  featured: z.boolean('Featured must be yes or no.').default(false),
  titleEs: optionalText(200),
  descriptionEs: optionalText(),
  materialsEs: optionalText(2_000),
  techniquesEs: optionalText(2_000),
})
export type ProjectDraft = z.output<typeof projectDraft>

/** The same, every field optional: what is not sent stays as it is. */
export const projectChanges = z.strictObject({
  ...projectDraft.partial().shape,
  featured: z.boolean('Featured must be yes or no.').optional(),
})
export type ProjectChanges = z.output<typeof projectChanges>

export const project = z.strictObject({
  id: z.uuid(),
  title: z.string(),
  description: z.string(),
  category: z.enum(categories),
  imageUrl: z.string(),
  scale: z.string().nullable(),
  materials: z.string().nullable(),
  techniques: z.string().nullable(),
  timeSpent: z.string().nullable(),
  beforeImageUrl: z.string().nullable(),
  afterImageUrl: z.string().nullable(),
  featured: z.boolean(),
  createdAt: moment,
  titleEs: z.string().nullable(),
  descriptionEs: z.string().nullable(),
  materialsEs: z.string().nullable(),
  techniquesEs: z.string().nullable(),
  image: imageFacts.nullable(),
  beforeImage: imageFacts.nullable(),
  afterImage: imageFacts.nullable(),
})
export type Project = z.infer<typeof project>

export const listProjects = endpoint({
  method: 'GET',
  path: '/api/projects',
  access: 'public',
  summary: 'The projects, newest first; of one category, or all.',
  query: z.strictObject({
    category: z.enum(categories, `There is no such category. Choose one of: ${categories.join(', ')}.`).optional(),
  }),
  reply: z.array(project),
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
  summary: 'Changes the fields that are sent and keeps the rest.',
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
