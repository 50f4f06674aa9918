import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { pageLimit, placeInList } from './paging.ts'
import { projectInput } from './project-fields.ts'
import { categoryAsked, project } from './projects.ts'
import { done, recordId, searchText } from './text.ts'

/** What is entered, with every field optional: what is not sent stays as it is. */
const projectChanges = z.strictObject({
  ...z.partial(projectInput).shape,
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
  body: projectInput,
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
