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
import { fill, formWith } from '#tests/backups.ts'
import { storeVersion } from '#tests/factories.ts'
import { openTestApp } from '#tests/test-app.ts'

describe('with records that an import would refuse', () => {
  /**
   * As no call stores them: a model of an unknown category, a message without a name, a text
   * of the site that is too long, and a sum of visits of an unknown kind.
   */
  async function openSite() {
    const site = await openTestApp('sqlite')
    const as = { as: await site.signedIn() }
    const [ada] = (await fill(site)).messages
    await sql`update projects set category = 'trains' where title = 'Second'`.execute(site.db)
    await sql`update contact_messages set name = ' ' where name = 'ada'`.execute(site.db)
    await sql`update statistics set kind = 'address' where kind = 'visits'`.execute(site.db)
    await storeVersion(site.db, { 'maker.brand': 'x'.repeat(3_000), 'maker.city': 'Xalapa' })
    return { ...site, as, ada }
  }

  test('a complete backup and an export are made of all others, name those, say so in their names, and are restored', async () => {
    const { ask, call, as, ada } = await openSite()
    const made = await ask(createCompleteBackup, as)
    expect(made).toMatchObject({
      filename: expect.stringMatching(/Z-\w{4}_without_4_records\.zip$/),
      counts: { projects: 2, contacts: 1, images: 3, inquiryPhotos: 0 },
      missingImages: 0,
      missingRecords: 4,
      leftOut: { projects: ['Second'], senders: [ada?.id], others: 1, site: true },
    })
    expect(made.message).toBe(backupsEn.leftOut(made.leftOut))
    expect(ada?.photos).toHaveLength(2)
    const { files } = await ask(listBackups, as)
    expect(files).toMatchObject([{ filename: made.filename, missingRecords: 4, isLast: true }])
    const state = await ask(readBackupStatus, as)
    expect(state).toMatchObject({ lastGood: null, warnings: expect.arrayContaining(['records_missing']) })

    const archive = (await call(downloadBackup, { params: { filename: made.filename }, ...as })).rawPayload
    const other = await openTestApp('sqlite')
    const { cookie } = await other.signedIn()
    const report = await other.ask(restoreComplete, { ...formWith(archive), as: { cookie } })
    expect(report).toMatchObject({ added: { projects: 2, contacts: 1, images: 3 }, site: { added: 1 } })

    const { data, filename, leftOut } = await ask(exportData, as)
    expect(filename).toMatch(/_without_3_records\.json$/)
    // Without visits.
    expect(leftOut).toEqual({ ...made.leftOut, others: 0 })
    const again = await other.ask(importData, { body: data, as: { cookie } })
    expect(again).toMatchObject({ alreadyThere: { projects: 2, contacts: 1 } })
    const without = await ask(createCompleteBackup, as)
    expect((await ask(listBackups, as)).backups.toSorted()).toEqual([made.filename, filename, without.filename].toSorted())
  })
})
