import { describe, expect, test } from 'vitest'
import { homePage, sitemap } from '#contract/pages.ts'
import { findProject } from '#contract/project-in-list.ts'
import { createProject, deleteProject, emptyTrash, updateProject } from '#contract/projects.admin.ts'
import { countProjects } from '#contract/projects.ts'
import { slugsOf } from '#server/features/projects/project-addresses.ts'
import { insertProjects } from '#server/features/projects/project-records.ts'
import { aProject, aStoredProject } from '#tests/factories.ts'
import { openTestApp } from '#tests/test-app.ts'
import { databases } from '#tests/test-database.ts'

const id = '0a1b2c3d-0000-4000-8000-000000000000'

test.each([
  ['Frigate “Aurora”', 'frigate-aurora'],
  ['Expreso Sierra 2-3-0', 'expreso-sierra-2-3-0'],
  ['  Ñandú & Straße — 1/35 ', 'nandu-strasse-1-35'],
  ['帆船', 'model'],
  ['🚢', 'model'],
  [`${'long words '.repeat(9)}`, 'long-words-long-words-long-words-long-words-long-words-long'],
  ['x'.repeat(90), 'x'.repeat(60)],
])('%s is called %s in an address', (title, slug) => {
  expect(slugsOf(title, id)[0]).toBe(slug)
})

test('a title is never taken for another call or an id', () => {
  expect(slugsOf('Counts', id)).toEqual(['counts-0a1b', `counts-${id}`])
  expect(slugsOf(id, id)[0]).toBe(`${id}-0a1b`)
})

describe('the addresses of projects', () => {
  test('one that leads nowhere, or nowhere any more, says so', async () => {
    const site = await openTestApp('sqlite')
    const maker = await site.signedIn()
    const { slug, id: shipId } = await site.ask(createProject, { as: maker, body: aProject() })
    const visit = async (name: string) => {
      const page = await site.call(homePage, { query: { project: name } })
      return [page.statusCode, page.body.includes('"isGone":true')]
    }
    expect(await visit(slug)).toEqual([200, false])
    await site.ask(deleteProject, { as: maker, params: { id: shipId } })
    for (const name of [slug, shipId, 'never-there', '../../etc', 'a\u0000b', 'a'.repeat(3000)]) {
      expect(await visit(name)).toEqual([404, true])
    }
    expect((await site.call(findProject, { params: { id: slug } })).json()).toMatchObject({ code: 'project_not_found' })
    await site.ask(emptyTrash, { as: maker })
    expect(await visit(slug)).toEqual([404, true])
    // What was removed for good has no address any more, and another may have it.
    expect((await site.ask(createProject, { as: maker, body: aProject() })).slug).toBe(slug)
    expect(await visit(slug)).toEqual([200, false])
  })

  test('the sitemap names them, with all photos of each', async () => {
    const site = await openTestApp('sqlite', { config: { publicUrl: 'https://models.example' } })
    const [cover, detail] = ['a', 'b'].map((letter) => `/objects/${letter.repeat(64)}`) as [string, string]
    const photos = [{ imageUrl: detail, caption: null }]
    await insertProjects(site.db, [
      aStoredProject({ title: 'Frigate', imageUrl: cover, photos }),
      { ...aStoredProject({ title: 'Draft' }), draft: true },
    ])
    const { body } = await site.call(sitemap)
    expect([...body.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, place]) => place)).toEqual([
      'https://models.example/',
      'https://models.example/?project=frigate',
    ])
    expect([...body.matchAll(/<image:loc>(.*?)<\/image:loc>/g)].map(([, place]) => place)).toEqual(
      [cover, detail].map((photo) => `https://models.example${photo}?w=1600&amp;f=jpeg`),
    )
  })
})

describe.each(databases)('the addresses of projects on %s', (dialect) => {
  test('a renamed project keeps its old ones, and no other project gets them', async () => {
    const site = await openTestApp(dialect)
    const maker = await site.signedIn()
    const save = (title: string) => site.ask(createProject, { as: maker, body: aProject({ title }) })
    const rename = (params: { id: string }, title: string) => site.ask(updateProject, { as: maker, params, body: { title } })
    const ship = await save('Frigate Aurora')
    expect(ship.slug).toBe('frigate-aurora')
    expect((await rename(ship, 'Corvette Aurora')).slug).toBe('corvette-aurora')
    const other = await save('Frigate “Aurora”')
    expect(other.slug).toBe(`frigate-aurora-${other.id.slice(0, 4)}`)
    for (const name of ['frigate-aurora', 'corvette-aurora', ship.id, ship.id.toUpperCase()]) {
      expect((await site.ask(findProject, { params: { id: name } })).project).toMatchObject({ id: ship.id })
      const page = await site.call(homePage, { query: { project: name } })
      expect([page.statusCode, page.body.includes('Corvette Aurora')]).toEqual([200, true])
    }
    expect((await rename(ship, 'Frigate Aurora')).slug).toBe('frigate-aurora')
    expect((await rename(other, 'Frigate Aurora')).slug).toBe(other.slug)
    expect(await site.ask(countProjects)).toMatchObject({ all: 2 })
  })

  test('hundreds of one name have one each', async () => {
    const site = await openTestApp(dialect)
    await insertProjects(
      site.db,
      Array.from({ length: 450 }, () => aStoredProject({ title: 'Tug' })),
    )
    const rows = await site.db.selectFrom('projects').select('slug').execute()
    expect(new Set(rows.map(({ slug }) => slug)).size).toBe(450)
  })
})
