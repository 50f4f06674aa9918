import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Worker } from './backup/start-worker.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Database } from './database/open.ts'
import { demoAdminCheck } from './features/accounts/passwords.ts'
import type { Encoder } from './features/images/encoder.ts'
import { createHiddenImages, type HiddenImages } from './features/images/hidden-images.ts'
import type { Variants } from './features/images/variants.ts'
import type { Renderer } from './features/pages/renderer.ts'
import { type OwnSite, openOwnSite } from './features/site-content/own-site.ts'
import { openVisits, type Visits } from './features/statistics/visits.ts'
import { createPublished, type Published, type ReadyAnswers } from './http/published.ts'
import type { Mailer } from './mail/mailer.ts'
import type { Storage } from './storage/storage.ts'

/** What a process opens before there is an app. */
export type SiteParts = {
  config: Config
  database: Database
  storage: Storage
  clock: Clock
  log: FastifyBaseLogger
  encoder: Encoder
  variants: Variants
  renderer: Renderer
  /** Runs the jobs of backups. */
  worker: Worker
  /** Sends mails; undefined where mail is not set up. */
  mailer?: Mailer | undefined
  /** Serves the site from its sources, and keeps no pages. */
  development?: boolean | undefined
}

/** What every feature is built from: one object for a process. */
export type Site = SiteParts & {
  ready: ReadyAnswers
  published: Published
  hidden: HiddenImages
  ownSite: OwnSite
  visits: Visits
  /** Whether visitors see the page, as the last content version has it. */
  isOpened(): boolean
  /** Whether the demo account can still sign in with its published password. */
  demoAdminActive(): Promise<boolean>
}

export async function openSite(app: FastifyInstance, ready: ReadyAnswers, parts: SiteParts): Promise<Site> {
  const { database, clock, development } = parts
  const { db } = database
  const published = createPublished({ ready, keep: !development })
  const hidden = createHiddenImages(db)
  const isOpened = await followContent(app, { database, published, hidden })
  const demoAdminActive = demoAdminCheck(db)
  return {
    ...parts,
    ready,
    published,
    hidden,
    visits: openVisits(app, parts),
    ownSite: openOwnSite({ db, clock, onChange: published.contentChanged }),
    isOpened,
    demoAdminActive,
  }
}

/**
 * Drops pages and the list of hidden images whenever the content changes, in this process or another one. Returns whether the
 * site is open to visitors.
 */
async function followContent(
  app: FastifyInstance,
  { database, published, hidden }: Pick<Site, 'database' | 'published' | 'hidden'>,
) {
  let isOpened = true
  const content = await database.watchContent(({ opened }) => {
    isOpened = opened
    published.contentChanged()
    void hidden.refresh()
  }, published.contentUnknown)
  await hidden.refresh()
  app.addHook('onClose', () => content.stop())
  // Before the maker has the answer to a change, pages show it; other processes notice it within a second.
  app.addHook('onSend', async ({ admin, method }, { statusCode }) => {
    if (!admin || method === 'GET' || statusCode >= 400) return
    await content.check()
    await hidden.refresh()
  })
  return () => isOpened
}
