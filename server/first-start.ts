import { createHash, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import { storedAddress } from '#contract/image-addresses.ts'
import type { ImageFacts } from '#contract/images.ts'
import { projectInput } from '#contract/project-fields.ts'
import { demoAdmin } from '#demo/admin.ts'
import { type DemoContact, demoContacts } from '#demo/contacts.ts'
import { photoFacts } from '#demo/photo-facts.ts'
import { type DemoProject, demoProjects } from '#demo/projects.ts'
import { type Clock, daysBefore, hour } from './clock.ts'
import { type Config, ConfigError } from './config.ts'
import { insertContacts } from './database/contact-records.ts'
import type { Database } from './database/open.ts'
import { insertProjects } from './database/project-records.ts'
import type { Db } from './database/tables.ts'
import { countAdmins, findAdminByName, insertAdmin, removeAdmin } from './features/admins/admins.queries.ts'
import { demoAdminCheck } from './features/admins/demo-admin.ts'
import { hashPassword } from './features/admins/passwords.ts'
import { storePrepared } from './features/images/store-image.ts'
import type { Variants } from './features/images/variants.ts'
import { isLoopbackHost } from './http/loopback.rules.ts'
import { isEmptySite } from './lost-database.ts'
import { projectRoot } from './project-root.ts'
import type { Storage } from './storage/storage.ts'

type Parts = {
  config: Config
  database: Database
  storage: Storage
  clock: Clock
  variants: Variants
  log: FastifyBaseLogger
}

/**
 * Makes the first account. A site without an owner becomes a demo that only this machine can reach; ADMIN_USERNAME and
 * ADMIN_PASSWORD give it an owner.
 */
export async function prepareAccounts(parts: Parts): Promise<void> {
  const { config, database, log } = parts
  const { db } = database
  const isNew = (await countAdmins(db)) === 0
  if (config.firstAdmin) {
    if (isNew || (await demoAdminCheck(db)())) await handOver(parts, config.firstAdmin)
    return
  }
  const waysIn = waysInFromOutside(config)
  if (waysIn.length > 0 && (isNew || (await demoAdminCheck(db)()))) throw new ConfigError(waysIn)
  if (isNew) {
    log.info('first start: adding the demo content')
    await addDemoContent(parts)
  }
}

/** A reverse proxy on the same machine is the usual way to be reached: listening on the loopback address alone says little. */
function waysInFromOutside({ loopbackOnly, trustProxy, publicUrl }: Config) {
  const cure = 'Set ADMIN_USERNAME and ADMIN_PASSWORD first.'
  const faults: [setting: string, cure: string][] = []
  if (!loopbackOnly) faults.push(['HOST', `is public while the demo account is active. ${cure}`])
  if (trustProxy) faults.push(['TRUST_PROXY', `lets a proxy in while the demo account is active. ${cure}`])
  if (publicUrl && !isLoopbackHost(publicUrl.replace(/^https?:\/\//, ''))) {
    faults.push(['PUBLIC_URL', `is not on this machine while the demo account is active. ${cure}`])
  }
  return faults
}

/** Makes the owner's account and removes the demo account, in one step. */
async function handOver({ database, clock }: Parts, { username, password }: { username: string; password: string }) {
  const passwordHash = await hashPassword(password)
  await database.exclusively('first start', async (tx) => {
    // Another process may have been quicker; the account it made is not to be taken for the demo's, whatever its name.
    const demo = (await demoAdminCheck(tx)()) ? await findAdminByName(tx, demoAdmin.username) : undefined
    if (!demo && (await countAdmins(tx)) > 0) return
    if (demo) await removeAdmin(tx, demo.id)
    await insertAdmin(tx, {
      id: randomUUID(),
      username,
      passwordHash,
      lastLogin: null,
      createdAt: clock.now().toISOString(),
    })
  })
}

async function addDemoContent(parts: Parts) {
  const { database, clock, variants } = parts
  const images = await Promise.all(Object.entries(photoFacts).map(readDemoPhoto))
  await storePrepared(
    parts,
    images.map(({ image }) => image),
  )
  const photos = new Map(images.map(({ file, image }) => [file, image.hash]))
  // Only now, because the owner is waiting for the site and not for smaller copies.
  for (const hash of photos.values()) variants.prepare(hash)
  const passwordHash = await hashPassword(demoAdmin.password)
  await database.exclusively('first start', async (tx) => {
    // Another process may have been quicker.
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
  const { hoursAgo, about = null, note = null, reply, ...written } = contact
  const hoursLater = (hours: number) => new Date(now.getTime() + (hours - hoursAgo) * hour).toISOString()
  const repliedAt = reply ? hoursLater(reply.hoursLater) : null
  const id = randomUUID()
  const aboutId = about ? (projects.get(about) ?? null) : null
  await insertContacts(db, [
    { ...written, id, createdAt: hoursLater(0), aboutId, aboutTitle: about, note, spamReason: null, changedAt: repliedAt },
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
