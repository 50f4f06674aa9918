import type { FastifyInstance } from 'fastify'
import { readOverview, type Warning } from '#contract/overview.ts'
import { isLoopbackHost } from '#server/http/own-address.ts'
import { serve } from '#server/http/serve.ts'

type Parts = {
  countProjects(): Promise<{ all: number; featured: number; drafts: number }>
  countContacts(): Promise<number>
  /** Those that do not depend on who asks. */
  listWarnings(): Promise<Warning[]>
  publicUrl: string | undefined
}

export function overviewRoutes(app: FastifyInstance, { countProjects, countContacts, listWarnings, publicUrl }: Parts) {
  serve(app, readOverview, async ({ request }) => {
    const [projects, contacts, warnings] = await Promise.all([countProjects(), countContacts(), listWarnings()])
    if (!publicUrl && !isLoopbackHost(request.host)) warnings.push('no_public_url')
    const { all, featured, drafts } = projects
    return { projects: all, featuredProjects: featured, drafts, contacts, warnings }
  })
}
