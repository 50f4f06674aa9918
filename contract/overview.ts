import { z } from 'zod/mini'
import { endpoint, type ReplyOf } from './endpoint.ts'

export const readOverview = endpoint({
  method: 'GET',
  path: '/api/admin/overview',
  access: 'admin',
  summary: 'How many projects and messages there are.',
  reply: z.strictObject({
    projects: z.int(),
    featuredProjects: z.int(),
    /** Of the projects. */
    drafts: z.int(),
    contacts: z.int(),
  }),
})

/** What a new owner does, in order. Each step is done when the site sees that it is. */
export const firstSteps = ['contact', 'hero', 'story', 'model', 'demo', 'open', 'mail', 'backup', 'copy'] as const
export type FirstStep = (typeof firstSteps)[number]

const stepsReply = z.strictObject({
  putAway: z.boolean(),
  /** Whether visitors see the page. */
  opened: z.boolean(),
  /** Null when the list was put away, and while the demo account is active: the site has no owner then. */
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
  access: 'owner',
  summary: 'Which of the first steps of a new owner are done.',
  reply: stepsReply,
})
export type FirstSteps = ReplyOf<typeof readFirstSteps>

export const putFirstStepsAway = endpoint({
  method: 'PUT',
  path: stepsPath,
  access: 'owner',
  summary: 'Puts the list of first steps away, or brings it back.',
  body: z.strictObject({ putAway: z.boolean() }),
  reply: stepsReply,
})

const demoProjectsPath = `${stepsPath}/demo-projects`
const ids = z.array(z.uuid()).check(z.maxLength(100))

export const removeDemoProjects = endpoint({
  method: 'DELETE',
  path: demoProjectsPath,
  access: 'owner',
  summary: 'Puts the models of the demo into the trash, except those that were changed.',
  reply: z.strictObject({ removed: ids }),
})

export const bringBackDemoProjects = endpoint({
  method: 'POST',
  path: `${demoProjectsPath}/bring-back`,
  access: 'owner',
  summary: 'Takes these out of the trash again.',
  body: z.strictObject({ ids: ids.check(z.minLength(1)) }),
  reply: z.strictObject({ broughtBack: z.int() }),
})

/** The site and its projects; messages and mails; backups and jobs. */
export const topics = ['content', 'contacts', 'backups'] as const
export type Topic = (typeof topics)[number]

export const watchChanges = endpoint({
  method: 'GET',
  path: '/api/admin/events',
  access: 'admin',
  summary:
    'Server-sent events: each names a topic that has changed (content, contacts or backups). 204 when too many are open.',
})
