import { expect, onTestFinished, test } from 'vitest'
import { readBackupStatus } from '#contract/backup-status.ts'
import { listBackups } from '#contract/backups.ts'
import { sendContact } from '#contract/contacts.ts'
import { requestUpload } from '#contract/images.ts'
import { readOverview } from '#contract/overview.ts'
import { deleteProject } from '#contract/projects.admin.ts'
import { applyMerge } from '#contract/restores.ts'
import { anExport, aStoredPhoto, fill, storeContact } from '#tests/backups.ts'
import { aContact, aStoredProject } from '#tests/factories.ts'
import { jobPartsOf, runBackupJobs, runEach } from '#tests/jobs.ts'
import { mailSettingsFor, startSmtp } from '#tests/smtp.ts'
import { openTestApp, type TestApp } from '#tests/test-app.ts'
import { testClock } from '#tests/test-clock.ts'
import { storedBackup } from '../backup/backup-names.ts'
import { daysBefore } from '../clock.ts'
import { readConfig } from '../config.ts'
import { DatabaseUnusable } from '../database/database-errors.ts'
import { imageName } from '../features/images/image.rules.ts'
import { withCures } from '../start/lost-database.ts'
import { readJobs, writeJob } from './jobs.ts'
import { listJobs } from './run-jobs.ts'
import { noteRunningTime } from './running-time.ts'

const polling = { timeout: 20_000, interval: 10 }

/** A site with ten nights behind it and everything that goes by its age. Files get their dates from the machine, whose time it is then. */
async function openSite() {
  const smtp = await startSmtp()
  onTestFinished(() => smtp.stop())
  const logged: string[] = []
  const site = await openTestApp('sqlite', {
    clock: testClock(daysBefore(new Date(), 9).toISOString()),
    config: { mail: readConfig(mailSettingsFor(smtp)).mail, rateLimits: false },
    onLogged: ({ msg }) => logged.push(msg),
  })
  const { db, storage, clock } = site
  const daysAgo = (days: number) => daysBefore(clock.now(), days).toISOString()
  await db
    .updateTable('site')
    .set({ createdAt: daysAgo(400) })
    .execute()
  for (let night = 0; night < 9; night += 1) {
    await noteRunningTime(site)
    await runBackupJobs(site)
    clock.pass({ days: 1 })
  }
  const as = { as: await site.signedIn() }
  const { projects } = await fill(site)
  await site.ask(deleteProject, { params: { id: projects[1]?.id ?? '' }, ...as })
  await db
    .updateTable('projects')
    .set({ deletedAt: daysAgo(10) })
    .where('deletedAt', 'is not', null)
    .execute()
  await storeContact(site, { state: 'spam', spamReason: 'marked', createdAt: daysAgo(10) })
  await storeContact(site, { createdAt: daysAgo(3), photos: [31] })
  await site.ask(requestUpload, as)
  await storage.put(`aside/${daysAgo(10).slice(0, 10)}.objects.${'a'.repeat(64)}`, Buffer.from('quarantined'))
  const { content, ...image } = await aStoredPhoto(41)
  await db
    .insertInto('images')
    .values({ ...image, bytes: content.length, createdAt: daysAgo(20), unreferencedSince: daysAgo(10) })
    .execute()
  await storage.put(imageName(image.hash), content)
  const file = anExport({ projects: [aStoredProject({ title: 'From a file' })], contacts: [] })
  const filename = `export_${daysAgo(1).slice(0, 10)}T00-00-00Z-aaaa.json`
  await storage.put(storedBackup(filename), Buffer.from(JSON.stringify(file)))
  await site.ask(applyMerge, { body: { source: { filename }, mode: 'restore', without: [] }, ...as })
  const tested: string[] = []
  const parts = jobPartsOf(site)
  const startJob: typeof parts.startJob = async (job) => {
    if (job.kind !== 'restore-test') return parts.startJob(job)
    tested.push(clock.now().toISOString())
    return {}
  }
  // All that is due now, also of what was done within the hour.
  const runAllJobs = async () => {
    await db.deleteFrom('jobs').where('name', '=', 'hourly').where('lastSuccess', '<=', clock.now().toISOString()).execute()
    await runEach(listJobs, { ...parts, startJob })
  }
  return { ...site, as, smtp, logged, tested, runAllJobs }
}

const tables = [
  'projects',
  'contactMessages',
  'contactPhotos',
  'images',
  'sessions',
  'outbox',
  'uploadTickets',
  'mergedRecords',
  'activity',
] as const

/** What can be lost: rows by what names them, and files. */
async function everything({ db, storage }: TestApp) {
  const rows = tables.map(async (table) => {
    const all: Record<string, unknown>[] = await db.selectFrom(table).selectAll().execute()
    return all.map((row) => `${table} ${row.id ?? row.hash ?? row.sid ?? row.recordId}`)
  })
  const folders = ['objects', 'aside', 'uploads', 'restores', 'inquiry-photos', 'backups']
  const files = folders.map(async (folder) => (await storage.list(folder)).map(({ name }) => name))
  return (await Promise.all([...rows, ...files])).flat()
}

test('a clock that is a year ahead for one start deletes nothing, and once it is right again everything goes on by itself', async () => {
  const site = await openSite()
  const { ask, call, clock, db, smtp, as, tested, runAllJobs } = site
  await runAllJobs()
  await expect.poll(() => smtp.received.length, polling).toBeGreaterThan(0)
  const before = await everything(site)
  const { lastGood } = await ask(readBackupStatus, as)
  tested.length = 0

  smtp.behave('defer')
  clock.pass({ days: 365 })
  await runAllJobs()
  expect(await everything(site)).toEqual(expect.arrayContaining(before))
  const wrong = { as: await site.signedIn({ username: 'second' }) }
  expect(await site.findings(wrong)).toContain('clock_jumped')
  await ask(sendContact, { body: aContact({ name: 'Written meanwhile' }) })
  const at = clock.now().toISOString()
  for (const name of ['reminders', 'fault-mails'] as const) await writeJob(db, name, { lastSuccess: at })
  await expect
    .poll(
      () => db.selectFrom('outbox').select('id').where('attempts', '>', 0).where('state', '=', 'waiting').execute(),
      polling,
    )
    .not.toEqual([])
  await runAllJobs()
  expect(tested).toEqual([at])
  expect(await everything(site)).toEqual(expect.arrayContaining(before))

  smtp.behave('accept')
  clock.pass({ days: -365, seconds: 15 })
  await runAllJobs()
  // The backup of that night is made once more.
  const all = before.filter((name) => name !== storedBackup(lastGood?.filename ?? ''))
  expect(await everything(site)).toEqual(expect.arrayContaining(all))
  expect(await site.findings(as)).toContain('clock_jumped')
  expect(site.logged.filter((msg) => msg.startsWith('the clock jumped'))).toHaveLength(2)
  expect((await call(readOverview, wrong)).statusCode).toBe(401)
  site.mailer?.wake()
  await expect.poll(() => smtp.received.map(({ text }) => text).join(), polling).toContain('Written meanwhile')
  const rows = await readJobs(db)
  expect(new Date(rows.reminders.lastSuccess ?? 0) <= clock.now()).toBe(true)
  expect(rows).toMatchObject({ 'fault-mails': { lastSuccess: null } })
  expect(tested).toEqual([at, clock.now().toISOString()])
  const state = await ask(readBackupStatus, as)
  expect(state).toMatchObject({ lastGood: { at: rows.nightly.lastSuccess }, lastMerge: { canUndo: true } })

  const { backups } = await ask(listBackups, as)
  const ahead = backups.filter((filename) => filename.includes(at.slice(0, 10)))
  expect(ahead).toHaveLength(1)
  const cures = await withCures(new DatabaseUnusable('missing', 'There is none.'), {
    config: { ...readConfig({ DATA_DIR: site.dataDir }) },
    storage: site.storage,
  })
  expect(cures.message).toContain(state.lastGood?.filename)
  expect(cures.message).not.toContain(ahead[0])

  for (let hours = 0; hours < 24 * 21; hours += 23) {
    clock.pass({ hours: 23 })
    await noteRunningTime(site)
  }
  await runAllJobs()
  expect(await db.selectFrom('projects').select('id').where('deletedAt', 'is not', null).execute()).toEqual([])
})
