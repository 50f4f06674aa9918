import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { contactPhotoName } from '#server/features/contacts/photos.queries.ts'
import { imageName } from '#server/features/images/image.rules.ts'
import { aStoredPhoto, fill } from '#tests/backups.ts'
import { openTestApp } from '#tests/test-app.ts'
import { noProgress } from '../job.ts'
import { checkPhotos, openBackupFile } from './read-backup.ts'
import { writeArchive } from './write-backup.ts'

async function openSite() {
  const site = await openTestApp('sqlite')
  const content = await fill(site)
  const draft = site.storage.newDraft()
  return { ...site, ...content, draft, write: () => writeArchive(draft, site, { now: site.clock.now(), progress: noProgress }) }
}

test('an archive is whole without the photos that are damaged, and whose they are is told', async () => {
  const { storage, photos, projects, messages, draft, write } = await openSite()
  const hashes = [...photos.map(({ hash }) => hash), messages[0]?.photos[0] ?? '']
  for (const hash of hashes.slice(0, 3)) await storage.put(imageName(hash), Buffer.from('rotten'))
  await storage.put(contactPhotoName(hashes[3] ?? ''), Buffer.from('rotten'))
  expect(await write()).toMatchObject({
    counts: { projects: 3, contacts: 2, images: 0, inquiryPhotos: 1 },
    missingImages: 4,
    missingFrom: { projects: [projects[0]?.title], senders: ['ada'], others: 0, site: true },
  })
  const file = await draft.open()
  const incoming = await openBackupFile(file, 'a.zip')
  expect(await checkPhotos(incoming, noProgress)).toHaveLength(1)
  await file.close()
})

test('an archive of many photos holds a few of them in memory at a time', async () => {
  const site = await openSite()
  for (let number = 0; number < 40; number += 1) {
    const { hash, content, ...facts } = await aStoredPhoto(100 + number)
    await site.storage.put(imageName(hash), content)
    await site.db
      .insertInto('images')
      .values({ hash, bytes: content.length, ...facts })
      .execute()
  }
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const given: WeakRef<Buffer>[] = []
  let held = 0
  const { read } = site.storage
  site.storage.read = async (name) => {
    const content = await read(name)
    if (content) given.push(new WeakRef(content))
    // Once: in a process that has run many tests it takes half a second.
    if (given.length === 40) {
      collect()
      held = given.filter((each) => each.deref()).length
    }
    return content
  }
  await site.write()
  expect(given.length).toBeGreaterThan(40)
  expect(held).toBeGreaterThan(0)
  expect(held).toBeLessThan(10)
})

test.each([
  ['a photo that cannot be read', 'read'],
  ['a draft that cannot be written', 'write'],
])('%s ends it with that error', async (_, what) => {
  const site = await openSite()
  const fault = new Error('the line went dead')
  if (what === 'read') site.storage.read = async () => Promise.reject(fault)
  const draft = { ...site.storage.newDraft(), ...(what === 'write' && { write: async () => Promise.reject(fault) }) }
  const options = { now: site.clock.now(), progress: noProgress }
  await expect(writeArchive(draft, site, options)).rejects.toBe(fault)
})
