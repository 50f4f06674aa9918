import { describe, expect, onTestFinished, test } from 'vitest'
import { readBackupStatus } from '#contract/backup-status.ts'
import { backupMaker } from '#contract/backups.ts'
import { changeMailSettings } from '#contract/mails.ts'
import { dayIn, daysAfter, daysBefore } from '#server/clock.ts'
import { readConfig } from '#server/config.ts'
import type { Dialect } from '#server/database/dialect.ts'
import { type JobName, type JobRow, jobNames } from '#server/database/tables.ts'
import { contactPhotoName } from '#server/features/contacts/photos.queries.ts'
import { imageName } from '#server/features/images/image.rules.ts'
import { Problem } from '#server/http/problem.ts'
import { jobRows, readJobs, writeJob } from '#server/jobs/jobs.ts'
import { openFolder } from '#server/storage/folder.ts'
import type { Storage } from '#server/storage/storage.ts'
import { fill } from '#tests/backups.ts'
import { runBackupJobs as runJobs } from '#tests/jobs.ts'
import { smallDisk } from '#tests/small-disk.ts'
import { mailSettingsFor, startSmtp } from '#tests/smtp.ts'
import { openTestApp, type TestApp } from '#tests/test-app.ts'
import { testClock } from '#tests/test-clock.ts'
import { databases, emptyDatabase } from '#tests/test-database.ts'
import { openTestStorage } from '#tests/test-storage.ts'
import { listStoredBackups, storedBackup } from './backup-names.ts'
import { updateBackupState } from './backup-state.ts'
import type { Job } from './job.ts'
import { dueSince, faultsToMail, isDueNow, lastDue, type NightlyBackup, nextDue } from './schedule.ts'

/** 03:00 in Mexico, when a backup is due. */
const due = '2026-05-01T09:00:00.000Z'

type Options = Parameters<typeof openTestApp>[1]

/** A site that has been there for long, when its first backup is due. */
async function openSite(dialect: Dialect, options: Options = {}) {
  const site = await openTestApp(dialect, { clock: testClock(due), ...options })
  await site.db.updateTable('site').set({ createdAt: '2026-01-01T00:00:00.000Z' }).execute()
  return site
}

const rowOf = async ({ db }: TestApp, name: JobName = 'nightly') => (await readJobs(db))[name]

/** The days of the nightly backups, the newest first. */
async function nightlyOf({ storage, clock }: TestApp) {
  const files = await listStoredBackups(storage, clock.now())
  return files.flatMap(({ filename }) => (backupMaker(filename) === 'night' ? [filename.slice(16, 26)] : []))
}

const refusing = (storage: Storage): Storage => ({
  ...storage,
  newDraft: () => {
    throw new Error('No draft today')
  },
})

describe.each(databases)('on %s', (dialect) => {
  test('nightly backups are made, and those that are not kept go with what is known of them', async () => {
    const site = await openSite(dialect)
    await updateBackupState(site.db, { keepDaily: 2, keepWeekly: 2, keepMonthly: 1 })
    for (let night = 0; night < 12; night += 1) {
      await runJobs(site)
      site.clock.pass({ days: 1 })
    }
    const known = await site.db.selectFrom('knownBackups').select('filename').orderBy('filename', 'desc').execute()
    // The tenth is a Sunday.
    const kept = ['2026-05-12', '2026-05-11', '2026-05-10']
    expect(await nightlyOf(site)).toEqual(kept)
    expect(known.map(({ filename }) => filename.slice(16, 26))).toEqual(kept)
  })

  test('of two processes one makes it, and neither makes it again', async () => {
    const place = await emptyDatabase(dialect)
    const first = await openSite(dialect, { place })
    const second = await openSite(dialect, { place, storage: first.storage, clock: first.clock })
    const days: string[] = []
    for (let night = 0; night < 3; night += 1) {
      days.unshift(first.clock.now().toISOString().slice(0, 10))
      await Promise.all([runJobs(first), runJobs(second), runJobs(first)])
      await runJobs(second)
      expect(await nightlyOf(first)).toEqual(days)
      first.clock.pass({ days: 1 })
    }
  })
})

test('what fails is tried again, shown and mailed once a day, and forgotten when it works', async () => {
  const smtp = await startSmtp()
  onTestFinished(() => smtp.stop())
  const folder = await openTestStorage('folder')
  let storage = refusing(folder)
  const site = await openSite('sqlite', {
    storage: { ...folder, newDraft: () => storage.newDraft() },
    config: { mail: readConfig(mailSettingsFor(smtp)).mail },
  })
  const as = await site.signedIn()
  await site.ask(changeMailSettings, { as, body: { language: 'es' } })
  const state = () => site.ask(readBackupStatus, { as })
  const atMinute = (minutes: number) => new Date(Date.parse(due) + minutes * 60_000).toISOString()
  const minutes: number[] = []
  for (let minute = 0; minute <= 25 * 60; minute += 5) {
    const { failures } = await rowOf(site)
    await runJobs(site)
    if ((await rowOf(site)).failures !== failures) minutes.push(minute)
    site.clock.pass({ minutes: 5 })
  }
  // With the next night at once, which is a day later.
  expect(minutes.slice(0, 5)).toEqual([0, 5, 20, 80, 140])
  expect(minutes.slice(-2)).toEqual([24 * 60, 25 * 60])
  expect(site.takeLoggedProblems()).toHaveLength(minutes.length)
  const { warnings, nightly, lastGood } = await state()
  expect({ warnings, fault: nightly.fault, lastGood }).toEqual({
    warnings: ['nothing_yet', 'night_failed'],
    fault: { code: 'unexpected', at: atMinute(25 * 60), tries: minutes.length, nextTryAt: atMinute(26 * 60) },
    lastGood: null,
  })
  expect(await site.findings({ as })).toContain('backups_failed')
  await expect.poll(() => smtp.received.length, { timeout: 20_000 }).toBe(2)
  expect(smtp.received[0]).toMatchObject({
    subject: 'Sus respaldos requieren atención',
    text: expect.stringContaining('- Respaldo nocturno: '),
  })

  storage = folder
  site.clock.pass({ minutes: 60 })
  await runJobs(site)
  const after = await state()
  expect({ warnings: after.warnings, fault: after.nightly.fault }).toEqual({ warnings: [], fault: null })
  expect(after.lastGood).toMatchObject({ filename: expect.stringContaining('_nightly'), at: after.nightly.doneAt })
  expect(await site.findings({ as })).not.toContain('backups_failed')
})

test('damaged photos are left out of a nightly backup and said to be missing', async () => {
  const site = await openSite('sqlite')
  const as = await site.signedIn()
  const { photos, messages } = await fill(site)
  const damage = (name: string) => site.storage.put(name, Buffer.from('not what it was'))
  await damage(imageName(photos[0]?.hash ?? ''))
  await damage(contactPhotoName(messages[0]?.photos[0] ?? ''))
  await runJobs(site)
  const [night] = await site.storage.list('backups')
  expect(night?.name).toContain('_nightly_without_2_photos')
  expect((await site.ask(readBackupStatus, { as })).warnings).toEqual(['nothing_yet', 'not_whole'])
})

test('a nightly backup that would fill the disk says so, leaves the disk usable and loses nothing whole', async () => {
  // 256 MB must stay free.
  const disk = await smallDisk({ megabytes: 290 })
  const site = await openSite('sqlite', { storage: await openFolder(disk.folder) })
  const as = await site.signedIn()
  await fill(site)
  const nextNight = async () => {
    site.clock.pass({ days: 1 })
    await runJobs(site)
    return nightlyOf(site)
  }
  await runJobs(site)
  const own = 'backups/complete_backup_2020-01-01T00-00-00Z-x7k2.zip'
  await site.storage.put(own, Buffer.alloc(40_000_000))
  expect(await nextNight()).toEqual(['2026-05-01'])
  const { warnings, nightly } = await site.ask(readBackupStatus, { as })
  expect(warnings).toEqual(['night_failed'])
  expect(nightly.fault).toMatchObject({ code: 'disk_full', details: { neededMegabytes: 1, freeMegabytes: 0 } })
  expect(await site.storage.freeBytes()).toBeGreaterThan(240_000_000)
  disk.fill()
  expect(await nextNight()).toEqual(['2026-05-01'])
  expect(await site.storage.list('incoming')).toEqual([])
  expect(site.takeLoggedProblems()).toHaveLength(2)

  disk.free()
  await site.storage.remove(own)
  expect(await nextNight()).toEqual(['2026-05-04', '2026-05-01'])
})

/** A site whose backup jobs end as the test says. */
async function openStubbed(parts: Parameters<typeof runJobs>[1] = {}) {
  const site = await openSite('sqlite')
  const stub = { started: [] as string[], answer: async (): Promise<unknown> => ({}) }
  const startJob = async (job: Job) => {
    // Has tests of its own.
    if (job.kind === 'integrity') return {}
    stub.started.push(job.kind)
    return stub.answer()
  }
  await writeJob(site.db, 'nightly', { lastSuccess: due })
  const run = async () => {
    await runJobs(site, { ...parts, startJob })
    return stub.started.splice(0)
  }
  return { ...site, stub, run, row: (name: JobName) => rowOf(site, name) }
}
const rejecting = (code: string) => async () => Promise.reject(Object.assign(new Problem('unexpected'), { code }))

test('a nightly backup waits while something else is made', async () => {
  const { run, stub, row, ...site } = await openStubbed()
  await writeJob(site.db, 'nightly', { lastSuccess: null })
  stub.answer = rejecting('backup_in_progress')
  expect([await run(), await run()]).toEqual([['night'], ['night']])
  expect(await row('nightly')).toMatchObject({ failures: 0, lastSuccess: null })
})

test('a copy is tried after each start and while a backup waits for it, and not again at once where it failed', async () => {
  const { run, stub, row, ...site } = await openStubbed({
    config: { ...readConfig({}), offsite: { kind: 'folder', folder: '/nowhere' } },
  })
  stub.answer = rejecting('backup_in_progress')
  expect(await run()).toEqual(['copy'])
  expect(await row('copy')).toMatchObject({ failures: 0 })
  stub.answer = rejecting('backup_stalled')
  expect(await run()).toEqual(['copy'])
  expect(await row('copy')).toMatchObject({ failures: 1, lastError: { code: 'backup_stalled' } })
  expect(await run()).toEqual([])
  site.clock.pass({ minutes: 5 })
  stub.answer = async () => undefined
  expect(await run()).toEqual(['copy'])
  expect(await row('copy')).toMatchObject({ failures: 0, lastSuccess: site.clock.now().toISOString() })
  expect(site.takeLoggedProblems()).toHaveLength(1)
})

test('a restore is tested a day after the start, every 30 days, and the day after one that failed', async () => {
  const { run, stub, row, clock, ...site } = await openStubbed()
  const filename = 'complete_backup_2026-04-30T09-00-00Z-x7k2.zip'
  const partial = 'complete_backup_2026-04-30T10-00-00Z-x7k2_without_2_photos.zip'
  await site.storage.put(storedBackup(partial), Buffer.from(''))
  // There is none to test.
  expect(await run()).toEqual([])
  await site.storage.put(storedBackup(filename), Buffer.from(''))
  await site.db.updateTable('site').set({ createdAt: clock.now().toISOString() }).execute()
  expect(await run()).toEqual([])
  await site.db
    .updateTable('site')
    .set({ createdAt: daysBefore(clock.now(), 1).toISOString() })
    .execute()
  stub.answer = rejecting('trial_differs')
  expect(await run()).toEqual(['restore-test'])
  expect(await row('restore-test')).toMatchObject({
    ...{ failures: 1, lastError: { code: 'trial_differs' }, result: { filename } },
  })
  expect(await run()).toEqual([])
  stub.answer = async () => ({ onBuiltIn: true })
  clock.pass({ days: 1 })
  await updateBackupState(site.db, { nightly: false })
  expect(await run()).toEqual(['restore-test'])
  expect(await row('restore-test')).toMatchObject({ failures: 0, lastError: null, result: { filename, onBuiltIn: true } })
  clock.pass({ days: 29, hours: 23 })
  expect(await run()).toEqual([])
  clock.pass({ hours: 1 })
  expect(await run()).toEqual(['restore-test'])
  expect(site.takeLoggedProblems()).toHaveLength(1)
})

const timeZone = 'America/Mexico_City'
const iso = (moment: Date | undefined) => moment?.toISOString().slice(0, 16)

const daysOf2026 = Array.from({ length: 365 }, (_, number) => daysAfter('2026-01-01', number))

describe('when a backup is due', () => {
  test.each([
    // 03:00 there is 09:00 here.
    ['2026-05-02T08:59:59.999Z', '2026-05-01T09:00', '2026-05-02T09:00'],
    ['2026-05-02T09:00:00.000Z', '2026-05-02T09:00', '2026-05-03T09:00'],
    ['2026-05-02T05:00:00.000Z', '2026-05-01T09:00', '2026-05-02T09:00'],
  ])('at %s it was due at %s, and is next at %s', (moment, last, next) => {
    const schedule = { now: new Date(moment), at: '03:00', timeZone }
    expect([iso(lastDue(schedule)), iso(nextDue(schedule))]).toEqual([last, next])
  })

  test.each([
    ['Europe/Madrid', '02:30'],
    ['Europe/Madrid', '00:00'],
    ['America/Santiago', '00:00'],
    ['America/New_York', '01:30'],
    ['Australia/Lord_Howe', '02:00'],
    ['Asia/Kolkata', '23:59'],
  ])('in %s at %s that is once for each day of a year, whatever is done to the clocks', (zone, at) => {
    const days: string[] = []
    let due = new Date('2025-12-30T00:00:00.000Z')
    for (;;) {
      const schedule = { now: due, at, timeZone: zone }
      const next = nextDue(schedule)
      const day = dayIn(zone, next)
      if (day > '2026-12-31') break
      expect(lastDue({ ...schedule, now: next })).toEqual(next)
      expect(lastDue({ ...schedule, now: new Date(next.getTime() - 1) })).toEqual(lastDue(schedule))
      days.push(day)
      due = next
    }
    expect(days.filter((day) => day >= '2026-01-01')).toEqual(daysOf2026)
  })
})

describe('it is time for a backup', () => {
  type Details = { row?: Partial<JobRow> } & Partial<Omit<NightlyBackup, 'now' | 'row'>>
  const night = (now: string, { row, ...details }: Details = {}): NightlyBackup => ({
    ...{ at: '03:00', timeZone, isOn: true, siteCreatedAt: '2026-01-01T00:00:00.000Z', ...details },
    row: jobRows([{ name: 'nightly', lastSuccess: '2026-05-01T09:00:00.000Z', ...row }]).nightly,
    now: new Date(now),
  })

  test('from the due moment on until it is made, and so after a machine has slept', () => {
    expect(isDueNow(night('2026-05-02T08:59:00.000Z'))).toBe(false)
    expect(isDueNow(night('2026-05-02T09:00:00.000Z'))).toBe(true)
    expect(iso(dueSince(night('2026-05-09T20:00:00.000Z')))).toBe('2026-05-09T09:00')
    const evening = (lastSuccess: string | null) => isDueNow(night('2026-05-02T20:00:00.000Z', { row: { lastSuccess } }))
    expect([evening('2026-05-02T19:00:00.000Z'), evening(null)]).toEqual([false, true])
    // By a clock that was ahead.
    expect(evening('2030-01-01T09:00:00.000Z')).toBe(true)
  })

  test('not while it is switched off, and not before the first due moment of a new site', () => {
    expect(isDueNow(night('2026-05-02T09:00:00.000Z', { isOn: false }))).toBe(false)
    const young = { siteCreatedAt: '2026-05-02T10:00:00.000Z', row: { lastSuccess: null } }
    expect(isDueNow(night('2026-05-03T08:59:00.000Z', young))).toBe(false)
    expect(isDueNow(night('2026-05-03T09:00:00.000Z', young))).toBe(true)
  })

  test('after a failure when it is to be tried again, or when the next night has come', () => {
    const failed = (at: string, nextTry: string) => ({ row: { failures: 1, lastError: { code: 'disk_full', at }, nextTry } })
    const early = failed('2026-05-02T09:00:00.000Z', '2026-05-02T09:05:00.000Z')
    expect(isDueNow(night('2026-05-02T09:04:59.000Z', early))).toBe(false)
    expect(isDueNow(night('2026-05-02T09:05:00.000Z', early))).toBe(true)
    const late = failed('2026-05-03T08:59:00.000Z', '2026-05-03T09:59:00.000Z')
    expect(isDueNow(night('2026-05-03T08:59:30.000Z', late))).toBe(false)
    expect(isDueNow(night('2026-05-03T09:00:00.000Z', late))).toBe(true)
  })
})

test('a mail tells what has failed three times, a day after the last mail, and what has not been copied for a day', () => {
  const now = new Date('2026-05-02T09:00:00.000Z')
  const failing = (failures: number, { at = '2026-05-02T08:30:00.000Z', code = 'unexpected', lastSuccess = '' } = {}) => ({
    ...{ failures, lastError: { code, at }, nextTry: at, lastSuccess: lastSuccess || null },
  })
  const mailed = (rows: Partial<Record<JobName, Partial<JobRow>>>, { isCopied = true } = {}) => {
    const all = jobNames.map((name) => ({ ...rows[name], name }))
    return faultsToMail(jobRows(all), { now, isCopied }).map(({ job }) => job)
  }
  const allFailing = (times: number) => ({ nightly: failing(times), copy: failing(times), 'restore-test': failing(times) })
  expect(mailed({})).toEqual([])
  expect(mailed(allFailing(2))).toEqual([])
  expect(mailed(allFailing(3))).toEqual(['nightly', 'copy', 'restore-test'])
  expect(mailed(allFailing(3), { isCopied: false })).toEqual(['nightly', 'restore-test'])
  expect(mailed({ copy: failing(9, { lastSuccess: '2026-05-01T09:00:01.000Z' }) })).toEqual([])
  expect(mailed({ copy: failing(9, { lastSuccess: '2026-05-01T09:00:00.000Z' }) })).toEqual(['copy'])
  const lastMail = (lastSuccess: string) => ({ 'fault-mails': { lastSuccess } })
  expect(mailed({ nightly: failing(9), ...lastMail('2026-05-01T09:00:01.000Z') })).toEqual([])
  expect(mailed({ nightly: failing(9), ...lastMail('2026-05-01T09:00:00.000Z') })).toEqual(['nightly'])
  const noRoom = failing(9, { code: 'disk_full' })
  expect(mailed({ nightly: noRoom, 'restore-test': noRoom })).toEqual(['nightly'])
  // Nothing has been tried since: the maker knows.
  const old = failing(3, { at: '2026-04-01T00:00:00.000Z' })
  expect(mailed({ 'restore-test': old, ...lastMail('2026-04-02T00:00:00.000Z') })).toEqual([])
})
