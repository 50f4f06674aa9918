import { describe, expect, test } from 'vitest'
import { sendContact } from '#contract/contacts.ts'
import { deleteProject, emptyTrash, moveProject } from '#contract/projects.admin.ts'
import { listProjects } from '#contract/projects.ts'
import { changeSiteDraft, publishSite, readSiteContent, type SiteContent } from '#contract/site-content.ts'
import { openDatabase } from '#server/database/open.ts'
import { insertProjects } from '#server/features/projects/project-records.ts'
import { allContacts } from '#tests/all-records.ts'
import type { BuiltSite } from '../built-site.ts'
import { post, signInAt } from '../calls.ts'
import { aContact, aStoredProject, aWholeProject } from '../factories.ts'
import { newSeed, rounds, seededRandom } from '../random.ts'
import { addressOf } from '../test-app.ts'
import { databases, emptyDatabase, type Place } from '../test-database.ts'
import { ownerAccount, startSite } from './site.ts'

const kills = rounds(1)
const writers = 3
const models = 24

/** Sends messages while the maker does this and that, and kills the site after so many answers to them. */
async function writeUntilKilled(site: BuiltSite, round: number, enough: number, makers: (() => Promise<unknown>)[]) {
  const acknowledged: string[] = []
  let killed = false
  const write = async (writer: number) => {
    for (let sent = 0; !killed; sent += 1) {
      const name = `round ${round}, writer ${writer}, message ${sent}`
      const response = await post(site.url, sendContact.path, aContact({ name })).catch(() => undefined)
      if (!response) return
      expect(response.status).toBe(200)
      acknowledged.push(name)
      if (acknowledged.length >= enough && !killed) {
        killed = true
        await site.kill()
      }
    }
  }
  const untilKilled = async (make: () => Promise<unknown>) => {
    while (!killed && (await make()));
  }
  await Promise.all([...makers.map(untilKilled), ...Array.from({ length: writers }, (_, writer) => write(writer))])
  return acknowledged
}

/** Moves projects, deletes some and empties the trash; knows how the list must look, and how it may if the last step came through. */
function aTidyMaker(ids: readonly string[], random: () => number) {
  const known = { list: [...ids], maybe: [...ids], removed: [] as string[] }
  let site: { url: string; cookie: string }
  const call = async (endpoint: { method: string; path: string }, id = '', body?: object) => {
    const headers = { cookie: site.cookie, ...(body && { 'content-type': 'application/json' }) }
    const init = { method: endpoint.method, headers, ...(body && { body: JSON.stringify(body) }) }
    const response = await fetch(new URL(addressOf(endpoint, { id }), site.url), init).catch(() => undefined)
    if (response) expect(response.status).toBe(200)
    return response !== undefined
  }
  const oneOf = (list: readonly string[]) => list[Math.floor(random() * list.length)] ?? ''
  async function remove() {
    const id = oneOf(known.list)
    known.maybe = known.list.filter((each) => each !== id)
    if (!(await call(deleteProject, id))) return false
    known.list = known.maybe
    if (!(await call(emptyTrash))) return false
    known.removed.push(id)
    return true
  }
  async function move() {
    // Mostly into the same gap, so that room has to be made again and again.
    const [id, before] = [oneOf(known.list.slice(0, 3)), oneOf(known.list.slice(0, 6))]
    const others = known.list.filter((each) => each !== id)
    known.maybe = id === before ? known.list : others.toSpliced(others.indexOf(before), 0, id)
    if (!(await call(moveProject, id, { before }))) return false
    known.list = known.maybe
    return true
  }
  return {
    known,
    async signIn(url: string) {
      site = { url, cookie: await signInAt(url, ownerAccount) }
    },
    tidyUp: () => (random() < 0.1 && known.list.length > models / 2 ? remove() : move()),
  }
}

/** Writes a title in both languages and publishes it, again and again; the titles are numbered like the versions. */
function aPublishingMaker() {
  const known = { published: 0, maybe: 0 }
  let site: { url: string; cookie: string }
  let revision: string
  const call = async ({ method, path }: { method: string; path: string }, body?: object) => {
    const headers = { cookie: site.cookie, 'content-type': 'application/json' }
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    const sent = fetch(new URL(path, site.url), init).then(async (response) => (await response.json()) as SiteContent)
    const content = await sent.catch(() => undefined)
    if (content) revision = content.revision
    return content
  }
  const titles = (number: number) =>
    number > 0 ? { 'en.hero.title': `Title ${number}`, 'es.hero.title': `Título ${number}` } : {}
  return {
    /** Published whole and no draft any more, or not at all. */
    async begin(url: string) {
      site = { url, cookie: await signInAt(url, ownerAccount) }
      const { published, draft } = (await call(readSiteContent)) ?? {}
      expect([known.published, known.maybe]).toContain(published?.number)
      expect(published?.fields).toEqual(titles(published?.number ?? -1))
      if (draft) expect([published?.number, draft.changes]).toEqual([known.published, titles(known.maybe)])
      known.published = published?.number ?? 0
    },
    async publish() {
      known.maybe = known.published + 1
      if (!(await call(changeSiteDraft, { revision, changes: titles(known.maybe) }))) return false
      const content = await call(publishSite, { revision })
      if (content) expect(content.published.number).toBe(known.maybe)
      known.published = content ? known.maybe : known.published
      return content !== undefined
    },
  }
}

async function addModels(place: Place) {
  const { db, close } = await openDatabase(place)
  const projects = Array.from({ length: models }, (_, index) => ({ ...aStoredProject(aWholeProject), rank: -index }))
  await insertProjects(db, projects)
  await close()
  return projects.map(({ id }) => id)
}

async function orderAt({ url }: BuiltSite) {
  const projects = (await (await fetch(new URL(listProjects.path, url))).json()) as { id: string }[]
  return projects.map(({ id }) => id)
}

describe.each(databases)('killed in the middle of writing on %s', (dialect) => {
  test('the site starts again with every message it said it had, and its projects in the order it said they had, and what it said was published', {
    timeout: 600_000 + kills * 12_000,
  }, async () => {
    const place = await emptyDatabase(dialect)
    const settings = { DATA_DIR: place.dataDir, RATE_LIMITS: 'off', ...(place.url && { DATABASE_URL: place.url }) }
    const seed = newSeed()
    const random = seededRandom(seed)
    const acknowledged: string[] = []
    const maker = aTidyMaker(await addModels(place), random)
    const publisher = aPublishingMaker()
    for (let round = 0; round < kills; round += 1) {
      const site = await startSite(settings)
      const { known } = maker
      const order = await orderAt(site)
      expect([known.list, known.maybe], `TEST_SEED=${seed}`).toContainEqual(order)
      known.list = order
      await maker.signIn(site.url)
      await publisher.begin(site.url)
      const makers = [maker.tidyUp, publisher.publish]
      acknowledged.push(...(await writeUntilKilled(site, round, 1 + random() * 80, makers)))
    }
    const site = await startSite(settings)
    await publisher.begin(site.url)
    const order = await orderAt(site)
    expect([maker.known.list, maker.known.maybe], `TEST_SEED=${seed}`).toContainEqual(order)

    const { db, close } = await openDatabase(place)
    const stored = (await allContacts(db)).map(({ name }) => name)
    const kept = await db.selectFrom('projects').select('id').execute()
    const photos = await db.selectFrom('projectPhotos').select('projectId').execute()
    const addresses = await db.selectFrom('projectAddresses').select('projectId').execute()
    await close()
    // A project goes whole, when the trash is emptied, or not at all.
    expect(kept.filter(({ id }) => maker.known.removed.includes(id))).toEqual([])
    expect(photos).toHaveLength(kept.length * aWholeProject.photos.length)
    expect(addresses).toHaveLength(kept.length)
    expect(acknowledged.length).toBeGreaterThanOrEqual(kills)
    expect(
      acknowledged.filter((name) => !stored.includes(name)),
      `TEST_SEED=${seed}`,
    ).toEqual([])
    expect(new Set(stored).size).toBe(stored.length)
  })
})
