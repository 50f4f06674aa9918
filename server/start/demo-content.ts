import { createHash, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { type ImageFacts, storedAddress } from '#contract/images.ts'
import { projectInput } from '#contract/project-fields.ts'
import { demoAdmin } from '#demo/admin.ts'
import { type DemoContact, demoContacts } from '#demo/contacts.ts'
import { photoFacts } from '#demo/photo-facts.ts'
import { type DemoProject, demoProjects } from '#demo/projects.ts'
import { type Clock, daysBefore, hour } from '../clock.ts'
import type { Database } from '../database/open.ts'
import type { Db } from '../database/tables.ts'
import { countAdmins, insertAdmin } from '../features/accounts/accounts.queries.ts'
import { hashPassword } from '../features/accounts/passwords.ts'
import { insertContacts } from '../features/contacts/contacts.queries.ts'
import { storePrepared } from '../features/images/image-store.ts'
import type { Variants } from '../features/images/variants.ts'
import { insertProjects } from '../features/projects/project-records.ts'
import { projectRoot } from '../own-program.ts'
import type { Storage } from '../storage/storage.ts'
import { isEmptySite } from './lost-database.ts'

type Parts = { database: Database; storage: Storage; clock: Clock; variants: Variants }

/** Adds models, messages and the demo account, unless another process has added them meanwhile. */
export async function addDemoContent(parts: Parts) {
  const { database, clock, variants } = parts
  const images = await Promise.all(Object.entries(photoFacts).map(readDemoPhoto))
  await storePrepared(
    parts,
    images.map(({ image }) => image),
  )
  const photos = new Map(images.map(({ file, image }) => [file, image.hash]))
  // Queued last: the start waits for the photos above, and not for their smaller copies.
  for (const hash of photos.values()) variants.prepare(hash)
  const passwordHash = await hashPassword(demoAdmin.password)
  await database.exclusively('first start', async (tx) => {
    // Another process may have started at the same time.
    if ((await countAdmins(tx)) > 0) return
    // A backup may have been restored before the first start.
    if (await isEmptySite(tx)) await insertDemoRecords(tx, photos, clock.now())
    await insertAdmin(tx, {
      id: randomUUID(),
      username: demoAdmin.username,
      passwordHash,
      demo: true,
      lastLogin: null,
      createdAt: clock.now().toISOString(),
    })
  })
}

async function readDemoPhoto([file, facts]: [string, ImageFacts]) {
  const content = await readFile(path.join(projectRoot, 'demo/photos', file))
  const hash = createHash('sha256').update(content).digest('hex')
  return { file, image: { ...facts, hash, contentType: 'image/jpeg', content } }
}

async function insertDemoRecords(db: Db, photos: ReadonlyMap<string, string>, now: Date) {
  const daysAgo = (days: number) => daysBefore(now, days).toISOString()
  const ids = new Map<string, string>()
  for (const [index, project] of demoProjects.entries()) {
    const id = randomUUID()
    ids.set(project.title, id)
    await insertProjects(db, [{ ...inputOf(project, photos), id, createdAt: daysAgo(index * 23) }])
  }
  for (const contact of demoContacts) await insertDemoContact(db, contact, ids, now)
}

async function insertDemoContact(db: Db, contact: DemoContact, projects: ReadonlyMap<string, string>, now: Date) {
  const { hoursAgo, about = null, note = null, reply, ...fields } = contact
  const hoursLater = (hours: number) => new Date(now.getTime() + (hours - hoursAgo) * hour).toISOString()
  const repliedAt = reply ? hoursLater(reply.hoursLater) : null
  const id = randomUUID()
  const aboutId = about ? (projects.get(about) ?? null) : null
  await insertContacts(db, [
    { ...fields, id, createdAt: hoursLater(0), aboutId, aboutTitle: about, note, spamReason: null, changedAt: repliedAt },
  ])
  if (!reply || !repliedAt) return
  const sent = { id: randomUUID(), contactId: id, text: reply.text, createdAt: repliedAt, sentAt: repliedAt }
  await db.insertInto('contactReplies').values(sent).execute()
}

function inputOf(
  { photo, beforePhoto, afterPhoto, photos: details = [], ...texts }: DemoProject,
  stored: ReadonlyMap<string, string>,
) {
  const addressOf = (file: string | undefined) => {
    const hash = file && stored.get(file)
    return hash ? storedAddress(hash) : null
  }
  return projectInput.parse({
    ...texts,
    imageUrl: addressOf(photo),
    beforeImageUrl: addressOf(beforePhoto),
    afterImageUrl: addressOf(afterPhoto),
    photos: details.map(({ photo, ...captions }) => ({ ...captions, imageUrl: addressOf(photo) })),
  })
}
