import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { activity as english } from '#content/en/activity.ts'
import { activity as spanish } from '#content/es/activity.ts'
import { changePassword, endOtherSessions, endSession, listSessions, signIn, signOut } from '#contract/accounts.ts'
import { type ActivityDetails, type ActivityKind, activityKinds, keptDays, listActivity } from '#contract/activity.ts'
import { changeBackupSettings } from '#contract/backup-status.ts'
import {
  createCompleteBackup,
  createDatabaseBackup,
  deleteBackup,
  downloadBackup,
  exportData,
  importData,
  restoreComplete,
} from '#contract/backups.ts'
import { changeContact, deleteContact, deleteContacts, exportContacts, replyToContact } from '#contract/contacts.admin.ts'
import { changeMailSettings } from '#contract/mails.ts'
import { bringBackDemoProjects, removeDemoProjects } from '#contract/overview.ts'
import {
  createProject,
  deleteProject,
  emptyTrash,
  moveProject,
  removeDeleted,
  restoreProject,
  updateProject,
} from '#contract/projects.admin.ts'
import { undoMerge } from '#contract/restores.ts'
import { bringBackSiteVersion, changeSiteDraft, publishSite, readSiteContent, setSiteOpened } from '#contract/site-content.ts'
import { switchStatistics } from '#contract/statistics.ts'
import { demoProjects } from '#demo/projects.ts'
import { openZip, recordEntry, siteName, statisticsName } from '#server/backup/archive/zip-archive.ts'
import { storedBackup } from '#server/backup/backup-names.ts'
import { readBackupState } from '#server/backup/backup-state.ts'
import { readConfig } from '#server/config.ts'
import type { Dialect } from '#server/database/dialect.ts'
import { insertContacts } from '#server/features/contacts/contacts.queries.ts'
import { noteRunningTime } from '#server/jobs/running-time.ts'
import { anExport, asOpenFile, formWith, storeContact } from '#tests/backups.ts'
import { aContact, aProject, aStoredProject, storeProject } from '#tests/factories.ts'
import { mailSettingsFor, startSmtp } from '#tests/smtp.ts'
import { read, sourceFiles } from '#tests/source-files.ts'
import { openTestApp, type SomeoneSignedIn, type TestApp } from '#tests/test-app.ts'
import { databases } from '#tests/test-database.ts'
import { sweepActivity } from './activity.queries.ts'

/** Nothing of this may be in an entry. */
const visitor = { name: 'Ximena Quetzal', email: 'ximena@quetzal.example', message: 'A galleon for my grandmother, please.' }

async function openSite(dialect: Dialect) {
  const smtp = await startSmtp()
  smtp.behave('hang at greeting')
  onTestFinished(() => smtp.stop())
  const config = { mail: readConfig(mailSettingsFor(smtp)).mail, rateLimits: false }
  return openTestApp(dialect, { config, mailTimeouts: { attempt: 60_000, stop: 10 } })
}

const allRows = ({ db }: TestApp) => db.selectFrom('activity').selectAll().execute()

type Noted = ActivityDetails & { kind: ActivityKind; account?: string | null }

/** Everything that is noted, in an order in which it can be done, with the entry it must leave. */
async function* aRound(site: TestApp, maker: SomeoneSignedIn): AsyncGenerator<Noted> {
  const as = { as: maker }
  await site.call(signIn, { body: { username: maker.username, password: 'wrong' } })
  yield { kind: 'sign_in_failed', count: 1 }
  const other = await site.signIn(maker)
  yield { kind: 'signed_in' }
  await site.ask(signOut, { as: other })
  yield { kind: 'signed_out' }
  await site.signIn(maker)
  yield { kind: 'signed_in' }
  const [ended] = (await site.ask(listSessions, as)).filter(({ current }) => !current)
  await site.ask(endSession, { ...as, params: { id: ended?.id ?? '' } })
  yield { kind: 'session_ended' }
  await site.signIn(maker)
  yield { kind: 'signed_in' }
  await site.ask(endOtherSessions, as)
  yield { kind: 'other_sessions_ended', count: 1 }

  const { id } = await site.ask(createProject, { ...as, body: aProject({ title: 'Zeppelin' }) })
  yield { kind: 'project_created', name: 'Zeppelin' }
  await site.ask(updateProject, { ...as, params: { id }, body: { title: 'Zeppelin LZ 127' } })
  yield { kind: 'project_changed', name: 'Zeppelin LZ 127' }
  await site.ask(deleteProject, { ...as, params: { id } })
  yield { kind: 'project_deleted', name: 'Zeppelin LZ 127' }
  await site.ask(restoreProject, { ...as, params: { id } })
  yield { kind: 'project_restored', name: 'Zeppelin LZ 127' }
  await site.ask(deleteProject, { ...as, params: { id } })
  yield { kind: 'project_deleted', name: 'Zeppelin LZ 127' }
  await site.ask(removeDeleted, { ...as, params: { id } })
  yield { kind: 'project_removed', name: 'Zeppelin LZ 127' }
  await storeProject(site.db, { ...aStoredProject(), deletedAt: '2026-04-30T00:00:00.000Z' })
  await site.ask(emptyTrash, as)
  yield { kind: 'trash_emptied', count: 1 }
  const [{ title, description, translations } = { title: '', description: '' }] = demoProjects
  await storeProject(site.db, aStoredProject({ title, description, translations }))
  const { removed } = await site.ask(removeDemoProjects, as)
  yield { kind: 'demo_projects_deleted', count: 1 }
  await site.ask(bringBackDemoProjects, { ...as, body: { ids: removed } })
  yield { kind: 'demo_projects_restored', count: 1 }

  let { revision } = await site.ask(readSiteContent, as)
  revision = (await site.ask(changeSiteDraft, { ...as, body: { revision, changes: { 'maker.brand': 'Taller Ana' } } })).revision
  revision = (await site.ask(publishSite, { ...as, body: { revision } })).revision
  yield { kind: 'texts_published' }
  await site.ask(bringBackSiteVersion, { ...as, params: { number: '0' }, body: { revision } })
  yield { kind: 'texts_brought_back' }
  await site.ask(setSiteOpened, { ...as, body: { opened: false } })
  yield { kind: 'site_closed' }
  await site.ask(setSiteOpened, { ...as, body: { opened: true } })
  yield { kind: 'site_opened' }

  const contact = { id: (await storeContact(site, visitor)).id }
  await site.ask(replyToContact, { ...as, params: contact, body: { id: randomUUID(), text: `Yes, ${visitor.name}.` } })
  yield { kind: 'message_replied' }
  await site.ask(changeContact, { ...as, params: contact, body: { note: visitor.message, was: null } })
  expect((await site.call(exportContacts, as)).body).toContain(visitor.name)
  yield { kind: 'messages_downloaded' }
  await site.ask(deleteContact, { ...as, params: contact })
  yield { kind: 'messages_deleted', count: 1 }
  const many = await Promise.all(Array.from({ length: 3 }, () => storeContact(site, visitor)))
  await site.ask(deleteContacts, { ...as, body: { ids: many.map((each) => each.id) } })
  yield { kind: 'messages_deleted', count: 3 }

  const { filename } = await site.ask(createDatabaseBackup, as)
  yield { kind: 'backup_made', name: filename }
  const complete = await site.ask(createCompleteBackup, as)
  yield { kind: 'backup_made', name: complete.filename }
  await site.call(downloadBackup, { ...as, params: { filename: complete.filename } })
  yield { kind: 'backup_downloaded', name: complete.filename }
  const exported = await site.ask(exportData, as)
  yield { kind: 'data_exported', name: exported.filename }
  await site.ask(importData, { ...as, body: anExport({ projects: [aStoredProject({ title: 'From a file' })] }) })
  yield { kind: 'data_imported', name: 'export.json' }
  const { lastMerge } = await readBackupState(site.db)
  await site.ask(undoMerge, { ...as, params: { id: lastMerge?.id ?? '' } })
  yield { kind: 'restore_undone', name: 'export.json' }
  const archive = (await site.storage.read(storedBackup(complete.filename))) ?? Buffer.of()
  await site.ask(restoreComplete, { ...as, ...formWith(archive, { filename: 'of-last-year.zip' }) })
  yield { kind: 'data_restored', name: 'of-last-year.zip' }
  await site.ask(deleteBackup, { ...as, params: { filename } })
  yield { kind: 'backup_deleted', name: filename }

  await site.ask(changeMailSettings, { ...as, body: { acknowledges: true } })
  yield { kind: 'mail_settings_changed' }
  const keep = { daily: 7, weekly: 5, monthly: 12 }
  await site.ask(changeBackupSettings, { ...as, body: { nightly: true, at: '04:00', keep } })
  yield { kind: 'backup_settings_changed' }
  await site.ask(switchStatistics, { ...as, body: { counting: false } })
  yield { kind: 'statistics_off' }
  await site.ask(switchStatistics, { ...as, body: { counting: true } })
  yield { kind: 'statistics_on' }
  const passwords = { currentPassword: maker.password, newPassword: 'pear and brass' }
  await site.call(changePassword, { ...as, body: passwords })
  yield { kind: 'password_changed' }
}

describe.each(databases)('what people do, on %s', (dialect) => {
  test('is noted once each, with the account and in words of the site, nothing of visitors, and is in backups of the database alone', async () => {
    const site = await openSite(dialect)
    const maker = await site.signedIn()
    const seen = new Set((await allRows(site)).map(({ id }) => id))
    for await (const { account = maker.username, ...noted } of aRound(site, maker)) {
      site.clock.pass({ seconds: 1 })
      const fresh = (await allRows(site)).filter(({ id }) => !seen.has(id))
      expect(fresh.map(({ kind, details }) => ({ kind, ...details }))).toEqual([noted])
      expect(fresh[0]).toMatchObject({ account, adminId: maker.adminId })
      for (const { id } of fresh) seen.add(id)
    }
    const everything = JSON.stringify(await allRows(site))
    for (const secret of [...Object.values(visitor), '127.0.0.1', maker.password]) expect(everything).not.toContain(secret)

    const again = await site.signIn({ ...maker, password: 'pear and brass' })
    const { data } = await site.ask(exportData, { as: again })
    expect(JSON.stringify(data)).not.toContain('Zeppelin')
    const database = await site.ask(createDatabaseBackup, { as: again })
    expect((await site.storage.read(storedBackup(database.filename)))?.includes('Zeppelin LZ 127')).toBe(true)
    const { filename } = await site.ask(createCompleteBackup, { as: again })
    const zip = await openZip(asOpenFile((await site.storage.read(storedBackup(filename))) ?? Buffer.of()))
    const photos = zip.photos.length
    expect(zip.entries.map(({ name }) => name).slice(0, -photos || undefined)).toEqual(
      expect.arrayContaining([...Object.values(recordEntry), siteName, statisticsName]),
    )
    expect(zip.entries).toHaveLength(Object.keys(recordEntry).length + 2 + photos)
  })

  test('leaves no entry when it changes nothing, is refused or fails, and is not done when it cannot be noted', async () => {
    const site = await openSite(dialect)
    const maker = await site.signedIn()
    const as = { as: maker }
    const { id } = await site.ask(createProject, { ...as, body: aProject() })
    const before = await allRows(site)
    const nobody = { id: randomUUID() }
    await site.ask(updateProject, { ...as, params: { id }, body: {} })
    await site.ask(moveProject, { ...as, params: { id }, body: { after: id } })
    await site.ask(emptyTrash, as)
    await site.ask(endOtherSessions, as)
    await site.ask(setSiteOpened, { ...as, body: { opened: true } })
    await site.ask(changeMailSettings, { ...as, body: { language: 'es' } })
    await site.ask(deleteContacts, { ...as, body: { ids: [nobody.id] } })
    for (const [endpoint, body] of [
      [updateProject, { title: 'Renamed' }],
      [deleteProject, undefined],
      [restoreProject, undefined],
      [removeDeleted, undefined],
      [deleteContact, undefined],
    ] as const)
      expect((await site.call(endpoint, { ...as, params: nobody, body })).statusCode).toBe(404)
    expect((await site.call(updateProject, { ...as, params: { id }, body: { version: 99, title: 'Late' } })).statusCode).toBe(
      409,
    )
    expect((await site.call(updateProject, { ...as, params: { id }, body: { title: '' } })).statusCode).toBe(400)
    const missing = await site.call(downloadBackup, {
      ...as,
      params: { filename: 'complete_backup_2026-01-01T00-00-00Z-aaaa.zip' },
    })
    expect(missing.statusCode).toBe(404)
    expect(await allRows(site)).toEqual(before)

    await sql`alter table activity rename to elsewhere`.execute(site.db)
    expect((await site.call(updateProject, { ...as, params: { id }, body: { title: 'Unseen' } })).statusCode).toBe(500)
    expect((await site.call(deleteProject, { ...as, params: { id } })).statusCode).toBe(500)
    const contact = { id: (await storeContact(site)).id }
    expect((await site.call(deleteContact, { ...as, params: contact })).statusCode).toBe(500)
    expect(site.takeLoggedProblems()).toHaveLength(3)
    await sql`alter table elsewhere rename to activity`.execute(site.db)
    const kept = await site.db.selectFrom('projects').select(['title', 'deletedAt']).execute()
    expect(kept).toEqual([{ title: aProject().title, deletedAt: null }])
    expect(await site.db.selectFrom('contactMessages').select('id').execute()).toHaveLength(1)
  })

  test('has failures of one account within an hour as one entry, whatever their number at once, and many messages as one', async () => {
    const site = await openSite(dialect)
    const maker = await site.signedIn()
    const fail = (username: string) => site.call(signIn, { body: { username, password: 'wrong' } })
    await Promise.all(Array.from({ length: 4 }, () => fail(maker.username)))
    site.clock.pass({ minutes: 59 })
    await fail('Nobody')
    await fail('secret typed as a name')
    site.clock.pass({ minutes: 2 })
    await fail(maker.username)
    const failures = (await allRows(site)).filter(({ kind }) => kind === 'sign_in_failed')
    expect(failures.map(({ account, details }) => [account, details.count]).toSorted()).toEqual([
      [null, 2],
      [maker.username, 1],
      [maker.username, 4],
    ])
    const contacts = Array.from({ length: 450 }, () => ({
      ...aContact(),
      id: randomUUID(),
      createdAt: '2026-04-01T00:00:00.000Z',
    }))
    await insertContacts(site.db, contacts)
    site.clock.pass({ minutes: 1 })
    const as = await site.signIn(maker)
    await site.ask(deleteContacts, { as, body: { ids: contacts.map(({ id }) => id) } })
    const deletions = (await allRows(site)).filter(({ kind }) => kind === 'messages_deleted')
    expect(deletions.map(({ details }) => details)).toEqual([{ count: 450 }])
  })

  test('is read by owners alone, in pages of a hundred thousand, by person and kind, and hostile queries are refused', {
    timeout: 120_000,
  }, async () => {
    const site = await openSite(dialect)
    const owner = await site.signedIn()
    const gone = { adminId: randomUUID(), username: 'Luis' }
    const [uuid, moment, numbers] =
      dialect === 'postgres'
        ? [
            sql`('00000000-0000-4000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`,
            sql`timestamptz '2026-04-01T00:00:00Z' + (n / 3) * interval '10 seconds'`,
            sql`generate_series(1, 100000) as numbers(n)`,
          ]
        : [
            sql`printf('00000000-0000-4000-8000-%012x', n)`,
            sql`strftime('%Y-%m-%dT%H:%M:%fZ', '2026-04-01T00:00:00', '+' || ((n / 3) * 10) || ' seconds')`,
            sql`(with recursive numbers(n) as (values (1) union all select n + 1 from numbers where n < 100000)
              select n from numbers) as numbers`,
          ]
    const person = dialect === 'postgres' ? sql`${gone.adminId}::uuid` : sql`${gone.adminId}`
    await sql`insert into activity (id, at, admin_id, account, kind, details)
      select ${uuid}, ${moment}, ${person}, 'Luis', case n % 1000 when 0 then 'backup_made' else 'project_changed' end, '{}'
      from ${numbers}`.execute(site.db)
    const as = { as: owner }
    const first = await site.ask(listActivity, { ...as, query: { limit: '100' } })
    expect(first.entries[0]).toMatchObject({ kind: 'signed_in', account: owner.username })
    let { next } = first
    const ids = first.entries.map(({ id }) => id)
    for (let page = 0; page < 20; page += 1) {
      const more = await site.ask(listActivity, { ...as, query: { limit: '100', after: next ?? '' } })
      ids.push(...more.entries.map(({ id }) => id))
      next = more.next
    }
    expect(new Set(ids).size).toBe(2_100)
    const moments = await site.db.selectFrom('activity').select('id').orderBy('at', 'desc').orderBy('id').limit(2_100).execute()
    expect(ids).toEqual(moments.map(({ id }) => id))

    const count = async (query: Record<string, string>) => {
      const { entries, next: more } = await site.ask(listActivity, { ...as, query: { limit: '100', ...query } })
      return [entries.length, more !== null, [...new Set(entries.map(({ kind }) => kind))].join()]
    }
    expect(await count({ person: owner.adminId.toUpperCase() })).toEqual([1, false, 'signed_in'])
    expect(await count({ person: 'deleted', group: 'backups' })).toEqual([100, false, 'backup_made'])
    expect(await count({ group: 'access' })).toEqual([1, false, 'signed_in'])
    expect(await count({ group: 'settings', person: gone.adminId })).toEqual([0, false, ''])
    expect(await count({ person: 'none' })).toEqual([0, false, ''])
    // One that a later release has noted does not hide the others.
    await site.db
      .updateTable('activity')
      .set({ kind: 'moon_landed' as ActivityKind })
      .where('kind', '=', 'signed_in')
      .execute()
    expect((await site.ask(listActivity, as)).entries[0]).toMatchObject({ kind: 'moon_landed' })

    for (const query of [
      { person: "' or 1=1 --" },
      { person: 'everyone' },
      { group: 'constructor' },
      { group: '__proto__' },
      { after: '2026-05-01' },
      { after: `0000-01-01T00:00:00.000Z,${randomUUID()}` },
      { limit: '101' },
      { limit: '-1' },
      { account: 'Luis' },
    ])
      expect((await site.call(listActivity, { ...as, query: query as never })).statusCode, JSON.stringify(query)).toBe(400)
    const helper = await site.signedIn({ username: 'helper', role: 'helper' })
    expect((await site.call(listActivity, { as: helper })).json()).toMatchObject({ code: 'owner_needed' })
  })
})

test('what people do is kept for 400 days on which the site ran', async () => {
  const site = await openTestApp('sqlite')
  await site.signedIn()
  const runDays = async (days: number) => {
    for (let passed = 0; passed < days; passed += 1) {
      site.clock.pass({ days: 1 })
      await noteRunningTime(site)
    }
    await sweepActivity(site.db, site.clock)
  }
  await runDays(keptDays)
  expect(await allRows(site)).toHaveLength(1)
  // Switched off for a year.
  site.clock.pass({ days: 365 })
  await runDays(0)
  expect(await allRows(site)).toHaveLength(1)
  site.clock.pass({ days: 1 })
  await runDays(2)
  expect(await allRows(site)).toEqual([])
})

describe('the kinds', () => {
  const kinds = Object.values(activityKinds).flat() as ActivityKind[]

  test.each([english, spanish])('are said in whole sentences with every fact that is noted: $title', (texts) => {
    const names = new Set<string>()
    for (const kind of kinds) {
      const said = texts.kinds[kind]({ who: 'Ana', name: 'Galleon', newName: 'Caravel', count: 1_234 })
      expect(said, kind).toMatch(/^(Ana .|.* Ana$|.*Galleon)/)
      expect(said, kind).not.toContain('undefined')
      expect(texts.kinds[kind]({ who: 'Ana', name: 'Galleon', newName: 'Caravel', count: 1 }), kind).not.toMatch(/\d/)
      expect(texts.kinds[kind]({ who: undefined, name: 'Galleon', newName: 'Caravel', count: 2 }), kind).not.toContain(
        'undefined',
      )
      names.add(said)
    }
    expect(names.size).toBe(kinds.length)
  })

  test('are each noted somewhere', () => {
    const server = sourceFiles('server').filter((file) => !file.endsWith('.test.ts'))
    const source = server.map((file) => read(file)).join('\n')
    expect(kinds.filter((kind) => !source.includes(`'${kind}'`))).toEqual([])
  })
})
