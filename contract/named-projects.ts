import { z } from 'zod/mini'

/** Projects a sentence names: the first few by their titles, and how many besides; and whether the site itself is meant as well. */
export const namedProjects = { projects: z.array(z.string()), others: z.int(), site: z.optional(z.literal(true)) }
export type NamedProjects = { projects: string[]; others: number; site?: true | undefined }

/** Who sent a photo with a message. */
export const sender = { sentBy: z.string() }
/** What a person knows a photo by. */
export type PhotoOwners = NamedProjects | { sentBy: string }
