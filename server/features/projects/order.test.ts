import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { homePage } from '#contract/pages.ts'
import {
  createProject,
  deleteProject,
  moveProject,
  restoreProject,
  searchProjects,
  updateProject,
} from '#contract/projects.admin.ts'
import { listProjects } from '#contract/projects.ts'
import { aProject, aStoredProject, storeProject } from '#tests/factories.ts'
import { openTestApp } from '#tests/test-app.ts'
import { databases } from '#tests/test-database.ts'

const names = ['A', 'B', 'C', 'D', 'E'] as const

describe.each(databases)('the order of projects on %s', (dialect) => {
  async function openSite() {
    const site = await openTestApp(dialect)
    const maker = await site.signedIn()
    const ids: Record<string, string> = {}
    for (const [index, title] of names.entries()) {
      const project = aStoredProject({ title, createdAt: `2026-05-0${9 - index}T12:00:00.000Z` })
      await storeProject(site.db, project)
      ids[title] = project.id
    }
    const move = (title: string, body: object) =>
      site.call(moveProject, { as: maker, params: { id: ids[title] ?? title }, body })
    return {
      ...site,
      maker,
      ids,
      move,
      before: (title: string, other: string) => move(title, { before: ids[other] }),
      after: (title: string, other: string) => move(title, { after: ids[other] }),
      order: async () => (await site.ask(listProjects)).map(({ title }) => title).join(''),
    }
  }

  test('is by date until the maker moves one, and a new one comes first', async () => {
    const site = await openSite()
    expect(await site.order()).toBe('ABCDE')
    await site.before('D', 'B')
    expect(await site.order()).toBe('ADBCE')
    await site.after('A', 'E')
    expect(await site.order()).toBe('DBCEA')
    await site.before('E', 'D')
    expect(await site.order()).toBe('EDBCA')
    await site.after('E', 'D')
    expect(await site.order()).toBe('DEBCA')
    await site.ask(createProject, { as: site.maker, body: aProject({ title: 'N' }) })
    expect(await site.order()).toBe('NDEBCA')
    const { body } = await site.call(homePage)
    expect(body.indexOf('>D<')).toBeLessThan(body.indexOf('>E<'))
  })

  test('takes any number of moves into the same gap, and changes no version', async () => {
    const site = await openSite()
    for (let round = 0; round < 60; round += 1) {
      expect((await site.before(round % 2 ? 'D' : 'C', 'B')).json()).toMatchObject({ version: 1 })
    }
    expect(await site.order()).toBe('ACDBE')
    // Room was made below the first one: a date still says where a project of an older backup belongs.
    const [first] = await site.ask(listProjects)
    expect(first?.rank).toBe(Date.parse(first?.createdAt ?? ''))
  })

  test('stays one order when moves come at once', async () => {
    const site = await openSite()
    const moves = [...names, ...names].map((title, index) => site.before(title, names[(index + 2) % 5] ?? 'A'))
    for (const answer of await Promise.all(moves)) expect(answer.statusCode).toBe(200)
    const order = await site.order()
    expect([...order].toSorted().join('')).toBe('ABCDE')
    expect(await site.order()).toBe(order)
  })

  test('leaves one beside itself where it is, and moves nothing next to what is not there', async () => {
    const site = await openSite()
    const ranks = async () => (await site.ask(listProjects)).map(({ rank }) => rank)
    const before = await ranks()
    expect((await site.before('B', 'B')).statusCode).toBe(200)
    expect(await ranks()).toEqual(before)
    expect((await site.move('B', { before: randomUUID() })).json()).toMatchObject({ code: 'project_not_found' })
    expect((await site.move(randomUUID(), { after: site.ids.A })).json()).toMatchObject({ code: 'project_not_found' })
    await site.ask(deleteProject, { as: site.maker, params: { id: site.ids.C ?? '' } })
    expect((await site.before('B', 'C')).json()).toMatchObject({ code: 'project_not_found' })
    expect((await site.before('C', 'B')).json()).toMatchObject({ code: 'project_not_found' })
    for (const body of [{}, { before: 'B' }, { before: site.ids.A, after: site.ids.B }]) {
      expect((await site.move('B', body)).statusCode).toBe(400)
    }
    expect(await site.order()).toBe('ABDE')
  })

  test('keeps the place of a deleted project for it', async () => {
    const site = await openSite()
    const params = { id: site.ids.C ?? '' }
    await site.ask(deleteProject, { as: site.maker, params })
    await site.before('E', 'D')
    await site.ask(restoreProject, { as: site.maker, params })
    expect(await site.order()).toBe('ABCED')
  })

  test('tells the maker what the front page shows: the first four that are marked, or the first four of all', async () => {
    const site = await openTestApp(dialect)
    const maker = await site.signedIn()
    const shown = async () => {
      const { projects, frontPage } = await site.ask(searchProjects, { as: maker })
      return frontPage.map((id) => projects.find((project) => project.id === id)?.title).join('')
    }
    const add = (title: string, details: object) =>
      site.ask(createProject, { as: maker, body: aProject({ title, ...details }) })
    const first = await add('E', {})
    for (const title of ['D', 'C', 'B', 'A']) await add(title, {})
    expect(await shown()).toBe('ABCD')
    for (const title of ['Z', 'Y', 'X', 'W', 'V']) await add(title, { featured: true })
    expect(await shown()).toBe('VWXY')
    await add('U', { featured: true, draft: true })
    expect(await shown()).toBe('VWXY')
    const changed = await site.ask(updateProject, {
      as: maker,
      params: { id: first.id },
      query: { with: 'frontPage' },
      body: { featured: true },
    })
    expect(changed.frontPage?.shown.map(({ title }) => title).join('')).toBe('VWXY')
    expect(changed.frontPage?.before).toEqual(changed.frontPage?.shown.map(({ id }) => id))
  })
})
