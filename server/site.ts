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
import { followSettings, type LiveSettings } from './features/settings/settings.queries.ts'
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
  /** Sends mails as soon as mail is set up. */
  mailer: Pick<Mailer, 'wake'>
  /** Serves the site from its sources, and keeps no pages. */
  development?: boolean | undefined
}

/** What every feature is built from: one object for a process. */
export type Site = SiteParts & {
  ready: ReadyAnswers
  published: Published
  hidden: HiddenImages
  ownSite: OwnSite
  settings: LiveSettings
  visits: Visits
  /** Whether visitors see the page, as the last content version has it. */
  isOpened(): boolean
  /** Whether the demo account can still sign in with its published password. */
  demoAdminActive(): Promise<boolean>
}

export async function openSite(app: FastifyInstance, ready: ReadyAnswers, parts: SiteParts): Promise<Site> {
  const { config, database, clock, development } = parts
  const { db } = database
  const published = createPublished({ ready, keep: !development })
  const hidden = createHiddenImages(db)
  const settings = await followSettings(db, config)
  const isOpened = await followContent(app, { database, published, hidden, settings })
  const demoAdminActive = demoAdminCheck(db)
  return {
    ...parts,
    ready,
    published,
    hidden,
    visits: openVisits(app, parts),
    settings,
    ownSite: openOwnSite({ config, db, clock, onChange: published.contentChanged }),
    isOpened,
    demoAdminActive,
  }
}

/**
 * Takes up the settings, and drops pages and the list of hidden images, whenever the content changes, in this process or
 * another one. Returns whether the site is open to visitors.
 */
async function followContent(
  app: FastifyInstance,
  { database, published, hidden, settings }: Pick<Site, 'database' | 'published' | 'hidden' | 'settings'>,
) {
  let isOpened = true
  const content = await database.watchContent(async ({ opened }) => {
    // First: pages are made with them.
    await settings.refresh()
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
