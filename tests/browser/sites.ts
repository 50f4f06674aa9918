import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { request } from '@playwright/test'
import { maker } from '#content/maker.ts'
import { confirmPassword, deleteAdmin, listAdmins, signIn } from '#contract/accounts.ts'
import { type BackupStatus, readBackupStatus } from '#contract/backup-status.ts'
import { importData } from '#contract/backups.ts'
import { deleteContacts, searchContacts } from '#contract/contacts.admin.ts'
import type { AnyEndpoint } from '#contract/endpoint.ts'
import { putFirstStepsAway } from '#contract/overview.ts'
import { deleteProject, emptyTrash, searchProjects } from '#contract/projects.admin.ts'
import { putReportAway } from '#contract/restores.ts'
import { bringBackSiteVersion, readSiteContent, type SiteContent } from '#contract/site-content.ts'
import { hour } from '#server/clock.ts'
import { openDatabase } from '#server/database/open.ts'
import { allVariants, variantName } from '#server/features/images/image.rules.ts'
import { startBuiltSite } from '../built-site.ts'
import { aPhoto } from '../photos.ts'
import { makerAccount, makersOwn } from './maker.ts'

export type Records = { projects?: unknown[]; contacts?: unknown[]; firstSteps?: boolean }

/** The built site in a new data folder that is gone when the site is stopped. */
export async function startSiteOfItsOwn(settings: Record<string, string>) {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'vitrina-browser-'))
  const site = await startBuiltSite({ DATA_DIR: dataDir, RATE_LIMITS: 'off', ...settings })
  if (!settings.DATABASE_URL) await putNightOff(dataDir)
  const stop = async () => {
    await site.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  return { ...site, dataDir, stop }
}

/** By half a day: a backup that the site makes by itself would be one more than the journey has made. */
async function putNightOff(dataDir: string) {
  const time = new Intl.DateTimeFormat('en', { timeZone: maker.timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const { db, close } = await openDatabase({ dataDir, asGuest: true })
  await db
    .updateTable('backupCare')
    .set({ at: time.format(Date.now() + 12 * hour) })
    .execute()
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

/** A site that journeys use one after the other, each with the records it asks for and the maker's account. */
export async function startMakersSite() {
  const { url, dataDir, stop } = await startSiteOfItsOwn(makersOwn)
  const session = await request.newContext({ baseURL: url })

  async function call({ method, path }: AnyEndpoint, { id = '', data }: { id?: string; data?: unknown } = {}) {
    const answer = await session.fetch(path.replace(/:\w+/, id), { method, data })
    if (!answer.ok()) throw new Error(`${method} ${path}: ${await answer.text()}`)
    return answer.json()
  }

  async function clear() {
    const [{ projects }, { newest: upTo }, admins] = (await Promise.all(
      [searchProjects, searchContacts, listAdmins].map((list) => call(list)),
    )) as [{ projects: { id: string }[] }, { newest: string | null }, { id: string; username: string }[]]
    const contacts = upTo ? [{}, { state: 'spam' }] : []
    const others = admins.filter(({ username }) => username !== makerAccount.username)
    await Promise.all([
      ...projects.map(({ id }) => call(deleteProject, { id })),
      ...others.map(({ id }) => call(deleteAdmin, { id })),
      ...contacts.map((wanted) => call(deleteContacts, { data: { upTo, except: [], ...wanted } })),
      rm(path.join(dataDir, 'files/backups'), { recursive: true, force: true }),
    ])
    await call(emptyTrash)
    await showOriginal()
  }

  /** Journeys that edit the site have one of their own; an import may bring words of another. */
  async function showOriginal() {
    const { revision, published } = (await call(readSiteContent)) as SiteContent
    if (Object.keys(published.fields).length > 0) await call(bringBackSiteVersion, { id: '0', data: { revision } })
  }

  return {
    url,
    /** Removes what an earlier journey has left. An import keeps a backup of what was there: one, where something was filled in. */
    async hold(records: Records) {
      // An earlier journey may have ended the session, and the password may have been given long ago.
      const { password } = makerAccount
      const confirmed = await session.post(confirmPassword.path, { data: { password } })
      if (!confirmed.ok()) await call(signIn, { data: makerAccount })
      await clear()
      await call(putFirstStepsAway, { data: { putAway: !records.firstSteps } })
      const { firstSteps: _steps, ...imported } = records
      if (imported.projects || imported.contacts) await call(importData, { data: imported })
      const { lastMerge } = (await call(readBackupStatus)) as BackupStatus
      if (lastMerge) await call(putReportAway, { id: lastMerge.id })
    },
    /** As if everybody had given their password long ago. */
    async forgetPasswords() {
      const { db, close } = await openDatabase({ dataDir, asGuest: true })
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
      await close()
    },
    /** Of somebody who has signed in as the maker. */
    cookies: async () => (await session.storageState()).cookies,
    async stop() {
      await session.dispose()
      await stop()
    },
  }
}
