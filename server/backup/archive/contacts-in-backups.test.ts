import { describe, expect, test } from 'vitest'
import { createCompleteBackup } from '#contract/backups.ts'
import { contactLimits } from '#contract/contact-fields.ts'
import { listContacts, mostReplies } from '#contract/contacts.admin.ts'
import type { ContactMessageRow } from '#server/database/tables.ts'
import { contactPhotoName } from '#server/features/contacts/photos.queries.ts'
import { anAnsweredContact, aReply, backupCalls, contentOf, everythingIn, storeContact } from '#tests/backups.ts'
import { openTestApp, sites } from '#tests/test-app.ts'

const answered = { ...anAnsweredContact, photos: [...anAnsweredContact.photos] }
const later = '2026-04-09T00:00:00.000Z'

describe.each(sites)('messages in backups on %s and %s', (dialect, storage) => {
  async function openSite() {
    const site = await openTestApp(dialect, { storage })
    const change = (id: string, to: Partial<ContactMessageRow>) =>
      site.db.updateTable('contactMessages').set(to).where('id', '=', id).execute()
    /** For good, with all that belongs to it. */
    const forget = async (id: string, photos: readonly string[]) => {
      await site.db.deleteFrom('contactMessages').where('id', '=', id).execute()
      await site.db.deleteFrom('contactPhotos').where('contactId', 'is', null).execute()
      for (const hash of photos) await site.storage.remove(contactPhotoName(hash))
    }
    return { ...site, ...(await backupCalls(site)), change, forget }
  }
  type Site = Awaited<ReturnType<typeof openSite>>

  const contactsOf = async (site: Site) => (await contentOf(site)).contacts
  /** As the file has it, twice: the second time there is nothing to do. */
  async function restoreTwice(site: Site, archive: Buffer) {
    const report = await site.restore(archive)
    const before = await everythingIn(site)
    expect(await site.restore(archive)).toMatchObject({
      imported: { projects: 0, contacts: 0, images: 0, inquiryPhotos: 0 },
    })
    expect(await everythingIn(site)).toEqual(before)
    return report
  }

  test('a complete backup brings an empty site everything of them, out of sight what is spam, and no mail', async () => {
    const site = await openSite()
    const { id } = await storeContact(site, { ...answered, replies: [aReply(), aReply({ sentAt: null })] })
    await storeContact(site, { state: 'spam', spamReason: 'many_links', createdAt: later, photos: [24] })
    const before = await contactsOf(site)
    expect((await site.exported()).contacts.map(({ photos, replies }) => [photos.length, replies.length])).toEqual([
      [1, 0],
      [2, 2],
    ])
    const other = await openSite()
    expect(await restoreTwice(other, await site.completeBackup())).toMatchObject({
      added: { contacts: 2, inquiryPhotos: 3 },
      missingImages: 0,
    })
    expect(await contactsOf(other)).toEqual(before)
    const { mails, objects } = await everythingIn(other)
    expect({ mails, objects }).toEqual({ mails: [], objects: [] })
    expect((await other.ask(listContacts, other.as)).map((contact) => contact.id)).toContain(id)
  })

  test('an old backup takes back nothing of what was done since, and brings back what was deleted', async () => {
    const site = await openSite()
    const first = await storeContact(site, { photos: [21] })
    const second = await storeContact(site, answered)
    const asSpam = await storeContact(site, { state: 'spam', spamReason: 'too_fast' })
    const archive = await site.completeBackup()
    const before = (await contactsOf(site)).find(({ id }) => id === second.id)
    await site.change(first.id, { state: 'answered', note: 'Called.', changedAt: later })
    await site.change(second.id, { state: 'closed', note: null, changedAt: later })
    await site.change(asSpam.id, { state: 'new', changedAt: later })
    await site.db
      .insertInto('contactReplies')
      .values({ ...aReply(), contactId: first.id })
      .execute()
    const since = await everythingIn(site)
    expect(await site.restore(archive)).toMatchObject({ imported: { contacts: 0 } })
    expect(await everythingIn(site)).toEqual(since)

    await site.forget(second.id, second.photos)
    expect(await restoreTwice(site, archive)).toMatchObject({ added: { contacts: 1, inquiryPhotos: 2 } })
    expect(await contactsOf(site)).toEqual(since.contacts.map((contact) => (contact.id === second.id ? before : contact)))
  })

  test('a restore brings what was done later than here, never back to new; an import changes nothing', async () => {
    const site = await openSite()
    const sent = aReply()
    const contact = await storeContact(site, { ...answered, replies: [sent] })
    const asSpam = await storeContact(site, { state: 'new', changedAt: later, note: 'No spam at all.' })
    const reopened = await storeContact(site, { state: 'new', changedAt: later, note: 'Wrote again.' })
    const archive = await site.completeBackup()
    const data = await site.exported()
    const after = await contactsOf(site)

    // As after going back to a database of an earlier day.
    await site.change(contact.id, { state: 'new', note: null, changedAt: null })
    await site.change(asSpam.id, { state: 'spam', spamReason: 'known_pattern', changedAt: null, note: null })
    await site.change(reopened.id, { state: 'quoted', changedAt: null, note: null })
    await site.db.updateTable('contactReplies').set({ sentAt: null }).execute()
    await site.db.deleteFrom('contactPhotos').where('position', '=', 1).execute()
    const gone = await everythingIn(site)
    expect(await site.importing(data)).toMatchObject({ imported: { contacts: 0 } })
    expect(await everythingIn(site)).toEqual(gone)

    expect(await restoreTwice(site, archive)).toMatchObject({
      imported: { contacts: 3, inquiryPhotos: 1 },
      added: { contacts: 0 },
      broughtBack: { contacts: 3 },
    })
    const expected = after.map((contact) => (contact.id === reopened.id ? { ...contact, state: 'quoted' } : contact))
    expect(await contactsOf(site)).toEqual(expected)
    expect((await everythingIn(site)).mails).toEqual([])
  })

  test('an export names photos and brings none; a complete backup brings them to the messages that are there by then', async () => {
    const site = await openSite()
    await storeContact(site, answered)
    const data = await site.exported()
    const other = await openSite()
    expect(await other.importing(data)).toMatchObject({
      added: { contacts: 1, inquiryPhotos: 0 },
      missingImages: 2,
    })
    expect((await contactsOf(other))[0]?.photos).toEqual([])
    expect(await other.importing(data)).toMatchObject({ imported: { contacts: 0 }, missingImages: 2 })
    expect(await restoreTwice(other, await site.completeBackup())).toMatchObject({
      imported: { contacts: 1, inquiryPhotos: 2 },
      broughtBack: { contacts: 1 },
      missingImages: 0,
    })
    expect(await contactsOf(other)).toEqual(await contactsOf(site))

    // The bytes are still here where only the database was lost; a file that is not what its name says is not taken.
    await other.db.deleteFrom('contactMessages').execute()
    await other.db.deleteFrom('contactPhotos').execute()
    const [photo = ''] = (await contactsOf(site))[0]?.photos.map(({ hash }) => hash) ?? []
    await other.storage.put(contactPhotoName(photo), Buffer.from('something else'))
    expect(await other.importing(data)).toMatchObject({ added: { contacts: 1 }, missingImages: 1 })
    expect((await contactsOf(other))[0]?.photos).toMatchObject([{ position: 1, width: 64, height: 48 }])
  })

  test('a photo of a visitor that is gone is told of, a damaged one with who sent it, and both come back', async () => {
    const site = await openSite()
    const { photos } = await storeContact(site, { ...answered, name: 'Ada' })
    const [first = '', second = ''] = photos
    const archive = await site.completeBackup()
    const before = await contentOf(site)
    await site.storage.remove(contactPhotoName(first))
    expect(await site.ask(createCompleteBackup, site.as)).toMatchObject({
      filename: expect.stringMatching(/_without_1_photos\.zip$/),
      message: expect.stringContaining('For photos from messages, restore a complete backup that has them.'),
      counts: { images: 0, inquiryPhotos: 1 },
      missingImages: 1,
      missingFrom: { projects: [], others: 0 },
      missingFromMessages: 1,
    })
    await site.storage.put(contactPhotoName(second), Buffer.from('rotten'))
    const refused = await site.call(createCompleteBackup, site.as)
    expect(refused.json()).toMatchObject({
      code: 'stored_image_damaged',
      message: expect.stringMatching(/^A stored photo of the message from “Ada” is damaged.* or delete those messages/),
      details: { photos: 1, projects: [], others: 0, senders: ['Ada'] },
    })
    expect(site.takeLoggedProblems()).toHaveLength(1)
    expect(await restoreTwice(site, archive)).toMatchObject({ imported: { contacts: 0, inquiryPhotos: 2 } })
    expect(await contentOf(site)).toEqual(before)
  })
})

test('the largest message that can be is no obstacle to a backup, which is read again before it is kept', async () => {
  const site = await openTestApp('sqlite')
  const replies = Array.from({ length: mostReplies }, () => aReply({ text: '漢'.repeat(contactLimits.reply) }))
  await storeContact(site, {
    message: '\u0002'.repeat(contactLimits.message),
    note: '漢'.repeat(contactLimits.message),
    replies,
  })
  expect(await site.ask(createCompleteBackup, { as: await site.signedIn() })).toMatchObject({ counts: { contacts: 1 } })
})
