import { randomBytes } from 'node:crypto'
import { constants, deflateRawSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'
import { describe, expect, test } from 'vitest'
import { backupVersion, restoreComplete } from '#contract/backups.ts'
import { storedAddress } from '#contract/images.ts'
import { imageName as imageNameOf } from '#server/features/images/image.rules.ts'
import { Problem } from '#server/http/problem.ts'
import {
  anExport,
  archiveEntries,
  aStoredPhoto,
  asOpenFile,
  backupCalls,
  everythingIn,
  fill,
  formWith,
  hashOf,
} from '#tests/backups.ts'
import { aContact, aStoredProject } from '#tests/factories.ts'
import { rounds, seededRandom } from '#tests/random.ts'
import { type RawEntry, rawZip } from '#tests/raw-zip.ts'
import { openTestApp } from '#tests/test-app.ts'
import { noProgress } from '../job.ts'
import { checkPhotos, openBackupFile } from './read-backup.ts'

const photo = await aStoredPhoto(7)
const sent = await aStoredPhoto(8)
const contacts = [aContact({ photos: [sent.hash] })]
const good = { projects: [aStoredProject()], contacts, images: [photo.content], inquiryPhotos: [sent.content] }
const small = { title: 'x', description: 'x', category: 'ships', imageUrl: 'https://example.com/x' }
const aLine = `${JSON.stringify(good.projects[0])}\n`
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
const withLines = (lines: string, projects = 1) =>
  rawZip(
    archiveEntries(good, {
      texts: { 'projects.ndjson': lines },
      manifest: { counts: { projects, contacts: 1, images: 1, inquiryPhotos: 1 } },
    }),
  )
/** Sums of visits. */
const withSums = (...sums: object[]) => rawZip(archiveEntries(good, { texts: { 'statistics.json': JSON.stringify(sums) } }))
const aSum = { day: '2026-04-30', kind: 'host', name: 'example.com', count: 3 }
const x = Buffer.from('x')
const jpegOf = (image: Sharp) => image.jpeg().toBuffer()
const plain = () => sharp({ create: { width: 32, height: 32, channels: 3, background: '#336699' } })

/** Reads it to its last byte, as a restore does. */
async function readWhole(archive: Buffer) {
  const incoming = await openBackupFile(asOpenFile(archive), 'complete_backup.zip')
  const needed = await checkPhotos(incoming, noProgress)
  return { ...incoming, needed }
}

async function refusalOf(archive: Buffer) {
  const refused = await readWhole(archive).catch((error: unknown) => error)
  if (!(refused instanceof Problem)) throw new Error('It was not refused.', { cause: refused })
  const { code, details, message } = refused
  return { code, details, message }
}

/** By the codes they are refused with. */
const hostile: Record<string, Record<string, () => Buffer | Promise<Buffer>>> = {
  not_a_backup: {
    'a name with a NUL in it': () => plus({ name: `${imageName}\0.html`, content: x }),
    'a name that is not UTF-8': () => plus({ name: Buffer.from([0xff, 0xfe]).toString('latin1'), content: x }),
    'a photo that is deflated': () => spoilt(imageName, { deflate: true }),
    'a name without end': () => plus({ name: `images/${'a'.repeat(60_000)}`, content: x }),
    'no archive at all': () => randomBytes(5_000),
    'an empty file': () => Buffer.alloc(0),
    'an archive of nothing': () => rawZip([]),
    'no list of contents': () => rawZip(entries().slice(1)),
    'a list of contents of another program': () => withManifest({ format: 'backup' }),
    'an unknown way of packing': () => spoilt('projects.ndjson', { method: 14 }),
    'an empty line among the records': () => withLines(`${aLine}\n`),
    'a sum of no day': () => withSums({ ...aSum, day: '2026-02-30' }),
    'a sum of no kind': () => withSums({ ...aSum, kind: 'address' }),
    'a sum with a NUL in its name': () => withSums({ ...aSum, name: 'a\0b' }),
    'a sum that is none': () => withSums({ ...aSum, count: 0.5 }),
    'older records with accounts in them': () => withData({ ...anExport(good), adminUsers: [{ username: 'eve' }] }),
  },
  file_damaged: {
    'a path that leads out': () => plus({ name: '../../etc/passwd', content: x }),
    'a path with backslashes': () => plus({ name: `images\\${'a'.repeat(64)}`, content: x }),
    'two entries of one name': () => plus({ name: imageName, content: photo.content }),
    'a name outside the list of contents': () => plus({ name: `images/${hashOf(x)}`, content: x }),
    'another name in front of the bytes than in the list': () => spoilt(imageName, { listedAs: `images/${'b'.repeat(64)}` }),
    'a photo that is not what its name says': () => spoilt(imageName, { content: Buffer.alloc(photo.content.length, 7) }),
    'a size that is too small': () => spoilt(imageName, { claimedBytes: 10, claimedStoredBytes: 10 }),
    'a size that is too large': () => spoilt(imageName, { claimedBytes: 10_000_000, claimedStoredBytes: 10_000_000 }),
    'a stored entry with two sizes': () => spoilt(imageName, { claimedBytes: photo.content.length + 1 }),
    'entries that share their bytes': () => rawZip([...entries(), { name: `images/${'c'.repeat(64)}`, content: x, offset: 0 }]),
    'a list of contents that is a bomb': () =>
      spoilt('manifest.json', { content: Buffer.alloc(30_000_000, 0x20), deflate: true, claimedBytes: 400 }),
    'an encrypted entry': () => spoilt(imageName, { flags: 0x801 }),
    'half an archive': () => rawZip(entries()).subarray(0, 700),
    'a photo less than the list says': () => rawZip(entries().filter(({ name }) => name !== imageName)),
    'a list of contents with wrong counts': () =>
      withManifest({ counts: { projects: 1, contacts: 1, images: 9, inquiryPhotos: 1 } }),
    'a list of contents with too few records counted': () =>
      withManifest({ counts: { projects: 0, contacts: 1, images: 1, inquiryPhotos: 1 } }),
    'records that are not what the list says': () => spoilt('projects.ndjson', { content: Buffer.from('{}\n') }),
    'records of the same length that are not what the list says': () => spoilt('site.json', { content: Buffer.from('true') }),
    'a bomb that says it is small': () =>
      spoilt('projects.ndjson', { content: Buffer.alloc(30 * 1024 * 1024), deflate: true, claimedBytes: 900 }),
    'no records': () => rawZip(entries().filter(({ name }) => name !== 'messages.ndjson')),
    'records of an older version beside those of this one': () =>
      rawZip([...archiveEntries(good, { manifest: { version: 6 } })]),
    'more records than it says': () => withLines(`${aLine}${aLine}`),
    'two sums of one name': () => withSums(aSum, { ...aSum, count: 4 }),
    'two records of one id': () => withLines(`${aLine}${aLine}`, 2),
    'records that are no JSON': () => withLines('{"title":'),
  },
  file_too_large: {
    'a million entries that are not there': () => millionEntries(),
    'a bomb that says it is one': () => spoilt('site.json', { content: Buffer.alloc(9 * 1024 * 1024), deflate: true }),
    'a list of contents that is too large': () =>
      spoilt('manifest.json', { content: Buffer.alloc(33 * 1024 * 1024, 0x20), deflate: true }),
    'records without a line end': () => withLines('x'.repeat(9 * 1024 * 1024)),
  },
  record_refused: {
    'a page that calls itself a photo': () => withImage(Buffer.from('<html><script>alert(1)</script></html>')),
    'a photo that tells where it was taken': async () =>
      withImage(await jpegOf(plain().withExif({ IFD3: { GPSLatitude: '20/1 35/1 0/1' } }))),
    'half a photo': async () =>
      withImage(Buffer.concat([photo.content.subarray(0, photo.content.length >> 1), Buffer.from([0xff, 0xd9])])),
    'a photo of more than 50 megapixels': async () =>
      withImage(
        await sharp({ create: { width: 8_000, height: 6_400, channels: 3, background: '#000000' } })
          .jpeg()
          .toBuffer(),
      ),
    'records with prototype keys': () => withLines(aLine.replace('{', '{"__proto__":{"admin":true},')),
    'records nested without end': () => withLines('['.repeat(200_000) + ']'.repeat(200_000)),
    'records with accounts in them': () => withLines(aLine.replace('{', '{"adminUsers":[{}],')),
    'a photo with bytes behind the picture': () =>
      withImage(Buffer.concat([photo.content, Buffer.from('<script>alert(1)</script>')])),
  },
}
const cases = Object.entries(hostile).flatMap(([code, all]) =>
  Object.entries(all).map(([name, make]) => ({ name, code, make })),
)

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
  test('is spoilt from one that is good, deflated where it may be or not', async () => {
    const deflated = entries().map((entry) => ({ ...entry, deflate: !entry.name.includes('/') }))
    for (const archive of [rawZip(entries()), rawZip(deflated), withData(anExport(good))]) {
      const { counts, needed } = await readWhole(archive)
      expect([counts, needed.length]).toEqual([{ projects: 1, contacts: 1 }, 2])
    }
  })

  test.each(cases)('with $name is refused as $code', async ({ code, make }) => {
    const refused = await refusalOf(await make())
    expect(refused).toMatchObject({ code, message: expect.stringMatching(/Nothing was changed\./) })
    expect(JSON.stringify(refused)).not.toMatch(/\\u00[01]|\\0/)
    if (code !== 'record_refused') expect(refused.details).toMatchObject({ cause: expect.stringMatching(/^.+$/) })
  })

  test.each([
    ['of one line', ' '],
    ['of records of nothing', '{}\n'],
    ['of records without an id', `${JSON.stringify(small)}\n`],
  ])('of gigabytes %s is refused in little memory', async (_, text) => {
    // Pieces of a deflated stream, each good by itself, and its end.
    const piece = Buffer.from(text.repeat((8 * 1024 * 1024) / text.length))
    const packed = deflateRawSync(piece, { finishFlush: constants.Z_SYNC_FLUSH })
    const content = Buffer.concat([...Array.from({ length: 320 }, () => packed), Buffer.from([3, 0])])
    const bytes = piece.length * 320
    const [manifest, , ...others] = archiveEntries()
    const { entries, ...rest } = JSON.parse(manifest?.content.toString() ?? '')
    const listed = entries.map((entry: { name: string }) => (entry.name === 'projects.ndjson' ? { ...entry, bytes } : entry))
    const bomb = rawZip([
      { name: 'manifest.json', content: Buffer.from(JSON.stringify({ ...rest, entries: listed })) },
      { name: 'projects.ndjson', content, method: 8, claimedBytes: bytes },
      ...others,
    ])
    const before = process.memoryUsage().rss
    expect((await refusalOf(bomb)).code).toMatch(/file_too_large|record_refused|file_damaged/)
    expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1024 * 1024)
  })

  test('of a newer version is refused with advice, whatever else is in it', async () => {
    const newer = archiveEntries(good, { manifest: { version: backupVersion + 1, chapters: [] } })
    expect(await refusalOf(rawZip([...newer, { name: 'chapters.ndjson', content: x }]))).toEqual({
      code: 'backup_too_new',
      details: { version: backupVersion + 1, newest: backupVersion },
      message: expect.stringContaining('Update the site first'),
    })
  })

  test('is refused with the record or the photo that is at fault', async () => {
    const page = Buffer.from('<html></html>')
    const galleon = aStoredProject({ title: 'Galleon', imageUrl: `/objects/${hashOf(page)}` })
    const refused = await refusalOf(rawZip(archiveEntries({ projects: [galleon], images: [page] })))
    expect(refused.details).toEqual({ reason: 'photo', photo: hashOf(page) })
    expect(refused.message).toContain(`The photo ${hashOf(page).slice(0, 8)}… in it is not as this site stores photos.`)
    const faulty = await refusalOf(rawZip(archiveEntries({ projects: [{ ...galleon, featured: 'yes' }] })))
    expect(faulty.message).toContain('Project 1 (“Galleon”), featured: this must be true or false')
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
})

type Spoil = (good: Buffer, roll: (sides: number) => number) => Buffer

/** A copy of it with some bytes changed. */
const changed = (good: Buffer, at: number, bytes: Uint8Array) => {
  const copy = Buffer.from(good)
  copy.set(bytes.subarray(0, good.length - at), at)
  return copy
}
const ways: Spoil[] = [
  (good, roll) => {
    const at = roll(good.length)
    return changed(good, at, Buffer.from([(good[at] ?? 0) ^ (1 << roll(8))]))
  },
  (good, roll) => good.subarray(0, roll(good.length)),
  (good, roll) => {
    const at = roll(good.length)
    return Buffer.concat([good.subarray(0, at), good.subarray(at + 1 + roll(64))])
  },
  (good, roll) => {
    const at = roll(good.length)
    return Buffer.concat([good.subarray(0, at), Buffer.alloc(1 + roll(64), roll(256)), good.subarray(at)])
  },
  (good, roll) => changed(good, roll(good.length), Buffer.alloc(1 + roll(300), roll(256))),
  (good, roll) => changed(good, roll(good.length), good.subarray(roll(good.length), roll(good.length))),
  // The end of the file holds what everything else hangs on.
  (good, roll) => changed(good, good.length - 1 - roll(600), Buffer.from([roll(256)])),
]

const times = rounds(2) * 100

test(`of ${times} random corruptions of an archive each is refused, or brings exactly what the good one brings`, {
  timeout: 300_000,
}, async () => {
  const site = await openTestApp('sqlite')
  await fill(site)
  const archive = await (await backupCalls(site)).completeBackup()
  /** All that a restore would take from it. */
  const contentOf = async (content: Buffer) => {
    const { records, site, needed } = await readWhole(content)
    const all: unknown[] = []
    for await (const some of records()) all.push(...some)
    return { all, site, photos: needed.map(({ kind, hash, width, height }) => `${kind} ${hash} ${width} ${height}`).toSorted() }
  }
  const expected = await contentOf(archive)
  expect([expected.all.length, expected.photos.length]).toEqual([5, 5])
  const random = seededRandom(Number(process.env.TEST_SEED ?? 34))
  const roll = (sides: number) => Math.floor(random() * sides)
  let refused = 0
  for (let time = 0; time < times; time += 1) {
    const spoiltArchive = ways[time % ways.length]?.(archive, roll) ?? archive
    const outcome = await contentOf(spoiltArchive).catch((error: unknown) => error)
    if (outcome instanceof Error) {
      expect(outcome, `corruption ${time}`).toBeInstanceOf(Problem)
      refused += 1
    } else expect(outcome, `corruption ${time}`).toEqual(expected)
  }
  expect(refused).toBeGreaterThan(times * 0.8)
})
