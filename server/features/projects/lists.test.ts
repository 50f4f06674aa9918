import { randomUUID } from 'node:crypto'
import { brotliDecompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { placeByRankOf } from '#contract/first-visit.ts'
import { findProject } from '#contract/project-in-list.ts'
import { searchProjects } from '#contract/projects.admin.ts'
import { countProjects, listProjects, type Project } from '#contract/projects.ts'
import { slice } from '#server/database/slices.ts'
import { insertProjects } from '#server/features/projects/project-records.ts'
import { readShowcase } from '#server/features/projects/projects.queries.ts'
import { aStoredProject, storeProject } from '#tests/factories.ts'
import { openTestApp, type TestApp } from '#tests/test-app.ts'
import { databases } from '#tests/test-database.ts'

/** Several to a moment, so that a page ends in the middle of one. */
async function addModels({ db }: TestApp, count: number) {
  const models = Array.from({ length: count }, (_, number) =>
    aStoredProject({
      title: `Model ${number}`,
      category: number % 2 === 0 ? 'ships' : 'figures',
      featured: number % 10 === 3,
      createdAt: new Date(Date.UTC(2026, 0, 1, 0, Math.floor(number / 4))).toISOString(),
    }),
  )
  await insertProjects(db, models)
  return models.toSorted((a, b) => (a.createdAt === b.createdAt ? (a.id < b.id ? -1 : 1) : a.createdAt < b.createdAt ? 1 : -1))
}

/** What Featured shows comes last: those that are marked, or the first four. */
function inGallery<Model extends { featured?: boolean }>(models: readonly Model[]) {
  const marked = models.filter(({ featured }) => featured)
  const last = (marked.length > 0 ? marked : models).slice(0, 4)
  return [...models.filter((model) => !last.includes(model)), ...last]
}

const idsOf = (records: readonly { id: string }[]) => records.map(({ id }) => id)

describe('a list of projects', () => {
  test('is compressed for a client that accepts it, on every page', async () => {
    const site = await openTestApp('sqlite')
    const [first] = await addModels(site, 30)
    const query = { limit: '7', after: first ? placeByRankOf({ ...first, rank: Date.parse(first.createdAt) }) : '' }
    const plain = await site.call(listProjects, { query })
    const packed = await site.call(listProjects, { query, headers: { 'accept-encoding': 'br' } })
    expect(packed.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(packed.rawPayload)).toEqual(plain.rawPayload)
  })

  test('is refused with a limit, a place or a filter that cannot be', async () => {
    const site = await openTestApp('sqlite')
    for (const query of [
      { limit: '0' },
      { limit: '101' },
      { limit: 'many' },
      { after: 'nowhere' },
      { after: '2026-01-01T00:00:00.000Z' },
      { after: '2026-01-01,00000000-0000-4000-8000-000000000000' },
      { featured: 'false' },
    ] as Record<string, string>[]) {
      expect((await site.call(listProjects, { query })).json(), JSON.stringify(query)).toMatchObject({ code: 'invalid_input' })
    }
  })

  test('leads nowhere for a project that is not there', async () => {
    const site = await openTestApp('sqlite')
    expect((await site.call(findProject)).json()).toMatchObject({ code: 'project_not_found' })
  })
})

describe.each(databases)('a list of projects on %s', (dialect) => {
  test('comes whole when no limit is asked for, however long it is', async () => {
    const site = await openTestApp(dialect)
    const models = await addModels(site, 2 * slice + 7)
    expect(idsOf(await site.ask(listProjects))).toEqual(idsOf(models))
    const ships = models.filter(({ category }) => category === 'ships')
    expect(idsOf(await site.ask(listProjects, { query: { category: 'ships' } }))).toEqual(idsOf(ships))
  })

  test('comes in pages that leave nothing out and repeat nothing, also when a page’s last project is gone', async () => {
    const site = await openTestApp(dialect)
    const models = await addModels(site, 30)
    const found: Project[] = []
    for (let page: Project[] = []; found.length === 0 || page.length > 0; ) {
      const last = found.at(-1)
      page = await site.ask(listProjects, { query: { limit: '7', ...(last && { after: placeByRankOf(last) }) } })
      found.push(...page)
      const removed = page.at(-1)
      if (removed) await site.db.deleteFrom('projects').where('id', '=', removed.id).execute()
    }
    expect(idsOf(found)).toEqual(idsOf(models))
    // The id alone tells the place while the project is there.
    const [first, second] = idsOf(models) as [string, string]
    expect(idsOf(await site.ask(listProjects, { query: { limit: '1', after: first } }))).toEqual([second])
    for (const after of ['0', `x3,${first}`, `${first},${first}`, 'x'.repeat(200)]) {
      expect((await site.call(listProjects, { query: { after } })).json()).toMatchObject({ code: 'invalid_input' })
    }
    const unknown = await site.call(listProjects, { query: { after: randomUUID() } })
    expect(unknown.json()).toMatchObject({ code: 'project_not_found' })
  })

  test('of what is featured has only that, the newest first', async () => {
    const site = await openTestApp(dialect)
    const models = await addModels(site, 60)
    const featured = models.filter(({ featured: is }) => is)
    expect(idsOf(await site.ask(listProjects, { query: { featured: 'true', limit: '4' } }))).toEqual(
      idsOf(featured).slice(0, 4),
    )
  })

  test.each([
    ['seven on a page, three marked', 30, '7', true],
    ['none marked, so the first four', 30, '10', false],
    ['no others', 3, '2', false],
    ['more marked than are shown', 60, '20', true],
  ] as const)('of the gallery has what Featured shows last, once, on whichever page: %s', async (_, count, limit, isMarked) => {
    const site = await openTestApp(dialect)
    const models = (await addModels(site, count)).map((model) => ({ ...model, featured: isMarked && model.featured }))
    if (!isMarked) await site.db.updateTable('projects').set({ featured: false }).execute()
    const found: Project[] = []
    for (let page: Project[] = []; found.length === 0 || page.length > 0; ) {
      const last = found.at(-1)
      page = await site.ask(listProjects, { query: { featured: 'last', limit, ...(last && { after: placeByRankOf(last) }) } })
      expect(page.length).toBeLessThanOrEqual(Number(limit))
      found.push(...page)
    }
    expect(idsOf(found)).toEqual(idsOf(inGallery(models)))
    const { projects } = await readShowcase(site.db, undefined, 24)
    expect(idsOf(projects)).toEqual(idsOf(found.slice(0, 24)))
    const ships = models.filter(({ category }) => category === 'ships')
    const inCategory = await site.ask(listProjects, { query: { category: 'ships', featured: 'last', limit } })
    expect(idsOf(inCategory)).toEqual(idsOf(ships).slice(0, Number(limit)))
  })

  test('is counted by category, and counted again after a change', async () => {
    const site = await openTestApp(dialect)
    await addModels(site, 5)
    const none = { locomotive: 0, aircraft: 0, automotive: 0, military: 0 }
    expect(await site.ask(countProjects)).toEqual({ ...none, all: 5, ships: 3, figures: 2 })
  })

  test('knows the place of each project, and leads around its ends', async () => {
    const site = await openTestApp(dialect)
    const models = await addModels(site, 9)
    const walk = async (query: Record<string, string>, start: string) => {
      const seen: string[] = []
      for (let id = start; !seen.includes(id); ) {
        const found = await site.ask(findProject, { params: { id }, query })
        expect([found.project.id, found.position]).toEqual([id, seen.length + 1])
        seen.push(id)
        const next = await site.ask(findProject, { params: { id: found.next }, query })
        expect(next.previous).toBe(found.project.slug)
        id = next.project.id
      }
      return seen
    }
    const all = inGallery(models)
    expect(await walk({}, all[0]?.id ?? '')).toEqual(idsOf(all))
    const ships = models.filter(({ category }) => category === 'ships')
    expect(await walk({ category: 'ships' }, ships[0]?.id ?? '')).toEqual(idsOf(ships))
    const figure = models.find(({ category }) => category === 'figures')?.id ?? ''
    expect(await site.ask(findProject, { params: { id: figure }, query: { category: 'ships' } })).toMatchObject({ count: 9 })
  })

  test('is searched on the server, whatever the accents and capitals, in pages with a count', async () => {
    const site = await openTestApp(dialect)
    const maker = await site.signedIn()
    await addModels(site, slice + 30)
    const galleon = aStoredProject({
      title: 'Galeón',
      translations: { es: { materials: 'Latón y peral' } },
      createdAt: '2020-01-01T00:00:00.000Z',
    })
    await storeProject(site.db, galleon)
    const search = async (query: Record<string, string>) => site.ask(searchProjects, { as: maker, query })
    expect(await search({ search: 'LATON galeon' })).toMatchObject({ count: 1, projects: [{ id: galleon.id }] })
    expect(await search({ search: 'latón', category: 'figures' })).toMatchObject({ count: 0, projects: [] })
    const first = await search({ search: 'model 1', limit: '20' })
    const last = first.projects.at(-1)
    const second = await search({ search: 'model 1', limit: '100', after: last ? placeByRankOf(last) : '' })
    expect([first.count, second.count]).toEqual([first.count, first.count])
    expect(new Set(idsOf([...first.projects, ...second.projects])).size).toBe(Math.min(first.count, 120))
    expect(await search({ limit: '1' })).toMatchObject({ count: slice + 31, projects: [{ id: expect.any(String) }] })
  })
})
