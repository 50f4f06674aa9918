import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { allVariants, contentTypeOf, imageName, variantName } from '#server/features/images/image.rules.ts'
import { aPasskeyOf } from '#tests/authenticator.ts'
import { aStoredPhoto, everythingIn, fill } from '#tests/backups.ts'
import { aStoredProject, storeContact, storeProject, storeVersion } from '#tests/factories.ts'
import { openTestApp } from '#tests/test-app.ts'
import { openTestDatabase } from '#tests/test-database.ts'
import { openTestStorage } from '#tests/test-storage.ts'
import type { Db } from '../database/tables.ts'
import { findPasskey, insertPasskey } from '../features/accounts/passkeys.queries.ts'
import { contactPhotoName, insertContactPhotos } from '../features/contacts/photos.queries.ts'
import { listContentTypes } from '../features/images/images.queries.ts'
import { readJobs, writeJob } from '../jobs/jobs.ts'
import { putIntoOutbox } from '../mail/outbox.queries.ts'
import type { Storage } from '../storage/storage.ts'
import { moveFiles } from './move-files.ts'
import { moveRecords } from './move-records.ts'

const now = new Date('2026-05-01T12:00:00.000Z')

/** A site that has been used for a while. */
async function aGrownSite() {
  const site = await openTestApp('sqlite')
  const { adminId } = await site.signedIn()
  await insertPasskey(site.db, aPasskeyOf(adminId))
  await site.addAdmin({ username: 'Álvaro' })
  const { photos, messages } = await fill(site)
  for (const { hash } of photos) site.variants.prepare(hash)
  await site.variants.settled()
  const { hash, content, contentType, width, height } = await aStoredPhoto(23)
  const unsent = { hash, contentType, bytes: content.length, width, height, position: 0, createdAt: '2026-05-01T12:00:00.000Z' }
  await insertContactPhotos(site.db, [{ ...unsent, id: 'of a ticket', contactId: null }])
  await site.storage.put(contactPhotoName(hash), content)
  const message = { to: 'ana@example.com', replyTo: [{ name: 'É', address: 'z@example.com' }], subject: '🚢', text: 'Sí.\n' }
  await putIntoOutbox(
    site.db,
    { kind: 'reply', contactId: messages[0]?.id, replyId: messages[0]?.replies[0]?.id, message },
    now,
  )
  const words = { 'es.hero.title': 'ñandú', 'en.hero.title': '\ud83d\udea2 "\\u0000" \'', 'maker.phones.1': '' }
  await storeVersion(site.db, words)
  await site.db
    .insertInto('siteDraft')
    .values({
      id: 1,
      changes: JSON.stringify({ 'maker.brand': null, ...words, 'en.hero.subtitle': '</script>' }),
      revision: 'of the draft',
      author: 'Álvaro',
      changedAt: '2026-05-01T12:00:00Z',
    })
    .execute()
  await site.db.updateTable('site').set({ firstStepsDone: true, backupTakenAt: '2026-05-01T12:00:00.000Z' }).execute()
  for (let number = 0; number < 1_100; number += 1) {
    const message = { name: `Ana ${number} 🚢`, email: 'ana@example.com', projectType: null, message: 'É' }
    await storeContact(site.db, { ...message, id: randomUUID(), createdAt: '2026-05-01T12:00:00Z' })
  }
  await site.storage.put('backups/export_2026-05-01T12-00-00Z.json', Buffer.from('{}'))
  await site.storage.put('uploads/of-the-moment', Buffer.from('half a photo'))
  return site
}

async function takeFiles(source: Awaited<ReturnType<typeof aGrownSite>>, target: Storage) {
  const types = await listContentTypes(source.db)
  const steps: string[] = []
  const report = await moveFiles(source.storage, target, {
    contentTypeOf: (name) => contentTypeOf(name, types),
    progress: (done, total) => steps.push(`${done} of ${total}`),
  })
  return { report, steps }
}

describe('moving a grown site to PostgreSQL and a bucket', () => {
  test('takes every account, record and file, and leaves sessions behind and the source as it was', async () => {
    const source = await aGrownSite()
    const [at, nextTry] = ['2026-05-01T09:00:00.000Z', '2026-05-01T10:00:00.000Z']
    await writeJob(source.db, 'copy', { failures: 3, lastError: { code: 'disk_full', at }, nextTry })
    const zone = { name: 'timeZone', value: '{"timeZone":"UTC"}', secret: null, setAt: at } as const
    await source.db.insertInto('settings').values(zone).execute()
    const before = await everythingIn(source)
    const database = await openTestDatabase('postgres')
    const storage = await openTestStorage('s3')

    const { report, steps } = await takeFiles(source, storage)
    const tables = await moveRecords(source.database, database)

    const { sessions, ...moved } = before
    const momentsAsOne = (found: typeof before.contacts) =>
      found.map((contact) => ({ ...contact, createdAt: new Date(contact.createdAt).toISOString() }))
    const draft = before.draft.map((row) => ({ ...row, changedAt: new Date(row.changedAt).toISOString() }))
    expect(sessions).toHaveLength(1)
    const after = await everythingIn({ db: database.db, storage })
    expect(after).toEqual({ ...moved, contacts: momentsAsOne(before.contacts), draft, sessions: [] })
    expect(await everythingIn(source)).toEqual(before)
    expect(tables.map(({ table, rows }) => [table, rows])).toEqual([
      ['adminUsers', 2],
      ['images', 3],
      ['projects', 3],
      ['projectTexts', 1],
      ['projectPhotos', 2],
      ['projectPhotoTexts', 1],
      ['projectAddresses', 3],
      ['contactMessages', 1_102],
      ['contactReplies', 1],
      ['contactPhotos', 3],
      ['outbox', 1],
      ['siteVersions', 2],
      ['siteDraft', 1],
      ['knownBackups', 0],
      ['jobs', 1],
      ['mergedRecords', 0],
      ['passkeys', 1],
      ['activity', 1],
      ['statistics', 2],
      ['settings', 1],
    ])
    const passkey = await findPasskey(database.db, aPasskeyOf('').id)
    expect(passkey).toEqual(aPasskeyOf(passkey?.adminId ?? ''))
    // What visitors see has another version there.
    const siteOf = async (db: Db) => {
      const { contentVersion: _version, ...row } = await db.selectFrom('site').selectAll().executeTakeFirstOrThrow()
      return row
    }
    expect(await siteOf(database.db)).toEqual(await siteOf(source.db))
    expect(await readJobs(database.db)).toEqual(await readJobs(source.db))
    expect(report.map(({ folder, files }) => [folder, files])).toEqual([
      ['objects', 3],
      ['variants', 3 * allVariants.length],
      ['inquiry-photos', 3],
      ['aside', 0],
      ['backups', 1],
    ])
    const files = 3 + 3 * allVariants.length + 3 + 1
    expect(steps.at(-1)).toBe(`${files} of ${files}`)
    const [photo] = before.images
    for (const name of [imageName(photo?.hash ?? ''), variantName(photo?.hash ?? '', { width: 480, format: 'avif' })]) {
      expect(await storage.read(name)).toEqual(await source.storage.read(name))
    }
    expect(await storage.list('uploads')).toEqual([])
    // What a visitor has not sent yet comes along as well.
    const unsent = await database.db.selectFrom('contactPhotos').select('hash').where('contactId', 'is', null).execute()
    expect(unsent.map(({ hash }) => hash)).toEqual([(await aStoredPhoto(23)).hash])
  })

  test('can be begun again, and then changes nothing', async () => {
    const source = await aGrownSite()
    const database = await openTestDatabase('postgres')
    const storage = await openTestStorage('s3')
    const [photo] = await source.storage.list('objects')
    // As a move leaves it that was stopped.
    await storage.put(photo?.name ?? '', (await source.storage.read(photo?.name ?? '')) ?? Buffer.alloc(0))
    const first = [(await takeFiles(source, storage)).report, await moveRecords(source.database, database)]
    const after = await everythingIn({ db: database.db, storage })
    expect([(await takeFiles(source, storage)).report, await moveRecords(source.database, database)]).toEqual(first)
    expect(await everythingIn({ db: database.db, storage })).toEqual(after)
  })

  test('takes no database that is in use by another site', async () => {
    const source = await aGrownSite()
    const database = await openTestDatabase('postgres')
    await storeProject(database.db, aStoredProject({ title: 'Of another site' }))
    await expect(moveRecords(source.database, database)).rejects.toThrow('The database to move to is not empty.')
    expect(await database.db.selectFrom('projects').select('title').execute()).toEqual([{ title: 'Of another site' }])
    expect(await database.db.selectFrom('adminUsers').selectAll().execute()).toEqual([])
  })

  test('takes no bucket that has files already, and overwrites nothing', async () => {
    const source = await aGrownSite()
    const foreign = await openTestStorage('s3')
    await foreign.put('objects/of-another-site', Buffer.from('theirs'))
    await expect(takeFiles(source, foreign)).rejects.toThrow('objects/of-another-site, which this site does not have')
    expect(await foreign.list('variants')).toEqual([])

    const spoilt = await openTestStorage('s3')
    const [photo] = await source.storage.list('objects')
    await spoilt.put(photo?.name ?? '', Buffer.from('something else'))
    await expect(takeFiles(source, spoilt)).rejects.toThrow('is another one there than here')
    expect(await spoilt.read(photo?.name ?? '')).toEqual(Buffer.from('something else'))
  })
})
