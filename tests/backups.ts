import { createHash, randomUUID } from 'node:crypto'
import sharp from 'sharp'
import {
  archiveFormat,
  backupVersion,
  createCompleteBackup,
  downloadBackup,
  exportData,
  exportFormat,
  importData,
  restoreComplete,
} from '#contract/backups.ts'
import { storedAddress } from '#contract/images.ts'
import { translatedFields } from '#contract/project-fields.ts'
import type { OwnFields } from '#contract/site-fields.ts'
import type { ContactMessageRow } from '#server/database/tables.ts'
import { insertContacts, insertReplies, repliesTo } from '#server/features/contacts/contacts.queries.ts'
import { contactPhotoName, insertContactPhotos, photosSentWith } from '#server/features/contacts/photos.queries.ts'
import { imageName } from '#server/features/images/image.rules.ts'
import { prepareImage } from '#server/features/images/image-tasks.ts'
import { withAddresses, withPhotos, withTexts } from '#server/features/projects/project-records.ts'
import { readPublished } from '#server/features/site-content/site-content.queries.ts'
import { listSums, restoreSums } from '#server/features/statistics/statistics.queries.ts'
import type { OpenFile } from '#server/storage/storage.ts'
import { aContact, aStoredProject, asBackedUp, aWholeProject, storeProject, storeVersion } from './factories.ts'
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

type Reply = { id: string; text: string; createdAt: string; sentAt: string | null }
type Contact = Partial<ContactMessageRow> & { replies?: Reply[]; photos?: number[] }

/** Stores a message with its replies and its photos, and answers it as backups carry it. */
export async function storeContact({ db, storage }: Site, { replies = [], photos: numbers = [], ...details }: Contact = {}) {
  const contact: ContactMessageRow = {
    ...aContact(),
    id: randomUUID(),
    createdAt: '2026-04-01T00:00:00.000Z',
    state: 'new',
    language: null,
    aboutId: null,
    aboutTitle: null,
    note: null,
    spamReason: null,
    changedAt: null,
    ...details,
  }
  const { id: contactId, createdAt } = contact
  await insertContacts(db, [contact])
  await insertReplies(
    db,
    replies.map((reply) => ({ ...reply, contactId })),
  )
  const photos = await Promise.all(numbers.map((number) => aStoredPhoto(number)))
  for (const [position, { hash, content, contentType, width, height }] of photos.entries()) {
    await storage.put(contactPhotoName(hash), content)
    const facts = { hash, contentType, bytes: content.length, width, height }
    await insertContactPhotos(db, [{ ...facts, id: randomUUID(), contactId, position, createdAt }])
  }
  return { ...contact, replies, photos: photos.map(({ hash }) => hash) }
}

/** A message that was answered, with everything one can have. */
export const anAnsweredContact = {
  state: 'answered',
  language: 'es',
  aboutTitle: 'Tugboat “Ñandú” 🚢',
  note: 'A steam tug, 1:50. Calls after six.',
  changedAt: '2026-04-02T09:30:00.000Z',
  photos: [21, 22],
} as const satisfies Omit<Contact, 'photos'> & { photos: readonly number[] }

export const aReply = (details: Partial<Reply> = {}): Reply => ({
  id: randomUUID(),
  text: 'Sí, con gusto.\n> ¿Podría construir el remolcador? 🚢',
  createdAt: '2026-04-02T09:30:00.000Z',
  sentAt: '2026-04-02T09:30:07.000Z',
  ...details,
})

/** Own words that no program may take for anything but text. */
export const ownWords: OwnFields = {
  'maker.brand': 'Ñandú & <b>Söhne</b> 🚢',
  'maker.phones.1': '',
  'en.hero.title': '"><script>alert(1)</script> {{x}}',
  'es.hero.title': "ﷺ 漢字 \\ ' %s",
  'photos.hero.point': '50 30',
}

/** Three projects, one of them with photos of its own, two messages, one of which was answered, and own words and a photo of the site. */
export async function fill(site: Site) {
  const { db, storage } = site
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
  const answered = {
    ...anAnsweredContact,
    aboutId: projects[0]?.id ?? null,
    photos: [...anAnsweredContact.photos],
    replies: [aReply()],
  }
  const messages = [
    await storeContact(site, { ...answered, name: 'ada', id: '00000000-0000-4000-8000-000000000000' }),
    await storeContact(site, {
      name: 'grace',
      projectType: null,
      id: '00000001-0000-4000-8000-000000000001',
      createdAt: '2026-04-02T00:00:00.000Z',
    }),
  ]
  await storeVersion(site.db, { ...ownWords, 'photos.hero.image': before ?? '' })
  await restoreSums(db, [
    { day: '2026-04-30', kind: 'looks', name: projects[0]?.id ?? '', count: 12 },
    { day: '2026-04-30', kind: 'visits', name: '', count: 40 },
  ])
  return { photos, projects: projects.map((project) => asBackedUp(project)), messages }
}

/** Everything a backup must bring back: every record, what is known of each photo of both kinds, and its bytes. */
export async function contentOf({ db, storage }: Site) {
  const images = await db
    .selectFrom('images')
    .select(['hash', 'contentType', 'bytes', 'width', 'height', 'placeholder'])
    .orderBy('hash')
    .execute()
  const projects = await db.selectFrom('projects').selectAll().orderBy('id').execute()
  return {
    projects: (await withAddresses(db, await withPhotos(db, await withTexts(db, projects, translatedFields)))).map(
      ({ version: _version, ...content }) => content,
    ),
    contacts: await contactsIn({ db, storage }),
    /** As it is published. */
    site: (await readPublished(db)).fields,
    sums: await listSums(db),
    images,
    files: await Promise.all(images.map(async ({ hash }) => (await storage.read(imageName(hash)))?.toString('base64'))),
  }
}

async function contactsIn({ db, storage }: Site) {
  const contacts = await db.selectFrom('contactMessages').selectAll().orderBy('id').execute()
  const ids = contacts.map(({ id }) => id)
  const replies = await repliesTo(db, ids)
  const photos = await photosSentWith(db, ids)
  return Promise.all(
    contacts.map(async (contact) => ({
      ...contact,
      replies: (replies.get(contact.id) ?? []).map(({ contactId: _contactId, ...reply }) => reply),
      photos: await Promise.all(
        // Which row it is matters on this site only.
        (photos.get(contact.id) ?? []).map(async ({ id: _id, ...photo }) => ({
          ...photo,
          file: (await storage.read(contactPhotoName(photo.hash)))?.toString('base64'),
        })),
      ),
    })),
  )
}

/** Like `contentOf`, and all that must never be touched. */
export async function everythingIn(site: Site) {
  return {
    ...(await contentOf(site)),
    versions: await site.db.selectFrom('siteVersions').selectAll().orderBy('number').execute(),
    draft: await site.db.selectFrom('siteDraft').selectAll().execute(),
    accounts: await site.db.selectFrom('adminUsers').selectAll().orderBy('id').execute(),
    sessions: await site.db.selectFrom('sessions').selectAll().orderBy('sid').execute(),
    objects: (await site.storage.list('objects')).map(({ name }) => name).toSorted(),
    inquiryPhotos: (await site.storage.list('inquiry-photos')).map(({ name }) => name).toSorted(),
    mails: await site.db.selectFrom('outbox').selectAll().orderBy('id').execute(),
    backups: (await site.storage.list('backups')).map(({ name }) => name).toSorted(),
  }
}

type Contents = { projects?: unknown[]; contacts?: unknown[]; images?: Buffer[]; inquiryPhotos?: Buffer[] }

export function anExport({ projects = [], contacts = [] }: Contents = {}) {
  const counts = { projects: projects.length, contacts: contacts.length }
  return { format: exportFormat, version: 1, createdAt: '2026-05-01T12:00:00.000Z', counts, projects, contacts }
}

type Changes = {
  manifest?: object
  /** Makes it one of version 1, with these records. */
  data?: unknown
  /** Instead of the lines of the projects, of the messages, of the site, or of its sums. */
  texts?: Partial<Record<'projects.ndjson' | 'messages.ndjson' | 'site.json' | 'statistics.json', string>>
}

/** The entries of a good archive, the manifest first, for a test to spoil. */
export function archiveEntries(contents: Contents = {}, changes: Changes = {}): RawEntry[] {
  const { projects = [], contacts = [], images = [], inquiryPhotos = [] } = contents
  const linesOf = (records: readonly unknown[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('')
  const records = { 'projects.ndjson': linesOf(projects), 'messages.ndjson': linesOf(contacts), 'site.json': 'null' }
  const isBefore = 'version' in (changes.manifest ?? {}) && Number((changes.manifest as { version: number }).version) < 10
  const texts = { ...records, ...(!isBefore && { 'statistics.json': '[]' }) }
  const older = changes.data === undefined ? undefined : { 'data.json': JSON.stringify(changes.data) }
  const files = [
    ...Object.entries(older ?? { ...texts, ...changes.texts }).map(([name, text]) => ({ name, content: Buffer.from(text) })),
    ...images.map((content) => ({ name: `images/${hashOf(content)}`, content })),
    ...inquiryPhotos.map((content) => ({ name: `inquiry-photos/${hashOf(content)}`, content })),
  ]
  const manifest = {
    format: archiveFormat,
    version: older ? 1 : backupVersion,
    createdAt: '2026-05-01T12:00:00.000Z',
    counts: {
      projects: projects.length,
      contacts: contacts.length,
      images: images.length,
      // As an older release writes it, where there are none.
      ...(inquiryPhotos.length > 0 && { inquiryPhotos: inquiryPhotos.length }),
    },
    entries: files.map(({ name, content }) => ({ name, bytes: content.length, sha256: hashOf(content) })),
    ...changes.manifest,
  }
  return [{ name: 'manifest.json', content: Buffer.from(JSON.stringify(manifest)) }, ...files]
}

/** A complete backup that says it is good and is small, and holds so many records of nothing. */
export function emptyObjects(projects: number) {
  const counts = { projects, contacts: 0, images: 0 }
  const entries = archiveEntries({}, { manifest: { counts }, texts: { 'projects.ndjson': '{}\n'.repeat(projects) } })
  return rawZip(entries.map((entry) => ({ ...entry, deflate: true })))
}

/** Bytes in memory as an open file. */
export function asOpenFile(content: Buffer): OpenFile {
  return {
    bytes: content.length,
    async read(start, bytes) {
      if (start + bytes > content.length) throw new Error(`The file ends before ${start + bytes}.`)
      return Buffer.from(content.subarray(start, start + bytes))
    },
    close: async () => {},
  }
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

/** The calls of a site that make and take backups, for its signed-in maker. */
export async function backupCalls(site: TestApp) {
  const as = { as: await site.signedIn() }
  return {
    as,
    exported: async () => (await site.ask(exportData, as)).data,
    importing: (body: object) => site.ask(importData, { body, ...as }),
    restore: (archive: Buffer) => site.ask(restoreComplete, { ...formWith(archive), ...as }),
    async completeBackup() {
      const { filename } = await site.ask(createCompleteBackup, as)
      return (await site.call(downloadBackup, { params: { filename }, ...as })).rawPayload
    },
  }
}
