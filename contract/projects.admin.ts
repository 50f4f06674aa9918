import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { type PlaceInTrash, pageLimit, placeByRank, placeInTrash } from './paging.ts'
import { changedFields, projectInput } from './project-fields.ts'
import { categoryAsked, project } from './projects.ts'
import { done, moment, recordId, searchText } from './text.ts'

const projectChanges = z.strictObject({
  ...changedFields,
  /** The version the changes were made from; when it is not the present one, they are refused. */
  version: z.optional(z.int32('The version must be a whole number.')),
})
export type ProjectChanges = z.output<typeof projectChanges>

export const searchProjects = endpoint({
  method: 'GET',
  path: '/api/admin/projects',
  access: 'admin',
  summary:
    'A page of the projects that have all the words in their names or facts, drafts among them, in their order; and how many there are.',
  query: z.strictObject({
    search: searchText('Please search for less.', 200),
    category: categoryAsked,
    /** Only those that are not published. */
    draft: z.optional(z.literal('true', 'Drafts can only be asked for as true.')),
    limit: pageLimit,
    after: z.optional(placeByRank),
  }),
  reply: z.strictObject({
    projects: z.array(project),
    count: z.int(),
    /** Those that the front page shows under Featured, in their order. */
    frontPage: z.array(z.uuid()),
  }),
})

/** Directly before or behind another one. */
export const moveProject = endpoint({
  method: 'PUT',
  path: '/api/admin/projects/:id/place',
  access: 'admin',
  summary: 'Moves a project in the order to directly before or behind another one.',
  params: recordId,
  body: z.union([z.strictObject({ before: z.uuid() }), z.strictObject({ after: z.uuid() })], {
    error: 'Say which project it should come before or after.',
  }),
  reply: project,
})

const changeQuery = z.strictObject({ with: z.optional(z.literal('frontPage', 'Only the front page can be asked for.')) })

/** A project as it is now; if asked for, with what the front page shows under Featured since and before, in its order. */
const changedProject = z.strictObject({
  ...project.shape,
  frontPage: z.optional(
    z.strictObject({
      shown: z.array(z.strictObject({ id: z.uuid(), title: z.string(), translations: project.shape.translations })),
      before: z.array(z.uuid()),
    }),
  ),
})
export type ChangedProject = z.output<typeof changedProject>

export const createProject = endpoint({
  method: 'POST',
  path: '/api/admin/projects',
  access: 'admin',
  summary: 'Adds a project.',
  query: changeQuery,
  body: projectInput,
  reply: changedProject,
})

export const updateProject = endpoint({
  method: 'PUT',
  path: '/api/admin/projects/:id',
  access: 'admin',
  summary: 'Changes the fields that are sent and keeps the rest; refuses changes made from an older version, if that is sent.',
  params: recordId,
  query: changeQuery,
  body: projectChanges,
  reply: changedProject,
})

export const deleteProject = endpoint({
  method: 'DELETE',
  path: '/api/admin/projects/:id',
  access: 'admin',
  summary: 'Puts a project into the trash for 30 days.',
  params: recordId,
  reply: done,
})

/** How long a deleted project can be restored. */
export const daysInTrash = 30

const deletedProject = z.strictObject({ ...project.shape, deletedAt: moment })
export type DeletedProject = z.infer<typeof deletedProject>

/** Where the next page of the trash begins. Not beside the other places, which visitors fetch with all that is in their file. */
export const placeInTrashOf = ({ deletedAt, id }: PlaceInTrash) => `${deletedAt},${id}`

export const listTrash = endpoint({
  method: 'GET',
  path: '/api/admin/trash',
  access: 'admin',
  summary: 'A page of the deleted projects, the last deleted first, and how many there are.',
  query: z.strictObject({ limit: pageLimit, after: z.optional(placeInTrash) }),
  reply: z.strictObject({ projects: z.array(deletedProject), count: z.int() }),
})

export const restoreProject = endpoint({
  method: 'POST',
  path: '/api/admin/trash/:id/restore',
  access: 'admin',
  summary: 'Takes a project out of the trash, to where it was.',
  params: recordId,
  reply: project,
})

export const removeDeleted = endpoint({
  method: 'DELETE',
  path: '/api/admin/trash/:id',
  access: 'confirmed',
  summary: 'Removes a deleted project for good.',
  params: recordId,
  reply: done,
})

export const emptyTrash = endpoint({
  method: 'DELETE',
  path: '/api/admin/trash',
  access: 'confirmed',
  summary: 'Removes the deleted projects for good; up to a place in the trash, if one is told, and not those deleted since.',
  query: z.strictObject({ upTo: z.optional(placeInTrash) }),
  reply: z.strictObject({ ...done.shape, removed: z.int() }),
})
