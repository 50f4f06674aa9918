import { z } from 'zod/mini'

/** Projects a sentence names: the first few by their titles, and how many besides. */
export const namedProjects = { projects: z.array(z.string()), others: z.int() }
export type NamedProjects = { projects: string[]; others: number }

/** Who sent a photo with a message. */
export const sender = { sentBy: z.string() }
/** What a person knows a photo by. */
export type PhotoOwners = NamedProjects | { sentBy: string }
