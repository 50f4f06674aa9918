import { z } from 'zod/mini'
import { endpoint, type ReplyOf } from './endpoint.ts'

/** What a new owner sees to, in order. Each is done when the site says so; nobody ticks it off. */
export const firstSteps = ['contact', 'hero', 'model', 'demo', 'mail', 'backup', 'copy'] as const
export type FirstStep = (typeof firstSteps)[number]

const stepsReply = z.strictObject({
  putAway: z.boolean(),
  /** Null when the list has been put away, and while the demo account is active: nobody owns the site then. */
  steps: z.nullable(
    z.strictObject({
      done: z.array(z.enum(firstSteps)),
      /** How many models of the demo are left. */
      demoProjects: z.int(),
    }),
  ),
})

const stepsPath = '/api/admin/first-steps'

export const readFirstSteps = endpoint({
  method: 'GET',
  path: stepsPath,
  access: 'admin',
  summary: 'Which of the first steps of a new owner are done.',
  reply: stepsReply,
})
export type FirstSteps = ReplyOf<typeof readFirstSteps>

export const putFirstStepsAway = endpoint({
  method: 'PUT',
  path: stepsPath,
  access: 'admin',
  summary: 'Puts the list of first steps away, or brings it back.',
  body: z.strictObject({ putAway: z.boolean() }),
  reply: stepsReply,
})

const demoProjectsPath = `${stepsPath}/demo-projects`
const ids = z.array(z.uuid()).check(z.maxLength(100))

export const removeDemoProjects = endpoint({
  method: 'DELETE',
  path: demoProjectsPath,
  access: 'admin',
  summary: 'Puts the models of the demo into the trash, but for those that somebody has rewritten.',
  reply: z.strictObject({ removed: ids }),
})

export const bringBackDemoProjects = endpoint({
  method: 'POST',
  path: `${demoProjectsPath}/bring-back`,
  access: 'admin',
  summary: 'Takes these out of the trash again.',
  body: z.strictObject({ ids: ids.check(z.minLength(1)) }),
  reply: z.strictObject({ broughtBack: z.int() }),
})
