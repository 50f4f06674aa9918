import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { archiveFormat, exportFormat } from '#contract/backups.ts'
import { storedAddress } from '#contract/image-addresses.ts'
import { withAddresses, withPhotos } from '#server/database/project-records.ts'
import { imageName } from '#server/features/images/image.rules.ts'
import { prepareImage } from '#server/features/images/image-tasks.ts'
import { anInquiry, aStoredProject, asBackedUp, aWholeProject, storeContact, storeProject } from './factories.ts'
import { type RawEntry, rawZip } from './raw-zip.ts'
import type { TestApp } from './test-app.ts'

export const hashOf = (content: Buffer) => createHash('sha256').update(content).digest('hex')

const storedPhotos = new Map<string, ReturnType<typeof makePhoto>>()

/** A photo as the site stores it, one for each number, made once. */
export async function aStoredPhoto(number = 1, size = { width: 64, height: 48 }) {
  const key = `${number} ${size.width} ${size.height}`
  const photo = storedPhotos.get(key) ?? makePhoto(number, size)
  storedPhotos.set(key, photo)
  const { content, ...facts } = await photo
  return { ...facts, content: Buffer.from(content) }
}

async function makePhoto(number: number, size: { width: number; height: number }) {
  const noise = { type: 'gaussian', mean: 40 + (number % 180), sigma: 10 } as const
  const file = await sharp({ create: { ...size, channels: 3, background: '#888888', noise } })
    .png()
    .toBuffer()
  return prepareImage(file)
}

type Site = Pick<TestApp, 'db' | 'storage'>

/** Three projects, one of them with photos of its own, and two messages. */
export async function fill({ db, storage }: Site) {
  const photos = await Promise.all([1, 2, 3].map((number) => aStoredPhoto(number)))
  for (const { hash, content, ...facts } of photos) {
    await storage.put(imageName(hash), content)
    await db
      .insertInto('images')
      .values({ hash, bytes: content.length, createdAt: '2026-04-01T08:00:00.000Z', ...facts })
      .execute()
  }
  const [first, before, after] = photos.map(({ hash }) => storedAddress(hash))
  const projects = [
    aStoredProject({
      ...aWholeProject,
      imageUrl: first ?? '',
      beforeImageUrl: before ?? null,
      afterImageUrl: after ?? null,
      createdAt: '2026-03-01T10:20:30.456Z',
    }),
    aStoredProject({ title: 'Second', category: 'figures', scale: '1:48', timeSpent: '120' }),
    aStoredProject({ title: 'Third', createdAt: '2026-05-01T12:00:00.001Z' }),
  ]
  for (const project of projects) await storeProject(db, project)
  const messages = ['ada', 'grace'].map((name, index) => ({
    ...anInquiry({ name }),
    projectType: index === 0 ? 'ship' : null,
    id: `0000000${index}-0000-4000-8000-00000000000${index}`,
    createdAt: `2026-04-0${index + 1}T00:00:00.000Z`,
  }))
  for (const message of messages) await storeContact(db, message)
  return { photos, projects: projects.map((project) => asBackedUp(project)), messages }
}

/** Everything a backup must bring back: every record, what is known of each photo, and its bytes. */
export async function contentOf({ db, storage }: Site) {
  const images = await db
    .selectFrom('images')
    .select(['hash', 'contentType', 'bytes', 'width', 'height', 'placeholder'])
    .orderBy('hash')
    .execute()
  const projects = await db.selectFrom('projects').selectAll().orderBy('id').execute()
  return {
    projects: (await withAddresses(db, await withPhotos(db, projects))).map(({ version: _version, ...content }) => content),
    contacts: await db.selectFrom('contactMessages').selectAll().orderBy('id').execute(),
    images,
    files: await Promise.all(images.map(async ({ hash }) => (await storage.read(imageName(hash)))?.toString('base64'))),
  }
}

/** Like `contentOf`, and all that must never be touched. */
export async function everythingIn(site: Site) {
  return {
    ...(await contentOf(site)),
    accounts: await site.db.selectFrom('adminUsers').selectAll().orderBy('id').execute(),
    sessions: await site.db.selectFrom('sessions').selectAll().orderBy('sid').execute(),
    objects: (await site.storage.list('objects')).map(({ name }) => name).toSorted(),
    backups: (await site.storage.list('backups')).map(({ name }) => name).toSorted(),
  }
}

type Contents = { projects?: unknown[]; contacts?: unknown[]; images?: Buffer[] }

export function anExport({ projects = [], contacts = [] }: Contents = {}) {
  const counts = { projects: projects.length, contacts: contacts.length }
  return { format: exportFormat, version: 1, createdAt: '2026-05-01T12:00:00.000Z', counts, projects, contacts }
}

/** The entries of a good archive, for a test to spoil. */
export function archiveEntries(contents: Contents = {}, changes: { manifest?: object; data?: unknown } = {}): RawEntry[] {
  const { images = [] } = contents
  const records = anExport(contents)
  const data = Buffer.from(JSON.stringify(changes.data ?? records))
  const files = images.map((content) => ({ name: `images/${hashOf(content)}`, content }))
  const manifest = {
    format: archiveFormat,
    version: 1,
    createdAt: records.createdAt,
    counts: { ...records.counts, images: images.length },
    entries: [{ name: 'data.json', content: data }, ...files].map(({ name, content }) => ({
      name,
      bytes: content.length,
      sha256: hashOf(content),
    })),
    ...changes.manifest,
  }
  return [
    { name: 'manifest.json', content: Buffer.from(JSON.stringify(manifest)) },
    { name: 'data.json', content: data },
    ...files,
  ]
}

/** A complete backup that says it is good and is small, and holds so many records of nothing. */
export function emptyObjects(projects: number) {
  const counts = { projects, contacts: 0 }
  const content = Buffer.from(`{"version":1,"counts":${JSON.stringify(counts)},"projects":[${'{},'.repeat(projects - 1)}{}]}`)
  const entries = [{ name: 'data.json', bytes: content.length, sha256: hashOf(content) }]
  const [manifest] = archiveEntries({}, { manifest: { counts: { ...counts, images: 0 }, entries } })
  return rawZip([manifest as RawEntry, { name: 'data.json', content, deflate: true }])
}

/** A form with one file, as a browser sends it. */
export function formWith(content: Buffer, { field = 'backup', filename = 'complete_backup.zip' } = {}) {
  const boundary = 'a-boundary-of-the-tests'
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="${field}"; filename="${filename}"\r\ncontent-type: application/zip\r\n\r\n`
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  }
}
