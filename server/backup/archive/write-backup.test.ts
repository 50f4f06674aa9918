import { expect, test } from 'vitest'
import { contactPhotoName } from '#server/features/contacts/photos.queries.ts'
import { imageName } from '#server/features/images/image.rules.ts'
import { fill } from '#tests/backups.ts'
import { openTestApp } from '#tests/test-app.ts'
import { noProgress } from '../job.ts'
import { checkPhotos, openBackupFile } from './read-backup.ts'
import { writeArchive } from './write-backup.ts'

async function openSite() {
  const site = await openTestApp('sqlite')
  const content = await fill(site)
  const write = (without = new Set<string>()) => {
    const draft = site.storage.newDraft()
    const options = { now: site.clock.now(), progress: noProgress, without }
    return { draft, written: writeArchive(draft, site, options) }
  }
  return { ...site, ...content, write }
}

test('all damaged photos are found in one pass, with whose they are, and the second archive is whole without them', async () => {
  const { storage, photos, projects, messages, write } = await openSite()
  const hashes = [...photos.map(({ hash }) => hash), messages[0]?.photos[0] ?? '']
  for (const hash of hashes.slice(0, 3)) await storage.put(imageName(hash), Buffer.from('rotten'))
  await storage.put(contactPhotoName(hashes[3] ?? ''), Buffer.from('rotten'))
  const first = write()
  const { damaged } = await first.written
  expect(damaged).toEqual({
    hashes: new Set(hashes),
    owners: { projects: [projects[0]?.title], others: 0, site: true, senders: ['ada'] },
  })
  await first.draft.drop()
  const second = write(new Set(damaged?.hashes))
  const counts = { projects: 3, contacts: 2, images: 0, inquiryPhotos: 1 }
  const missing = { missingImages: 4, missingFrom: damaged?.owners }
  expect(await second.written).toMatchObject({ damaged: undefined, counts, ...missing })
  const file = await second.draft.open()
  const incoming = await openBackupFile(file, 'a.zip')
  expect(await checkPhotos(incoming, noProgress)).toHaveLength(1)
  await file.close()
})

test.each([
  ['a photo that cannot be read', 'stream'],
  ['a draft that cannot be written', 'write'],
])('%s ends it with that error', async (_, what) => {
  const site = await openSite()
  const fault = new Error('the line went dead')
  if (what === 'stream') site.storage.stream = async () => Promise.reject(fault)
  const draft = { ...site.storage.newDraft(), ...(what === 'write' && { write: async () => Promise.reject(fault) }) }
  const options = { now: site.clock.now(), progress: noProgress }
  await expect(writeArchive(draft, site, options)).rejects.toBe(fault)
})
