import { expect, test } from 'vitest'
import { type BackupSettings, changeBackupSettings, readBackupStatus } from '#contract/backup-status.ts'
import { createCompleteBackup, createDatabaseBackup, deleteBackup, listBackups } from '#contract/backups.ts'
import { demoAdmin } from '#demo/admin.ts'
import { writeJob } from '#server/jobs/jobs.ts'
import { openTestApp } from '#tests/test-app.ts'
import { storedBackup } from './backup-names.ts'

const asItCame: BackupSettings = { nightly: true, at: '03:00', keep: { daily: 7, weekly: 5, monthly: 12 } }

async function openSite() {
  const site = await openTestApp('sqlite')
  const as = await site.signedIn()
  return {
    ...site,
    as,
    state: () => site.ask(readBackupStatus, { as }),
    files: async () => (await site.ask(listBackups, { as })).files,
    async make() {
      site.clock.pass({ seconds: 1 })
      return (await site.ask(createCompleteBackup, { as })).filename
    },
    async tryDeleting(filename: string, query?: { last: string }) {
      const answer = await site.call(deleteBackup, { as, params: { filename }, ...(query && { query }) })
      return [answer.statusCode, answer.json().code]
    },
  }
}

test('a new site makes a backup every night, and says what is missing until the first one is there', async () => {
  const { state, make, db, clock } = await openSite()
  await db.updateTable('site').set({ createdAt: clock.now().toISOString() }).execute()
  expect(await state()).toEqual({
    settings: asItCame,
    timeZone: 'America/Mexico_City',
    now: '2026-05-01T12:00:00.000Z',
    warnings: ['nothing_yet'],
    lastGood: null,
    nightly: { nextAt: '2026-05-02T09:00:00.000Z', doneAt: null, fault: null },
    offsite: null,
    restoreTest: null,
    encrypted: false,
    working: null,
    lastMerge: null,
  })
  const filename = await make()
  expect(await state()).toMatchObject({
    warnings: [],
    lastGood: { filename, at: '2026-05-01T12:00:01.000Z', bytes: expect.any(Number) },
  })
})

test('settings are kept and told; a demo makes none until it is switched on', async () => {
  const { ask, call, as, state, db, addAdmin } = await openSite()
  const lastError = { code: 'unexpected', at: '2026-05-01T09:00:00.000Z' }
  await writeJob(db, 'nightly', { failures: 1, lastError })
  const changed = { nightly: false, at: '23:45', keep: { daily: 1, weekly: 0, monthly: 120 } }
  const answer = await ask(changeBackupSettings, { as, body: changed })
  expect(answer).toMatchObject({ settings: changed, warnings: ['nothing_yet', 'nightly_off'] })
  expect(answer.nightly).toEqual({ nextAt: null, doneAt: null, fault: null })
  expect(await state()).toEqual(answer)

  const bad = [
    { at: '24:00' },
    { at: '3:00' },
    { nightly: 'yes' },
    { keep: { daily: 0, weekly: 0, monthly: 0 } },
    { keep: { daily: 7, weekly: 0.5, monthly: 0 } },
    { keep: { daily: 91, weekly: 105, monthly: 121 } },
    { keep: { daily: 7 } },
    { more: true },
  ]
  for (const part of bad) {
    const refused = await call(changeBackupSettings, { as, body: { ...changed, ...part } })
    expect([part, refused.statusCode, refused.json().code]).toEqual([part, 400, 'invalid_input'])
  }
  expect((await state()).settings).toEqual(changed)

  await db.updateTable('backupCare').set({ nightly: null }).execute()
  await addAdmin({ ...demoAdmin, demo: true })
  expect((await state()).settings.nightly).toBe(false)
  await ask(changeBackupSettings, { as, body: asItCame })
  expect((await state()).settings.nightly).toBe(true)
})

test('a backup is deleted with what is known of it; the last whole one only when that is said', async () => {
  const site = await openSite()
  const { as, ask, db, storage, files, make, tryDeleting } = site
  const [first, second] = [await make(), await make()]
  await db.updateTable('knownBackups').set({ copiedAt: '2026-05-01T12:30:00.000Z' }).where('filename', '=', second).execute()
  // As one from which photos are missing, and a copy of the database: neither replaces a whole one.
  const partial = 'complete_backup_2026-05-01T13-00-00Z-x7k2_without_2_photos.zip'
  await storage.put(storedBackup(partial), Buffer.from('partial'))
  const { filename: database } = await ask(createDatabaseBackup, { as })
  const facts = async () => (await files()).map(({ filename, copiedAt, isLast }) => [filename, copiedAt, isLast])
  expect(await facts()).toEqual([
    [partial, null, false],
    [second, '2026-05-01T12:30:00.000Z', false],
    [database, null, false],
    [first, null, false],
  ])

  expect(await tryDeleting('complete_backup_2026-05-01T12-00-00Z-none.zip')).toEqual([404, 'backup_not_found'])
  expect(await tryDeleting('../site-id')).toEqual([404, 'backup_not_found'])
  expect(await tryDeleting(first)).toEqual([200, undefined])
  expect(await db.selectFrom('knownBackups').select('filename').execute()).toEqual([{ filename: second }])
  expect((await facts())[1]).toEqual([second, '2026-05-01T12:30:00.000Z', true])
  expect(await tryDeleting(second)).toEqual([409, 'last_backup'])
  for (const other of [partial, database]) expect(await tryDeleting(other)).toEqual([200, undefined])
  expect(await tryDeleting(second, { last: 'yes' })).toEqual([200, undefined])
  expect(await tryDeleting(second, { last: 'yes' })).toEqual([404, 'backup_not_found'])
  expect(await facts()).toEqual([])
})
