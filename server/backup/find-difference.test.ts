import { expect, onTestFinished, test } from 'vitest'
import { contactPhotoName } from '#server/features/contacts/photos.queries.ts'
import { imageName } from '#server/features/images/image.rules.ts'
import { aReply, aStoredPhoto, fill, storeContact } from '#tests/backups.ts'
import { storeVersion } from '#tests/factories.ts'
import { openTestApp } from '#tests/test-app.ts'
import { openBackupFile } from './archive/read-backup.ts'
import { storedBackup } from './backup-names.ts'
import { findDifference } from './find-difference.ts'
import { noProgress } from './job.ts'
import { photosOf } from './restore/merge-records.ts'
import { mergeBackup } from './restore/restore.ts'
import { runJob } from './run-job.ts'

/** A backup of a full site, and a site into which it was restored. */
async function openRestored() {
  const source = await openTestApp('sqlite')
  const { projects, messages } = await fill(source)
  // As another program may have left it.
  await source.db.updateTable('projects').set({ scale: ' 1:48 ' }).where('title', '=', 'Second').execute()
  const { filename } = await runJob(source.jobs, { kind: 'make', type: 'complete' })
  const file = await source.storage.open(storedBackup(filename))
  if (!file) throw new Error('The backup is not there.')
  onTestFinished(() => file.close())
  const site = await openTestApp('sqlite')
  const incoming = await openBackupFile(file, filename)
  await mergeBackup(incoming, { mode: 'restore', filename }, site.jobs, noProgress)
  const photos = photosOf(site.jobs)
  return { ...site, projects, messages, compare: () => findDifference(incoming, { db: site.db, photos }, noProgress) }
}

type Restored = Awaited<ReturnType<typeof openRestored>>

const changeProject = async ({ db, projects: [project] }: Restored, values: { scale: string } | { deletedAt: string }) => {
  const id = project?.id ?? ''
  await db.updateTable('projects').set(values).where('id', '=', id).execute()
  return { list: 'projects', id, field: Object.keys(values)[0] }
}

test.each<[string, (site: Restored) => Promise<object | null>]>([
  ['nothing', async () => null],
  ['a text of a project', (site) => changeProject(site, { scale: '1:1' })],
  ['its place in the trash', (site) => changeProject(site, { deletedAt: site.clock.now().toISOString() })],
  [
    'a caption of its photos',
    async ({ db, projects: [project] }) => {
      const id = project?.id ?? ''
      await db.deleteFrom('projectPhotos').where('projectId', '=', id).execute()
      return { list: 'projects', id, field: 'photos' }
    },
  ],
  [
    'a message that is gone',
    async ({ db, messages: [, message] }) => {
      const id = message?.id ?? ''
      await db.deleteFrom('contactMessages').where('id', '=', id).execute()
      return { list: 'contacts', id, field: null }
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
])('where %s differs from the backup, that is found', async (_, change) => {
  const site = await openRestored()
  const difference = await change(site)
  expect(await site.compare()).toEqual(difference)
})
