import { expect, onTestFinished, test } from 'vitest'
import { contactPhotoName } from '#server/features/contacts/photos.queries.ts'
import { imageName } from '#server/features/images/image.rules.ts'
import { createImages } from '#server/features/images/image-store.ts'
import { aReply, aStoredPhoto, fill, storeContact } from '#tests/backups.ts'
import { storeVersion } from '#tests/factories.ts'
import { openTestApp } from '#tests/test-app.ts'
import { openContactPhotos } from './archive/backup-photos.ts'
import { createBackups } from './create-backups.ts'
import { findDifference } from './find-difference.ts'

/** A backup of a full site, and a site into which it was restored. */
async function openRestored() {
  const source = await openTestApp('sqlite')
  const { projects, messages } = await fill(source)
  // As another program may have left it.
  await source.db.updateTable('projects').set({ scale: ' 1:48 ' }).where('title', '=', 'Second').execute()
  const backups = createBackups({ ...source, images: createImages(source) })
  const file = await backups.open((await backups.keepComplete()).filename)
  if (!file) throw new Error('The backup is not there.')
  onTestFinished(() => file.close())
  const site = await openTestApp('sqlite')
  const images = createImages(site)
  await createBackups({ ...site, images }).restoreComplete(file)
  const photos = { images, inquiryPhotos: openContactPhotos({ ...site, judge: images.judge }) }
  return { ...site, projects, messages, compare: () => findDifference(file, { db: site.db, photos }) }
}

type Restored = Awaited<ReturnType<typeof openRestored>>

test('a site into which a backup was restored is as the backup says', async () => {
  const site = await openRestored()
  expect(await site.compare()).toBeUndefined()
})

test.each<[string, (site: Restored) => Promise<object>]>([
  [
    'a text of a project',
    async ({ db, projects: [project] }) => {
      await db
        .updateTable('projects')
        .set({ scale: '1:1' })
        .where('id', '=', project?.id ?? '')
        .execute()
      return { list: 'projects', id: project?.id, field: 'scale' }
    },
  ],
  [
    'its place in the trash',
    async ({ db, projects: [project], clock }) => {
      const deletedAt = clock.now().toISOString()
      await db
        .updateTable('projects')
        .set({ deletedAt })
        .where('id', '=', project?.id ?? '')
        .execute()
      return { list: 'projects', id: project?.id, field: 'deletedAt' }
    },
  ],
  [
    'a caption of its photos',
    async ({ db, projects: [project] }) => {
      await db
        .deleteFrom('projectPhotos')
        .where('projectId', '=', project?.id ?? '')
        .execute()
      return { list: 'projects', id: project?.id, field: 'photos' }
    },
  ],
  [
    'a message that is gone',
    async ({ db, messages: [, message] }) => {
      await db
        .deleteFrom('contactMessages')
        .where('id', '=', message?.id ?? '')
        .execute()
      return { list: 'contacts', id: message?.id, field: null }
    },
  ],
  [
    'a reply to it',
    async ({ db, messages: [message] }) => {
      await db.updateTable('contactReplies').set({ sentAt: null }).execute()
      return { list: 'contacts', id: message?.id, field: 'replies' }
    },
  ],
  [
    'a message too many',
    async (site) => {
      await storeContact(site, { replies: [aReply()] })
      return { list: 'contacts', expected: 2, found: 3 }
    },
  ],
  [
    'a text of the site',
    async ({ db }) => {
      await storeVersion(db, { 'maker.brand': 'Another' })
      return { site: 'maker.brand' }
    },
  ],
  [
    'the file of a photo',
    async ({ storage }) => {
      const { hash } = await aStoredPhoto(2)
      await storage.put(imageName(hash), Buffer.from('another'))
      return { photo: { kind: 'images', hash } }
    },
  ],
  [
    'the row of a photo',
    async ({ db }) => {
      const { hash } = await aStoredPhoto(3)
      await db.deleteFrom('images').where('hash', '=', hash).execute()
      return { photo: { kind: 'images', hash } }
    },
  ],
  [
    'a photo that came with a message',
    async ({ storage }) => {
      const { hash } = await aStoredPhoto(21)
      await storage.remove(contactPhotoName(hash))
      return { photo: { kind: 'inquiryPhotos', hash } }
    },
  ],
])('%s is found when it differs', async (_, change) => {
  const site = await openRestored()
  const difference = await change(site)
  expect(await site.compare()).toEqual(difference)
})
