import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { describe, expect, test } from 'vitest'
import { problemTexts as problemsEs } from '#content/es/problems.ts'
import { problemSentence } from '#content/problem-sentence.ts'
import { backupVersion, restoreComplete } from '#contract/backups.ts'
import { storedAddress } from '#contract/images.ts'
import { imageName as imageNameOf } from '#server/features/images/image.rules.ts'
import { openFile } from '#server/storage/disk.ts'
import { archiveEntries, aStoredPhoto, everythingIn, fill, formWith, hashOf } from '#tests/backups.ts'
import { aContact, aStoredProject } from '#tests/factories.ts'
import { type RawEntry, rawZip } from '#tests/raw-zip.ts'
import { temporaryFolder } from '#tests/temporary-folder.ts'
import { openTestApp } from '#tests/test-app.ts'
import { openArchive } from './open-archive.ts'

const photo = await aStoredPhoto(7)
const sent = await aStoredPhoto(8)
const contacts = [aContact({ photos: [sent.hash] })]
const good = { projects: [aStoredProject()], contacts, images: [photo.content], inquiryPhotos: [sent.content] }
const entries = () => archiveEntries(good)
const imageName = `images/${photo.hash}`
const sentName = `inquiry-photos/${sent.hash}`

/** A good archive with one entry more. */
const plus = (extra: RawEntry) => rawZip([...entries(), extra])
/** A good archive with one entry spoilt. */
const spoilt = (name: string, change: Partial<RawEntry>) =>
  rawZip(entries().map((entry) => (entry.name === name ? { ...entry, ...change } : entry)))
const withData = (data: unknown) => rawZip(archiveEntries(good, { data }))
const withManifest = (manifest: object) => rawZip(archiveEntries(good, { manifest }))
const withImage = (content: Buffer) => rawZip(archiveEntries({ ...good, images: [content] }))
const withSent = (...inquiryPhotos: Buffer[]) =>
  rawZip(archiveEntries({ ...good, contacts: [aContact({ photos: inquiryPhotos.map(hashOf) })], inquiryPhotos }))
const withText = (text: string) => {
  const content = Buffer.from(text)
  const [manifest] = archiveEntries(good, {
    manifest: {
      counts: { projects: 0, contacts: 0, images: 0, inquiryPhotos: 0 },
      entries: [{ name: 'data.json', bytes: content.length, sha256: hashOf(content) }],
    },
  })
  return rawZip([manifest as RawEntry, { name: 'data.json', content }])
}
const x = Buffer.from('x')
const jpegOf = (image: Sharp) => image.jpeg().toBuffer()
const aFilm = () =>
  sharp(randomBytes(20 * 60 * 3), { raw: { width: 20, height: 60, channels: 3, pageHeight: 20 } })
    .webp({ delay: [100, 100, 100] })
    .toBuffer()
const plain = () => sharp({ create: { width: 32, height: 32, channels: 3, background: '#336699' } })

const hostile: Record<string, () => Buffer | Promise<Buffer>> = {
  'a path that leads out': () => plus({ name: '../../etc/passwd', content: x }),
  'a path that leads out from inside': () => plus({ name: `images/../../${'a'.repeat(64)}`, content: x }),
  'an absolute path': () => plus({ name: '/etc/passwd', content: x }),
  'a drive path': () => plus({ name: 'C:\\windows\\win.ini', content: x }),
  'a path with backslashes': () => plus({ name: `images\\${'a'.repeat(64)}`, content: x }),
  'a folder': () => plus({ name: 'images/', content: Buffer.alloc(0) }),
  'a symbolic link': () => spoilt(imageName, { unixMode: 0o120777 }),
  'a name with a NUL in it': () => plus({ name: `${imageName}\0.html`, content: x }),
  'a name that is not UTF-8': () => plus({ name: Buffer.from([0xff, 0xfe]).toString('latin1'), content: x }),
  'two entries of one name': () => plus({ name: imageName, content: photo.content }),
  'a name in capitals beside the same in small letters': () => plus({ name: imageName.toUpperCase(), content: photo.content }),
  'a name outside the list of contents': () => plus({ name: `images/${hashOf(x)}`, content: x }),
  'another name in front of the bytes than in the list': () => spoilt(imageName, { listedAs: `images/${'b'.repeat(64)}` }),
  'a photo that is not what its name says': () => spoilt(imageName, { content: Buffer.alloc(photo.content.length, 7) }),
  'records that are not what the list says': () =>
    spoilt('data.json', { content: Buffer.from(JSON.stringify({ projects: [] })) }),
  'a size that is too small': () => spoilt(imageName, { claimedBytes: 10, claimedStoredBytes: 10 }),
  'a size that is too large': () => spoilt(imageName, { claimedBytes: 10_000_000, claimedStoredBytes: 10_000_000 }),
  'a stored entry with two sizes': () => spoilt(imageName, { claimedBytes: photo.content.length + 1 }),
  'a photo that is deflated': () => spoilt(imageName, { deflate: true }),
  'an unknown way of packing': () => spoilt('data.json', { method: 14 }),
  'entries that share their bytes': () => rawZip([...entries(), { name: `images/${'c'.repeat(64)}`, content: x, offset: 0 }]),
  'a bomb that says it is one': () => spoilt('data.json', { content: Buffer.alloc(70 * 1024 * 1024), deflate: true }),
  'a bomb that says it is small': () =>
    spoilt('data.json', { content: Buffer.alloc(30 * 1024 * 1024), deflate: true, claimedBytes: 900 }),
  'a list of contents that is a bomb': () =>
    spoilt('manifest.json', { content: Buffer.alloc(30_000_000, 0x20), deflate: true, claimedBytes: 400 }),
  'more entries than any backup': () =>
    rawZip(
      Array.from({ length: 100_003 }, (_, n) => ({ name: `images/${n}`, content: Buffer.alloc(0) })),
      { claimedEntries: 65_000 },
    ),
  'a million entries that are not there': () => millionEntries(),
  'a name without end': () => plus({ name: `images/${'a'.repeat(60_000)}`, content: x }),
  'an encrypted entry': () => spoilt(imageName, { flags: 0x801 }),
  'a strongly encrypted entry': () => spoilt(imageName, { flags: 0x841 }),
  'half an archive': () => rawZip(entries()).subarray(0, 700),
  'an archive without its last byte': () => rawZip(entries()).subarray(0, -1),
  'no archive at all': () => randomBytes(5_000),
  'an empty file': () => Buffer.alloc(0),
  'an archive of nothing': () => rawZip([]),
  'no list of contents': () => rawZip(entries().slice(1)),
  'no records': () => rawZip(entries().filter(({ name }) => name !== 'data.json')),
  'a photo less than the list says': () => rawZip(entries().filter(({ name }) => name !== imageName)),
  'a list of contents of another program': () => withManifest({ format: 'backup' }),
  'a list of contents with wrong counts': () =>
    withManifest({ counts: { projects: 1, contacts: 1, images: 9, inquiryPhotos: 1 } }),
  'a list of contents that knows of no photos of visitors': () =>
    withManifest({ counts: { projects: 1, contacts: 1, images: 1 } }),
  'a list of contents that counts them among the others': () =>
    withManifest({ counts: { projects: 1, contacts: 1, images: 2 } }),
  'a list of contents with too few records counted': () =>
    withManifest({ counts: { projects: 0, contacts: 1, images: 1, inquiryPhotos: 1 } }),
  'a list of contents with negative sizes': () =>
    withManifest({ entries: [{ name: 'data.json', bytes: -1, sha256: 'a'.repeat(64) }] }),
  'records with counts that are not true': () => withData({ ...dataOf(good.projects), counts: { projects: 2, contacts: 0 } }),
  'records with prototype keys': () =>
    withText('{"version":1,"counts":{"projects":0,"contacts":0},"projects":[],"__proto__":{"admin":true}}'),
  'records with a constructor': () =>
    withText('{"version":1,"counts":{"projects":0,"contacts":0},"projects":[],"constructor":{"prototype":{}}}'),
  'records that are no JSON': () => withText('{"projects":['),
  'records nested without end': () => withText('['.repeat(200_000)),
  'records of wrong types': () => withData({ ...dataOf(good.projects), projects: [{ ...good.projects[0], featured: 'yes' }] }),
  'records of absurd length': () => withData(dataOf([{ ...aStoredProject(), description: 'x'.repeat(10_001) }])),
  'records with accounts in them': () => withData({ ...dataOf(good.projects), adminUsers: [{ username: 'eve' }] }),
  'a page that calls itself a photo': () => withImage(Buffer.from('<html><script>alert(1)</script></html>')),
  'a drawing with a script': () =>
    withImage(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')),
  'a photo that tells where it was taken': async () =>
    withImage(await jpegOf(plain().withExif({ IFD3: { GPSLatitude: '20/1 35/1 0/1' } }))),
  'a photo with notes of another program': async () => withImage(await jpegOf(plain().withXmp('<x:xmpmeta/>'))),
  'a photo with a colour profile': async () => withImage(await jpegOf(plain().withIccProfile('p3'))),
  'a photo that lies on its side': async () => withImage(await jpegOf(plain().withMetadata({ orientation: 6 }))),
  'a film': async () => withImage(await aFilm()),
  'half a photo': async () =>
    withImage(Buffer.concat([photo.content.subarray(0, photo.content.length >> 1), Buffer.from([0xff, 0xd9])])),
  'a photo of more than 50 megapixels': async () =>
    withImage(
      await sharp({ create: { width: 8_000, height: 6_400, channels: 3, background: '#000000' } })
        .jpeg()
        .toBuffer(),
    ),
  'a picture of a kind the site never stores': async () => withImage(await plain().png().toBuffer()),
  'a photo of a visitor that is not what its name says': () =>
    spoilt(sentName, { content: Buffer.alloc(sent.content.length, 7) }),
  'a photo of a visitor that is deflated': () => spoilt(sentName, { deflate: true }),
  'a photo of a visitor that no message brought': () => rawZip(archiveEntries({ ...good, contacts: [aContact()] })),
  'a photo that no message brought beside one that did': () =>
    rawZip(archiveEntries({ ...good, inquiryPhotos: [sent.content, photo.content] })),
  'two photos of visitors of one name': () => plus({ name: sentName, content: sent.content }),
  'a foreign name among the photos of visitors': () => plus({ name: `${sentName}.jpg`, content: sent.content }),
  'a path that leads from the photos of visitors to the others': () =>
    plus({ name: `inquiry-photos/../objects/${sent.hash}`, content: sent.content }),
  'the folder of the photos of visitors': () => plus({ name: 'inquiry-photos/', content: Buffer.alloc(0) }),
  'a page that calls itself a photo of a visitor': () => withSent(Buffer.from('<html><script>alert(1)</script></html>')),
  'a photo of a visitor that tells where it was taken': async () =>
    withSent(await jpegOf(plain().withExif({ IFD3: { GPSLatitude: '20/1 35/1 0/1' } }))),
  'a photo of a visitor that is a bomb': async () =>
    withSent(
      await sharp({ create: { width: 8_000, height: 6_400, channels: 3, background: '#000000' } })
        .jpeg()
        .toBuffer(),
    ),
}

function dataOf(projects: unknown[]) {
  return { format: 'vitrina-export', version: 1, counts: { projects: projects.length, contacts: 0 }, projects, contacts: [] }
}

/** The long form of the end of a ZIP file, which has room for large numbers. */
function millionEntries() {
  const archive = rawZip(entries())
  const end = archive.subarray(archive.length - 22)
  const long = Buffer.alloc(56 + 20)
  long.writeUInt32LE(0x06064b50, 0)
  long.writeBigUInt64LE(44n, 4)
  long.writeBigUInt64LE(1_000_000n, 24)
  long.writeBigUInt64LE(1_000_000n, 32)
  long.writeBigUInt64LE(BigInt(end.readUInt32LE(16)), 48)
  long.writeUInt32LE(0x07064b50, 56)
  long.writeBigUInt64LE(BigInt(archive.length - 22), 64)
  long.writeUInt32LE(1, 72)
  const short = Buffer.from(end)
  short.writeUInt16LE(0xffff, 8)
  short.writeUInt16LE(0xffff, 10)
  return Buffer.concat([archive.subarray(0, -22), long, short])
}

describe('a hostile archive', () => {
  test('is spoilt from one that is good', async () => {
    const site = await openTestApp('sqlite')
    const report = await site.ask(restoreComplete, { ...formWith(rawZip(entries())), as: await site.signedIn() })
    expect(report.imported).toEqual({ projects: 1, contacts: 1, images: 1, inquiryPhotos: 1 })
  })

  test.each(Object.keys(hostile))('with %s is refused with a sentence, and nothing is changed', async (name) => {
    const site = await openTestApp('sqlite')
    const maker = await site.signedIn()
    await fill(site)
    const before = await everythingIn(site)
    const response = await site.call(restoreComplete, { ...formWith((await hostile[name]?.()) ?? x), as: maker })
    expect({ status: response.statusCode, ...response.json() }).toMatchObject({
      status: 422,
      code: 'archive_refused',
      message: expect.stringMatching(/^That file cannot be used as a complete backup\. .+ Nothing was changed\./),
    })
    expect(response.json().message).not.toMatch(/\p{Control}/u)
    expect(problemSentence(problemsEs, response.json())).toMatch(
      /^Ese archivo no sirve como respaldo completo\. .+ No se cambió nada\./,
    )
    expect(await everythingIn(site)).toEqual(before)
  })

  test('of a newer version is refused with advice', async () => {
    const site = await openTestApp('sqlite')
    const newer = withManifest({ version: backupVersion + 1, chapters: [] })
    const response = await site.call(restoreComplete, { ...formWith(newer), as: await site.signedIn() })
    expect(response.json()).toMatchObject({ code: 'backup_too_new', message: expect.stringContaining('Update the site first') })
  })

  test('with a photo or a record that is at fault is refused with the name of the project', async () => {
    const site = await openTestApp('sqlite')
    const as = await site.signedIn()
    const galleon = aStoredProject({ title: 'Galleon' })
    const page = Buffer.from('<html></html>')
    const shown = { ...galleon, imageUrl: `/objects/${hashOf(page)}` }
    const refused = await site.call(restoreComplete, {
      ...formWith(rawZip(archiveEntries({ projects: [shown], images: [page] }))),
      as,
    })
    expect(refused.json().details).toEqual({
      reason: 'photo_refused',
      photo: hashOf(page),
      projects: ['Galleon'],
      others: 0,
      because: 'not_an_image',
    })
    expect(refused.json().message).toContain('A photo of “Galleon” is not a photo this site can store.')

    const faulty = await site.call(restoreComplete, { ...formWith(withData(dataOf([{ ...galleon, featured: 'yes' }]))), as })
    expect(faulty.json().message).toContain(
      'Its records cannot be read. Project 1 (“Galleon”), featured: this must be true or false',
    )
  })

  test('has no use for bytes behind a picture: such a photo is refused, and nothing is stored', async () => {
    const site = await openTestApp('sqlite')
    const content = Buffer.concat([photo.content, Buffer.from('<script>alert(1)</script>')])
    const refused = await site.call(restoreComplete, { ...formWith(withImage(content)), as: await site.signedIn() })
    expect(refused.json().details).toMatchObject({ reason: 'photo_refused', photo: hashOf(content), because: 'not_an_image' })
    expect(await site.storage.list('objects')).toEqual([])
  })

  test('names who sent a photo that is at fault', async () => {
    const site = await openTestApp('sqlite')
    const page = Buffer.from('<html></html>')
    const refused = await site.call(restoreComplete, { ...formWith(withSent(page)), as: await site.signedIn() })
    expect(refused.json().details).toEqual({
      reason: 'photo_refused',
      photo: hashOf(page),
      sentBy: 'Inés Robles',
      because: 'not_an_image',
    })
    expect(refused.json().message).toContain('A photo sent with the message from “Inés Robles” is not a photo')
  })

  test('makes no photo of a visitor public, and a photo of both kinds lies in both places', async () => {
    const site = await openTestApp('sqlite')
    const as = await site.signedIn()
    const addresses = [sent.hash, photo.hash].map(storedAddress)
    // A project claims a photo that a visitor sent, and a message one of the maker's.
    const projects = [aStoredProject({ imageUrl: addresses[0] ?? '' })]
    const swapped = { projects, contacts: [aContact({ photos: [sent.hash, photo.hash] })] }
    const report = await site.ask(restoreComplete, { ...formWith(rawZip(archiveEntries({ ...good, ...swapped }))), as })
    expect(report).toMatchObject({ imported: { images: 1, inquiryPhotos: 1 }, missingImages: 2 })
    const found = await everythingIn(site)
    expect([found.objects, found.inquiryPhotos]).toEqual([[imageNameOf(photo.hash)], [sentName]])
    expect(found.contacts[0]?.photos.map(({ hash }) => hash)).toEqual([sent.hash])
    const statuses = async () => Promise.all(addresses.map(async (url) => (await site.app.inject({ url })).statusCode))
    expect(await statuses()).toEqual([404, 200])

    const both = [sent.content, photo.content]
    const inBoth = { contacts: [aContact({ name: 'Both', photos: both.map(hashOf) })], images: both, inquiryPhotos: both }
    await site.ask(restoreComplete, { ...formWith(rawZip(archiveEntries(inBoth))), as })
    const after = await everythingIn(site)
    expect(after.objects).toEqual([sent.hash, photo.hash].map(imageNameOf).toSorted())
    expect(after.inquiryPhotos).toEqual(both.map((content) => `inquiry-photos/${hashOf(content)}`).toSorted())
    expect(await statuses()).toEqual([200, 200])
  })

  test('that is good but deflated where it may be is taken', async () => {
    const file = path.join(await temporaryFolder(), 'deflated.zip')
    await writeFile(file, rawZip(entries().map((entry) => ({ ...entry, deflate: entry.name.endsWith('.json') }))))
    const opened = await openFile(file)
    const archive = await openArchive(opened)
    expect(archive.records.counts).toEqual({ projects: 1, contacts: 1 })
    await opened.close()
  })
})
