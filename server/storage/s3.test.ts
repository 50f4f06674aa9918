import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import {
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { expect, test } from 'vitest'
import { applyDocumentedRules } from '#tests/bucket-rules.ts'
import { testBucket } from '#tests/test-storage.ts'
import { ConfigError } from '../config.ts'
import { openStorage } from './open-storage.ts'
import { type BucketSettings, connect, openBucket } from './s3.ts'
import { StorageFailed } from './storage.ts'

const megabyte = 1024 * 1024
const smallParts = { part: 5 * megabyte, copiedPart: 5 * megabyte }

async function unfinishedUploads(settings: BucketSettings) {
  const { bucket: Bucket, prefix: Prefix } = settings
  return (await connect(settings).send(new ListMultipartUploadsCommand({ Bucket, Prefix }))).Uploads ?? []
}

async function* inPieces(content: Buffer, end?: Error) {
  for (let at = 0; at < content.length; at += megabyte) yield content.subarray(at, at + megabyte)
  if (end) throw end
}

test('what is larger than a part travels, and is named, in parts', async () => {
  const storage = await openBucket(await testBucket(), smallParts)
  const content = randomBytes(12 * megabyte)
  const draft = storage.newDraft()
  await draft.write(Readable.from(inPieces(content)))
  const reports: number[] = []
  await draft.keepAs('backups/large.zip', () => reports.push(1))
  expect(reports.length).toBeGreaterThan(1)
  const kept = await storage.read('backups/large.zip')
  expect(kept && createHash('sha256').update(kept).digest('hex')).toBe(createHash('sha256').update(content).digest('hex'))
})

test('an upload in parts that breaks off leaves no parts', async () => {
  const settings = await testBucket()
  const storage = await openBucket(settings, smallParts)
  const broken = Readable.from(inPieces(randomBytes(12 * megabyte), new Error('the line went dead')))
  await expect(storage.put('backups/half.zip', broken)).rejects.toThrow('the line went dead')
  expect(await storage.list('backups')).toEqual([])
  expect(await unfinishedUploads(settings)).toEqual([])
})

test('the parts a killed process left are cleared away when they are old, and those of others are not', async () => {
  const settings = await testBucket()
  const others = await testBucket()
  const storage = await openBucket(settings)
  for (const { bucket, prefix, ...rest } of [settings, others]) {
    const client = connect({ bucket, prefix, ...rest })
    const object = { Bucket: bucket, Key: `${prefix}backups/left.zip` }
    const { UploadId } = await client.send(new CreateMultipartUploadCommand(object))
    await client.send(new UploadPartCommand({ ...object, UploadId, PartNumber: 1, Body: Buffer.from('part') }))
  }
  const hour = 60 * 60 * 1000
  await storage.clearUnfinished(new Date(Date.now() - hour))
  expect(await unfinishedUploads(settings)).toHaveLength(1)
  await storage.clearUnfinished(new Date(Date.now() + hour))
  expect(await unfinishedUploads(settings)).toEqual([])
  expect(await unfinishedUploads(others)).toHaveLength(1)
})

test('more files than a page of the service holds are all listed', async () => {
  const storage = await openBucket(await testBucket())
  const names = Array.from({ length: 1_003 }, (_, number) => `objects/${number}`)
  for (let at = 0; at < names.length; at += 50) {
    await Promise.all(names.slice(at, at + 50).map((name) => storage.put(name, Buffer.alloc(1))))
  }
  expect((await storage.list('objects')).length).toBe(names.length)
})

test('what visitors are shown has its type and may be kept for ever, and the rest says nothing', async () => {
  const settings = await testBucket()
  const storage = await openBucket(settings)
  await storage.put('objects/a', Buffer.from('photo'), { contentType: 'image/webp' })
  const facts = await connect(settings).send(
    new HeadObjectCommand({ Bucket: settings.bucket, Key: `${settings.prefix}objects/a` }),
  )
  expect(facts).toMatchObject({ ContentType: 'image/webp', CacheControl: 'public, max-age=31536000, immutable' })
})

test('a file that another takes the place of is not read as one of both', async () => {
  const storage = await openBucket(await testBucket())
  await storage.put('backups/a.zip', Buffer.from('old content'))
  const file = await storage.open('backups/a.zip')
  await storage.put('backups/a.zip', Buffer.from('new content'))
  await expect(file?.read(0, 3)).rejects.toThrow(StorageFailed)
})

const photo = Buffer.from('twelve bytes')

async function signedAddress(seconds = 60) {
  const storage = await openBucket(await testBucket())
  const upload = { bytes: photo.length, contentType: 'image/jpeg', seconds }
  const address = (await storage.direct?.uploadAddress('uploads/a', upload)) ?? ''
  return { storage, address }
}

const send = (address: string, body: Buffer, type: string) =>
  fetch(address, { method: 'PUT', body: new Uint8Array(body), headers: { 'content-type': type } })

test('a signed address takes what it was signed for', async () => {
  const { storage, address } = await signedAddress()
  const answer = await send(address, photo, 'image/jpeg')
  expect([answer.status, await storage.read('uploads/a')]).toEqual([200, photo])
  expect(new URL(address).origin).toBe(storage.direct?.uploadOrigin)
})

test.each([
  [{ endpoint: 'https://s3.example', pathStyle: false }, 'https://models.s3.example/sites/tugs/uploads/a'],
  [{ endpoint: 'https://s3.example', pathStyle: true }, 'https://s3.example/models/sites/tugs/uploads/a'],
  [{ endpoint: undefined, pathStyle: false }, 'https://models.s3.eu-west-1.amazonaws.com/sites/tugs/uploads/a'],
])('the bucket is named where the service wants it: %o', async (where, expected) => {
  const account = { credentials: { accessKeyId: 'key', secretAccessKey: 'secret' }, publicUrl: undefined }
  const storage = await openBucket({ bucket: 'models', region: 'eu-west-1', prefix: 'sites/tugs/', ...account, ...where })
  const address = await storage.direct?.uploadAddress('uploads/a', { bytes: 1, contentType: 'image/png', seconds: 9 })
  expect(address?.split('?')[0]).toBe(expected)
  expect(storage.direct?.uploadOrigin).toBe(new URL(expected).origin)
})

test.each([
  ['more bytes', Buffer.concat([photo, photo]), 'image/jpeg'],
  ['fewer bytes', photo.subarray(1), 'image/jpeg'],
  ['another type', photo, 'text/html'],
])('a signed address does not take %s', async (_, body, type) => {
  const { storage, address } = await signedAddress()
  const answer = await send(address, body, type)
  expect([answer.status, await storage.has('uploads/a')]).toEqual([403, false])
})

test('a signed address takes nothing when its time is over, nor under another name', async () => {
  const { storage, address } = await signedAddress(1)
  const elsewhere = await send(address.replace('/uploads/a', '/objects/a'), photo, 'image/jpeg')
  expect(elsewhere.status).toBe(403)
  await expect
    .poll(async () => (await send(address, photo, 'image/jpeg')).status, { timeout: 20_000, interval: 1_000 })
    .toBe(403)
  await storage.remove('uploads/a')
})

test('the rules the documents recommend open photos to everybody and nothing else, and let the pages of the site upload', async () => {
  const settings = await testBucket()
  const storage = await openBucket(settings)
  await applyDocumentedRules(settings, 'https://tugs.example')
  const names = ['objects/a', 'variants/a-480.webp', 'inquiry-photos/a', 'backups/a.zip', 'uploads/a', 'incoming/a']
  for (const name of names) await storage.put(name, Buffer.from('content'), { contentType: 'image/webp' })
  const base = `${settings.endpoint}/${settings.bucket}/${settings.prefix}`
  const answers = await Promise.all(names.map((name) => fetch(`${base}${name}`)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 403, 403, 403, 403])
  expect(answers[0]?.headers.get('content-type')).toBe('image/webp')
  expect(answers[0]?.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect((await fetch(`${settings.endpoint}/${settings.bucket}?prefix=${settings.prefix}`)).status).toBe(403)

  const { address } = await signedAddress()
  const question = (origin: string) =>
    fetch(address, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'PUT', 'access-control-request-headers': 'content-type' },
    })
  expect((await question('https://tugs.example')).headers.get('access-control-allow-origin')).toBe('https://tugs.example')
  expect((await question('https://elsewhere.example')).headers.get('access-control-allow-origin')).toBeNull()
})

test('a bucket that does not answer is a failure of the storage, whatever it is asked for', async () => {
  const storage = await openBucket({ ...(await testBucket()), endpoint: 'http://127.0.0.1:1' })
  const attempts = [
    storage.put('objects/a', Buffer.from('x')),
    storage.put('objects/a', Readable.from([Buffer.from('x')])),
    storage.read('objects/a'),
    storage.stream('objects/a'),
    storage.open('objects/a'),
    storage.has('objects/a'),
    storage.list('objects'),
    storage.remove('objects/a'),
    storage.clearUnfinished(new Date()),
    storage.check(),
  ]
  for (const { status, ...outcome } of await Promise.allSettled(attempts)) {
    expect([status, 'reason' in outcome && outcome.reason]).toEqual(['rejected', expect.any(StorageFailed)])
  }
})

test.each([
  [
    'does not exist',
    { bucket: 'no-such-bucket' },
    /S3_BUCKET +no-such-bucket at http:.+ cannot be used: there is no such bucket\. Check the settings that begin with S3_\./,
  ],
  ['is not ours', { credentials: { accessKeyId: 'test', secretAccessKey: 'wrong' } }, /cannot be used: the service refuses us/],
  ['does not answer', { endpoint: 'http://127.0.0.1:1' }, /at http:\/\/127\.0\.0\.1:1 cannot be used: ECONNREFUSED/],
])('a bucket that %s is said so at the start', async (_, wrong, sentence) => {
  const starting = openStorage({ bucket: { ...(await testBucket()), ...wrong }, dataDir: '' })
  await expect(starting).rejects.toThrow(ConfigError)
  await expect(starting).rejects.toThrow(sentence)
})
