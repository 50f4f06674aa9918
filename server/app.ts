import type { FastifyInstance } from 'fastify'
import { backupRoutes } from './backup/backup.routes.ts'
import { accountRoutes } from './features/accounts/accounts.routes.ts'
import { passkeyRoutes } from './features/accounts/passkeys.routes.ts'
import { recoveryRoutes } from './features/accounts/recovery.routes.ts'
import { activityRoutes } from './features/activity/activity.routes.ts'
import { adminContactRoutes, contactRoutes } from './features/contacts/contacts.routes.ts'
import { eventRoutes } from './features/events/events.routes.ts'
import { firstStepRoutes } from './features/first-steps/first-steps.routes.ts'
import { imageRoutes } from './features/images/images.routes.ts'
import { overviewRoutes } from './features/overview/overview.routes.ts'
import { pageRoutes } from './features/pages/pages.routes.ts'
import { inPageScript } from './features/pages/renderer.ts'
import { projectRoutes } from './features/projects/projects.routes.ts'
import { settingsRoutes } from './features/settings/settings.routes.ts'
import { siteContentRoutes } from './features/site-content/site-content.routes.ts'
import { statisticsRoutes } from './features/statistics/statistics.routes.ts'
import { createApp } from './http/create-app.ts'
import { healthRoutes } from './http/health.routes.ts'
import { answerUnknownCalls } from './http/not-found.ts'
import type { ReadyAnswers } from './http/published.ts'
import type { Answered } from './http/request-log.ts'
import { keepSessions } from './http/sessions.ts'
import { mailRoutes } from './mail/mails.routes.ts'
import { openSite, type SiteParts } from './site.ts'

export type Parts = SiteParts & {
  /** Serves scripts and styles: from the built folder, or from Vite while developing. */
  assets(app: FastifyInstance, ready: ReadyAnswers): Promise<void>
  /** Called after every answer. */
  onAnswered?: ((answered: Answered) => void) | undefined
}

export async function buildApp({ assets, onAnswered, ...parts }: Parts) {
  const { app, ready, headersFor } = await createApp({ ...parts, inPageScript, onAnswered })
  const site = await openSite(app, ready, parts)
  keepSessions(app, site)
  healthRoutes(app, site)
  projectRoutes(app, site)
  siteContentRoutes(app, site)
  contactRoutes(app, site)
  adminContactRoutes(app, site)
  mailRoutes(app, site)
  settingsRoutes(app, site)
  accountRoutes(app, site)
  passkeyRoutes(app, site)
  recoveryRoutes(app, site)
  activityRoutes(app, site)
  statisticsRoutes(app, site)
  imageRoutes(app, site)
  await backupRoutes(app, site)
  eventRoutes(app, site)
  firstStepRoutes(app, site)
  overviewRoutes(app, site)
  const { answerUnknownPage } = pageRoutes(app, site)
  await assets(app, ready)
  answerUnknownCalls(app, { answerUnknownPage, headersFor })
  await app.ready()
  return app
}
