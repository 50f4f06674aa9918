import type { FastifyInstance } from 'fastify'
import { readOverview, type Warning } from '#contract/overview.ts'
import { countContacts } from '#server/features/contacts/contacts.queries.ts'
import { countProjects } from '#server/features/projects/projects.queries.ts'
import { isLoopbackHost } from '#server/http/own-address.ts'
import { serve } from '#server/http/serve.ts'
import { readRunningTime } from '#server/jobs/running-time.ts'
import type { Site } from '#server/site.ts'

type Parts = Pick<Site, 'config' | 'database' | 'clock' | 'demoAdminActive'>

export function overviewRoutes(app: FastifyInstance, { config, database: { db }, clock, demoAdminActive }: Parts) {
  serve(app, readOverview, async ({ request, admin: { role } }) => {
    const [projects, contacts, warnings] = await Promise.all([
      countProjects(db, { drafts: true }),
      countContacts(db),
      // Of backups, accounts and settings, which are not the helpers'.
      role === 'owner' ? listWarnings(request.host) : [],
    ])
    return { projects: projects.all, featuredProjects: projects.featured, drafts: projects.drafts, contacts, warnings }
  })

  async function listWarnings(host: string): Promise<Warning[]> {
    const { hasBackupFault } = await import('#server/backup/schedule.ts')
    const all: (Warning | false)[] = [
      (await demoAdminActive()) && 'demo_account',
      (await hasBackupFault(db, { isCopied: config.offsite !== undefined })) && 'backup_failed',
      (await readRunningTime(db, clock)).hasJumped && 'clock_jumped',
      ...app.proxyWarnings(),
      !config.publicUrl && !isLoopbackHost(host) && 'no_public_url',
    ]
    return all.filter((warning) => warning !== false)
  }
}
