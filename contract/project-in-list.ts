import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { projectPath } from './gallery.ts'
import { categoryAsked, project } from './projects.ts'
import { recordId } from './text.ts'

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
  path: projectPath,
  access: 'public',
  summary: 'One project, its place in the list and its neighbours there.',
  params: recordId,
  query: z.strictObject({ category: categoryAsked }),
  reply: projectInList,
})
