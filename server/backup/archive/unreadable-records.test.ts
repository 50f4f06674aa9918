import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { backups as backupsEn } from '#content/en/backups.ts'
import { readBackupStatus } from '#contract/backup-status.ts'
import {
  createCompleteBackup,
  downloadBackup,
  exportData,
  importData,
  listBackups,
  restoreComplete,
} from '#contract/backups.ts'
import { applyMerge, undoMerge } from '#contract/restores.ts'
import { readJobs } from '#server/jobs/jobs.ts'
import { anExport, fill, formWith } from '#tests/backups.ts'
import { aStoredProject, storeVersion } from '#tests/factories.ts'
import { runBackupJobs } from '#tests/jobs.ts'
import { openTestApp } from '#tests/test-app.ts'
import { databases } from '#tests/test-database.ts'
import { storedBackup } from '../backup-names.ts'
import { startChecksum } from './export.rules.ts'

describe.each(databases)('with records that an import would refuse, on %s', (dialect) => {
  /** As no call stores them: a model of an unknown category, a message without a name, and a text of the site that is too long. */
  async function openSite() {
    const site = await openTestApp(dialect)
    const as = { as: await site.signedIn() }
    const { projects, messages } = await fill(site)
    const [, second] = projects
    const [ada] = messages
    await site.db
      .updateTable('projects')
      .set({ category: sql`'trains'` })
      .where('id', '=', second?.id ?? '')
      .execute()
    await site.db
      .updateTable('contactMessages')
      .set({ name: ' ' })
      .where('id', '=', ada?.id ?? '')
      .execute()
    await storeVersion(site.db, { 'maker.brand': 'x'.repeat(3_000), 'maker.city': 'Xalapa' })
    return { ...site, as, second, ada }
  }

  test('a complete backup is made of all others, names those, says so in its name, and is restored', async () => {
    const { ask, call, as, ada } = await openSite()
    const made = await ask(createCompleteBackup, as)
    expect(made).toMatchObject({
      filename: expect.stringMatching(/Z-\w{4}_without_3_records\.zip$/),
      counts: { projects: 2, contacts: 1, images: 3, inquiryPhotos: 0 },
      missingImages: 0,
      missingRecords: 3,
      leftOut: { projects: ['Second', ada?.id], others: 0, site: true },
    })
    expect(made.message).toBe(backupsEn.leftOut(made.leftOut))
    expect(ada?.photos).toHaveLength(2)
    const { files } = await ask(listBackups, as)
    expect(files).toMatchObject([{ filename: made.filename, missingRecords: 3, isLast: true }])
    const state = await ask(readBackupStatus, as)
    expect(state).toMatchObject({ lastGood: null, warnings: expect.arrayContaining(['records_missing']) })

    const archive = (await call(downloadBackup, { params: { filename: made.filename }, ...as })).rawPayload
    const other = await openTestApp(dialect)
    const report = await other.ask(restoreComplete, { ...formWith(archive), as: await other.signedIn() })
    expect(report).toMatchObject({ added: { projects: 2, contacts: 1, images: 3 }, site: { added: 1 } })
  })

  test('the nightly backup is made', async () => {
    const { app, clock, ...site } = await openSite()
    await site.db.updateTable('site').set({ createdAt: '2026-01-01T00:00:00.000Z' }).execute()
    await runBackupJobs({ ...site, app, clock })
    expect((await readJobs(site.db)).nightly).toMatchObject({ lastError: null, lastSuccess: clock.now().toISOString() })
    const names = (await site.ask(listBackups, site.as)).backups
    expect(names).toEqual([expect.stringMatching(/_nightly_without_3_records\.zip$/)])
  })

  test('an export is imported, and says what is not in it', async () => {
    const { ask, as, ada } = await openSite()
    const { data, filename, leftOut } = await ask(exportData, as)
    expect(filename).toMatch(/_without_3_records\.json$/)
    expect(leftOut).toEqual({ projects: ['Second', ada?.id], others: 0, site: true })
    const other = await openTestApp(dialect)
    const report = await other.ask(importData, { body: data, as: await other.signedIn() })
    expect(report.imported).toMatchObject({ projects: 2, contacts: 1 })
  })

  test('a restore is undone, by a restore point of an older release too, as far as its records can be read', async () => {
    const { ask, db, storage, as } = await openSite()
    const file = anExport({ projects: [aStoredProject({ title: 'From the file' })], contacts: [] })
    await storage.put(storedBackup('export_2026-04-30T00-00-00Z-aaaa.json'), Buffer.from(JSON.stringify(file)))
    const source = { filename: 'export_2026-04-30T00-00-00Z-aaaa.json' }
    const merged = await ask(applyMerge, { body: { source, mode: 'restore', without: [] }, ...as })
    expect(merged).toMatchObject({
      canUndo: true,
      restorePoint: expect.stringMatching(/_restore_point_without_3_records\.json$/),
    })

    const name = storedBackup(merged.restorePoint ?? '')
    const { sha256: _sha256, projects, contacts, ...head } = JSON.parse((await storage.read(name))?.toString() ?? '')
    const poisoned = [...projects, { ...projects[0], id: crypto.randomUUID(), addresses: [''] }]
    const older = { ...head, counts: { projects: poisoned.length, contacts: contacts.length } }
    const sum = startChecksum(older)
    for (const record of [...poisoned, ...contacts]) sum.add(record)
    await storage.put(name, Buffer.from(JSON.stringify({ ...older, projects: poisoned, contacts, sha256: sum.digest() })))
    const undone = await ask(undoMerge, { params: { id: merged.id }, ...as })
    expect(undone.undone).toMatchObject({ takenOut: { projects: 1 }, left: 0 })
    expect(await db.selectFrom('projects').select('title').where('deletedAt', 'is not', null).execute()).toEqual([
      { title: 'From the file' },
    ])
  })
})
