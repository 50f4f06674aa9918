import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'

/**
 * What the owner should see to, in words of the panel: the demo account still has its password; a proxy in front is not
 * trusted; everybody seems to come from one address; the site does not know its own address; the backup of a night, its copy
 * or trying it out has failed; the clock of the machine jumped.
 */
const warnings = ['demo_account', 'proxy_not_trusted', 'one_visitor', 'no_public_url', 'backup_failed', 'clock_jumped'] as const
export type Warning = (typeof warnings)[number]

export const readOverview = endpoint({
  method: 'GET',
  path: '/api/admin/overview',
  access: 'admin',
  summary: 'How much there is, and what the owner should see to.',
  reply: z.strictObject({
    projects: z.int(),
    featuredProjects: z.int(),
    /** Of the projects. */
    drafts: z.int(),
    contacts: z.int(),
    warnings: z.array(z.enum(warnings)),
  }),
})
