import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { request } from '@playwright/test'
import { maker } from '#content/maker.ts'
import { signIn } from '#contract/accounts.ts'
import { putFirstStepsAway } from '#contract/overview.ts'
import { hour } from '#server/clock.ts'
import { openDatabase } from '#server/database/open.ts'
import type { NewContactMessage } from '#server/database/tables.ts'
import { insertContacts } from '#server/features/contacts/contacts.queries.ts'
import { allVariants, variantName } from '#server/features/images/image.rules.ts'
import { insertProjects } from '#server/features/projects/project-records.ts'
import { startBuiltSite } from '../built-site.ts'
import { aStoredProject } from '../factories.ts'
import { aPhoto } from '../photos.ts'
import { makerAccount, makersOwn } from './maker.ts'

export type Records = {
  projects?: NonNullable<Parameters<typeof aStoredProject>[0]>[]
  contacts?: (Omit<NewContactMessage, 'id'> & { id?: string })[]
  firstSteps?: boolean
  /** Whether visitors see the page, which they do unless this says otherwise. */
  opened?: boolean
}

/** The built site in a new data folder that is gone when the site is stopped. */
export async function startSiteOfItsOwn(settings: Record<string, string>) {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'vitrina-browser-'))
  const site = await startBuiltSite({ DATA_DIR: dataDir, RATE_LIMITS: 'off', ...settings })
  if (!settings.DATABASE_URL) await prepare(dataDir)
  const stop = async () => {
    await site.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  return { ...site, dataDir, stop }
}

/**
 * Opens the site to visitors, and puts the nightly backup off by half a day: one that the site makes by itself would be one more
 * than the journey has made.
 */
async function prepare(dataDir: string) {
  const time = new Intl.DateTimeFormat('en', { timeZone: maker.timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const { db, close } = await openDatabase({ dataDir, asGuest: true })
  await db
    .updateTable('backupCare')
    .set({ at: time.format(Date.now() + 12 * hour) })
    .execute()
  await db.updateTable('site').set({ opened: true }).execute()
  await close()
}

/** The demo site, as a first start makes it. */
export async function startDemo() {
  const site = await startSiteOfItsOwn({})
  await putSmallVariants(path.join(site.dataDir, 'files'))
  return site
}

/** Nobody looks at the pixels of the demo's photos: encoding all their variants would take a quarter of the tests' time. */
async function putSmallVariants(files: string) {
  const photos = new Map<string, Buffer>()
  for (const { format } of allVariants) photos.set(format, await aPhoto({ format }))
  await mkdir(path.join(files, 'variants'), { recursive: true })
  for (const hash of await readdir(path.join(files, 'objects'))) {
    for (const variant of allVariants) {
      await writeFile(path.join(files, variantName(hash, variant)), photos.get(variant.format) ?? '')
    }
  }
}

/** What journeys leave behind; what refers to it goes along. */
const emptied = [
  'projects',
  'contactMessages',
  'outbox',
  'sessions',
  'loginAttempts',
  'siteVersions',
  'siteDraft',
  'knownBackups',
  'mergedRecords',
  'passkeys',
  'tokens',
  'activity',
  'statistics',
] as const

/** A site that journeys use one after the other, each with the records it asks for and the maker's account. */
export async function startMakersSite() {
  const { url, dataDir, stop } = await startSiteOfItsOwn(makersOwn)
  // Read and written in its database: by calls it would take as long as many a journey.
  const { db, close } = await openDatabase({ dataDir, asGuest: true })
  const browser = await request.newContext({ baseURL: url })
  await browser.post(signIn.path, { data: makerAccount })
  const { cookies } = await browser.storageState()
  const session = await db.selectFrom('sessions').selectAll().executeTakeFirstOrThrow()

  return {
    url,
    dataDir,
    /** Of somebody who has signed in as the maker. */
    cookies,
    /** Removes what an earlier journey has left, and signs the maker in, who has just given the password. */
    async hold({ projects = [], contacts = [], firstSteps = false, opened = true }: Records) {
      const { adminId } = session
      const now = new Date().toISOString()
      const sess = JSON.stringify({ ...session.sess, confirmedAt: now })
      await db.transaction().execute(async (tx) => {
        for (const table of emptied) await tx.deleteFrom(table).execute()
        await tx.deleteFrom('adminUsers').where('id', '!=', adminId).execute()
        await tx
          .insertInto('sessions')
          .values({ ...session, sess })
          .execute()
        await tx.updateTable('site').set({ opened }).execute()
        await tx.updateTable('backupCare').set({ working: null, lastMerge: null }).execute()
        await insertProjects(tx, projects.map(aStoredProject))
        await insertContacts(
          tx,
          contacts.map((contact) => ({ id: randomUUID(), createdAt: now, ...contact })),
        )
      })
      for (const folder of ['files/backups', 'files/aside']) {
        await rm(path.join(dataDir, folder), { recursive: true, force: true })
      }
      // After a change by the maker the site looks at once whether its pages are still true.
      const answer = await browser.put(putFirstStepsAway.path, { data: { putAway: !firstSteps } })
      if (!answer.ok()) throw new Error(await answer.text())
    },
    /** As if everybody had given their password long ago. */
    async forgetPasswords() {
      const sessions = await db.selectFrom('sessions').select(['sid', 'sess']).execute()
      for (const {
        sid,
        sess: { confirmedAt: _, ...sess },
      } of sessions) {
        await db
          .updateTable('sessions')
          .set({ sess: JSON.stringify(sess) })
          .where('sid', '=', sid)
          .execute()
      }
    },
    async stop() {
      await browser.dispose()
      await close()
      await stop()
    },
  }
}
