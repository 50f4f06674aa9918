import { describe, expect, test } from 'vitest'
import { readOverview } from '#contract/overview.ts'
import { searchProjects } from '#contract/projects.admin.ts'
import { countProjects } from '#contract/projects.ts'
import { aStoredProject, storeProject } from '#tests/factories.ts'
import { openTestApp } from '#tests/test-app.ts'
import { databases } from '#tests/test-database.ts'

describe.each(databases)('drafts on %s', (dialect) => {
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
