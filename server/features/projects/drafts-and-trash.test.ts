import { describe, expect, test } from 'vitest'
import { exportData, importData } from '#contract/backups.ts'
import { readOverview } from '#contract/overview.ts'
import { homePage } from '#contract/pages.ts'
import { findProject } from '#contract/project-in-list.ts'
import {
  createProject,
  type DeletedProject,
  daysInTrash,
  deleteProject,
  emptyTrash,
  listTrash,
  placeInTrashOf,
  removeDeleted,
  restoreProject,
  searchProjects,
  updateProject,
} from '#contract/projects.admin.ts'
import { countProjects, listProjects } from '#contract/projects.ts'
import { daysBefore } from '#server/clock.ts'
import { listShown } from '#server/features/images/images.queries.ts'
import { aProject, aStoredProject, storeProject } from '#tests/factories.ts'
import { openTestApp } from '#tests/test-app.ts'
import { databases } from '#tests/test-database.ts'
import { sweepTrash } from './trash.queries.ts'

const titles = (projects: readonly { title: string }[]) => projects.map(({ title }) => title)
const photo = (letter: string) => `/objects/${letter.repeat(64)}`

describe('a draft', () => {
  test('needs a title in any language or a photo, and the rest when it is published, by whichever call', async () => {
    const site = await openTestApp('sqlite')
    const maker = await site.signedIn()
    const make = (body: object) => site.call(createProject, { as: maker, body: { draft: true, ...body } })
    const nothing = { title: ' ', translations: { es: { title: null } }, scale: '1:9' }
    const refused = await make(nothing)
    expect(refused.statusCode).toBe(400)
    expect(refused.json().fields).toEqual({ title: 'A draft needs a title or a photo.' })
    for (const body of [{ translations: { es: { title: 'Casco' } } }, { imageUrl: photo('a') }]) {
      expect((await make(body)).statusCode).toBe(200)
    }
    for (const wrong of [{ title: null }, { title: 5 }, { category: 'trains' }, { imageUrl: 'http://a.example/1.jpg' }]) {
      expect((await make({ photos: [{ imageUrl: photo('a') }], ...wrong })).statusCode).toBe(400)
    }

    const { id } = (await make({ photos: [{ imageUrl: photo('b') }] })).json()
    const change = (body: object) => site.call(updateProject, { as: maker, params: { id }, body })
    expect((await change({ photos: [] })).json().fields).toEqual({ title: 'A draft needs a title or a photo.' })
    const publish = await change({ draft: false, description: 'A hull.' })
    expect(publish.statusCode).toBe(400)
    expect(publish.json().fields).toEqual({
      title: 'Title is required',
      category: 'Category is required',
      imageUrl: 'Image is required',
    })
    const found = async () => (await site.ask(findProject, { params: { id }, as: maker })).project
    expect(await found()).toMatchObject({ draft: true, description: '', title: '', category: '', imageUrl: '', version: 1 })
    expect((await site.call(homePage, { query: { project: (await found()).slug }, as: maker })).statusCode).toBe(200)

    await site.ask(deleteProject, { as: maker, params: { id } })
    expect(await site.ask(restoreProject, { as: maker, params: { id } })).toMatchObject({ draft: true, title: '' })
    const rest = { title: 'Hull', description: 'A hull.', category: 'ships', imageUrl: photo('b') }
    expect((await change({ ...rest, draft: false })).json()).toMatchObject({ draft: false, slug: 'hull' })
    expect(titles(await site.ask(listProjects))).toEqual(['Hull'])
  })

  test('that lacks everything but a title or a photo comes back from a backup as it was', async () => {
    const site = await openTestApp('sqlite')
    const maker = await site.signedIn()
    for (const body of [
      { title: 'Hull' },
      { imageUrl: 'https://a.example/1.jpg' },
      { translations: { es: { title: 'Casco' } } },
    ]) {
      await site.ask(createProject, { as: maker, body: { ...body, draft: true } })
    }
    const { data } = await site.ask(exportData, { as: maker })
    const other = await openTestApp('sqlite')
    const owner = await other.signedIn()
    const { imported } = await other.ask(importData, { as: owner, body: data })
    expect(imported.projects).toBe(3)
    const drafts = async (of: typeof site, as: typeof maker) =>
      (await of.ask(searchProjects, { as, query: { draft: 'true' } })).projects
    expect(await drafts(other, owner)).toEqual(await drafts(site, maker))
    expect(await other.ask(listProjects)).toEqual([])
    const [record] = data.projects
    const published = { projects: [{ ...record, id: undefined, draft: false }] }
    expect((await other.call(importData, { as: owner, body: published })).statusCode).toBe(422)
  })

  test('is seen by administrators only, on the real page too, until it is published', async () => {
    const site = await openTestApp('sqlite')
    const maker = await site.signedIn()
    const { id, slug } = await site.ask(createProject, { as: maker, body: aProject({ title: 'Secret hull', draft: true }) })
    const published = await site.ask(createProject, { as: maker, body: aProject({ title: 'Shown' }) })
    const seen = async (by: { as?: typeof maker } = {}) => {
      const page = await site.call(homePage, { query: { project: slug }, ...by })
      const answer = await site.call(findProject, { params: { id: slug }, ...by })
      return { status: page.statusCode, named: page.body.includes('Secret hull'), call: answer.statusCode }
    }
    expect(titles(await site.ask(listProjects))).toEqual(['Shown'])
    expect(await site.ask(countProjects)).toMatchObject({ all: 1 })
    expect(await seen()).toEqual({ status: 404, named: false, call: 404 })
    expect((await site.call(homePage)).body).not.toContain('Secret hull')

    // A visitor's answer is not the maker's, nor the other way round.
    expect(await seen({ as: maker })).toEqual({ status: 200, named: true, call: 200 })
    expect(await seen()).toEqual({ status: 404, named: false, call: 404 })
    for (const call of [
      site.call(homePage, { query: { project: slug }, as: maker }),
      site.call(findProject, { params: { id }, as: maker }),
    ]) {
      expect((await call).headers['cache-control']).toBe('no-store')
    }
    expect(await site.ask(findProject, { params: { id }, as: maker })).toMatchObject({
      project: { draft: true },
      // What Featured shows comes last.
      position: 1,
      count: 2,
      next: 'shown',
      previous: 'shown',
    })
    expect(await site.ask(findProject, { params: { id: published.id }, as: maker })).toMatchObject({ count: 1, next: 'shown' })
    expect(await site.ask(searchProjects, { as: maker })).toMatchObject({ count: 2, frontPage: [published.id] })
    expect(await site.ask(searchProjects, { as: maker, query: { search: 'secret' } })).toMatchObject({ count: 1 })

    await site.ask(updateProject, { as: maker, params: { id }, body: { draft: false } })
    expect(titles(await site.ask(listProjects))).toEqual(['Shown', 'Secret hull'])
    expect(await seen()).toEqual({ status: 200, named: true, call: 200 })
    // A change that does not say so leaves it published.
    await site.ask(updateProject, { as: maker, params: { id }, body: { scale: '1:9' } })
    expect(await seen()).toEqual({ status: 200, named: true, call: 200 })
    await site.ask(updateProject, { as: maker, params: { id }, body: { draft: true } })
    expect(await seen()).toEqual({ status: 404, named: false, call: 404 })
  })
})

describe.each(databases)('a draft on %s', (dialect) => {
  test('can be asked for alone, with or without words, and are counted for the maker only', async () => {
    const site = await openTestApp(dialect)
    const maker = await site.signedIn()
    const [galleon, tug, diver] = [
      aStoredProject({ title: 'Galleon', draft: true }),
      aStoredProject({ title: 'Tug', draft: true, featured: true }),
      aStoredProject({ title: 'Diver' }),
    ]
    for (const project of [galleon, tug, diver]) await storeProject(site.db, project)
    const search = async (query: Record<string, string>) => {
      const { projects, count } = await site.ask(searchProjects, { as: maker, query })
      return { titles: projects.map(({ title }) => title).toSorted(), count }
    }
    expect(await search({})).toEqual({ titles: ['Diver', 'Galleon', 'Tug'], count: 3 })
    expect(await search({ draft: 'true' })).toEqual({ titles: ['Galleon', 'Tug'], count: 2 })
    expect(await search({ draft: 'true', search: 'tug' })).toEqual({ titles: ['Tug'], count: 1 })
    expect(await search({ draft: 'true', search: 'diver' })).toEqual({ titles: [], count: 0 })
    expect(await site.ask(readOverview, { as: maker })).toMatchObject({ projects: 3, featuredProjects: 1, drafts: 2 })
    expect(await site.ask(countProjects)).toMatchObject({ all: 1 })
  })
})

describe.each(databases)('the trash on %s', (dialect) => {
  async function openSite() {
    const site = await openTestApp(dialect)
    const maker = await site.signedIn()
    const add = (title: string, details: object = {}) =>
      site.ask(createProject, { as: maker, body: aProject({ title, ...details }) })
    const remove = (id: string) => site.ask(deleteProject, { as: maker, params: { id } })
    const trash = async (query: Record<string, string> = {}) => site.ask(listTrash, { as: maker, query })
    return { ...site, maker, add, remove, trash }
  }

  test('holds what was deleted, whole, until it is restored', async () => {
    const site = await openSite()
    const photos = [{ imageUrl: photo('b'), caption: 'The bow', translations: { es: { caption: 'La proa' } } }]
    const { id } = await site.add('Tug', { imageUrl: photo('a'), photos })
    const before = await site.ask(listProjects)
    expect(await site.remove(id)).toEqual({ message: 'Project deleted successfully' })
    expect(await site.ask(listProjects)).toEqual([])
    const deletedAt = site.clock.now().toISOString()
    expect(await site.trash()).toEqual({ projects: [{ ...before[0], deletedAt }], count: 1 })
    expect((await listShown(site.db)).toSorted()).toEqual(['a'.repeat(64), 'b'.repeat(64)])
    expect(await site.ask(searchProjects, { as: site.maker })).toMatchObject({ count: 0, frontPage: [] })

    // It is neither changed nor deleted there.
    for (const endpoint of [updateProject, deleteProject]) {
      const refused = await site.call(endpoint, {
        as: site.maker,
        params: { id },
        ...(endpoint === updateProject && { body: { title: 'X' } }),
      })
      expect(refused.json()).toMatchObject({ code: 'project_not_found' })
    }
    expect(await site.ask(restoreProject, { as: site.maker, params: { id } })).toEqual(before[0])
    expect(await site.ask(listProjects)).toEqual(before)
    expect((await site.call(restoreProject, { as: site.maker, params: { id } })).json()).toMatchObject({
      code: 'project_not_found',
    })
  })

  test('tells the last deleted first, in pages, and gives up one or all of it for good', async () => {
    const site = await openSite()
    for (const title of ['A', 'B', 'C', 'D']) {
      const { id } = await site.add(title)
      site.clock.pass({ seconds: 1 })
      await site.remove(id)
    }
    const kept = await site.add('Kept')
    const first = await site.trash({ limit: '2' })
    expect([titles(first.projects), first.count]).toEqual([['D', 'C'], 4])
    const last = first.projects.at(-1)
    expect(titles((await site.trash({ after: last ? placeInTrashOf(last) : '' })).projects)).toEqual(['B', 'A'])

    const params = { id: last?.id ?? '' }
    await site.ask(removeDeleted, { as: site.maker, params })
    expect((await site.call(removeDeleted, { as: site.maker, params })).json()).toMatchObject({ code: 'project_not_found' })
    expect((await site.call(removeDeleted, { as: site.maker, params: { id: kept.id } })).json()).toMatchObject({
      code: 'project_not_found',
    })
    // What was deleted since the trash was looked at stays in it.
    const upTo = placeInTrashOf(first.projects[0] as DeletedProject)
    const later = await site.add('Later')
    site.clock.pass({ seconds: 1 })
    await site.remove(later.id)
    expect(await site.ask(emptyTrash, { as: site.maker, query: { upTo } })).toMatchObject({ removed: 3 })
    expect(titles((await site.trash()).projects)).toEqual(['Later'])
    expect(await site.ask(emptyTrash, { as: site.maker })).toMatchObject({ removed: 1 })
    expect(await site.trash()).toEqual({ projects: [], count: 0 })
    expect(titles(await site.ask(listProjects))).toEqual(['Kept'])
    for (const table of ['projectPhotos', 'projectAddresses'] as const) {
      const rows = await site.db.selectFrom(table).select('projectId').execute()
      expect(rows.filter(({ projectId }) => projectId !== kept.id)).toEqual([])
    }
  })

  test('is kept for 30 days and not longer', async () => {
    const site = await openSite()
    for (const title of ['Long ago', 'Lately']) {
      await site.remove((await site.add(title)).id)
      site.clock.pass({ days: 1 })
    }
    const now = site.clock.now()
    expect(daysInTrash).toBe(30)
    await sweepTrash(site.db, { now: () => daysBefore(now, -28) })
    expect((await site.trash()).count).toBe(1)
    await sweepTrash(site.db, { now: () => daysBefore(now, -29) })
    expect((await site.trash()).count).toBe(0)
  })
})
