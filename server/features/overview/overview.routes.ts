import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readChecks } from '#contract/checks.ts'
import { readOverview } from '#contract/overview.ts'
import { countContacts } from '#server/features/contacts/contacts.queries.ts'
import { countProjects } from '#server/features/projects/projects.queries.ts'
import { protocolOf } from '#server/http/own-address.ts'
import { isForwarded } from '#server/http/proxy-signs.ts'
import { serve } from '#server/http/serve.ts'
import type { Site } from '#server/site.ts'
import type { Visit } from './checks.rules.ts'

export function overviewRoutes(app: FastifyInstance, site: Site) {
  const { db } = site.database

  serve(app, readOverview, async () => {
    const [projects, contacts] = await Promise.all([countProjects(db, { drafts: true }), countContacts(db)])
    return { projects: projects.all, featuredProjects: projects.featured, drafts: projects.drafts, contacts }
  })

  serve(app, readChecks, async ({ request }) => {
    // Not needed for listening.
    const { checkSite } = await import('./checks.facts.ts')
    const checks = await checkSite({ ...site, visit: visitOf(request), proxySigns: app.proxySigns() })
    return { now: site.clock.now().toISOString(), checks }
  })
}

/** How the owner has come here: as visitors do, unless by the local network. */
function visitOf(request: FastifyRequest): Visit {
  return { host: request.host, protocol: protocolOf(request), forwarded: isForwarded(request.headers) }
}
