import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { projectPath } from './first-visit.ts'
import { categoryAsked, project, projectName } from './projects.ts'

/** A project among the others of its category, or of all: which one it is, and its neighbours, around the ends. */
const projectInList = z.strictObject({
  project,
  position: z.int(),
  count: z.int(),
  /** Their slugs. */
  previous: z.string(),
  next: z.string(),
})
export type ProjectInList = z.infer<typeof projectInList>

export const findProject = endpoint({
  method: 'GET',
  path: projectPath,
  access: 'public',
  summary:
    'One project by its id or an address of it, its place in the list and its neighbours there; a draft for administrators only.',
  params: projectName,
  query: z.strictObject({ category: categoryAsked }),
  reply: projectInList,
})
