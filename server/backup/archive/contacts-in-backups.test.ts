import { describe, expect, test } from 'vitest'
import { createCompleteBackup } from '#contract/backups.ts'
import { contactLimits } from '#contract/contact-fields.ts'
import { mostReplies } from '#contract/contacts.admin.ts'
import { anAnsweredContact, aReply, backupCalls, contentOf, everythingIn, storeContact } from '#tests/backups.ts'
import { openTestApp } from '#tests/test-app.ts'

const answered = { ...anAnsweredContact, photos: [...anAnsweredContact.photos] }

// Which changes count is proven by merge.rules.test.ts, and what both databases write by restore.test.ts.
describe('messages in backups', () => {
  async function openSite() {
    const site = await openTestApp('sqlite')
    return { ...site, ...(await backupCalls(site)) }
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

  test('an export names photos and brings none; a complete backup brings them to the messages that are there by then', async () => {
    const site = await openSite()
    await storeContact(site, { ...answered, replies: [aReply(), aReply({ sentAt: null })] })
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
    // What a file brings is never mailed, and the photos of visitors are not public.
    expect(await everythingIn(other)).toMatchObject({ mails: [], objects: [] })
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
