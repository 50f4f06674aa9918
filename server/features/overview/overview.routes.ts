import type { FastifyInstance } from 'fastify'
import { readOverview, type Warning } from '#contract/overview.ts'
import { serve } from '#server/http/serve.ts'

type Parts = {
  countProjects(): Promise<{ all: number; featured: number }>
  countContacts(): Promise<number>
  listWarnings(): Promise<Warning[]>
}

export function overviewRoutes(app: FastifyInstance, { countProjects, countContacts, listWarnings }: Parts) {
  serve(app, readOverview, async () => {
    const [projects, contacts, warnings] = await Promise.all([countProjects(), countContacts(), listWarnings()])
    return { projects: projects.all, featuredProjects: projects.featured, contacts, warnings }
  })
}
