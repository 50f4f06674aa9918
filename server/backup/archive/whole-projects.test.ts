import { describe, expect, test } from 'vitest'
import { storedAddress } from '#contract/images.ts'
import { deleteProject, emptyTrash, moveProject, restoreProject, updateProject } from '#contract/projects.admin.ts'
import { listProjects } from '#contract/projects.ts'
import { backupCalls, contentOf, fill } from '#tests/backups.ts'
import { openTestApp } from '#tests/test-app.ts'
import { testClock } from '#tests/test-clock.ts'

describe('photos, order, drafts and the trash in backups', () => {
  async function openSite(clock = testClock()) {
    const site = await openTestApp('sqlite', { clock })
    const calls = await backupCalls(site)
    const { as } = calls
    const change = (id: string, body: object) => site.ask(updateProject, { params: { id }, body, ...as })
    const remove = (id: string) => site.ask(deleteProject, { params: { id }, ...as })
    const move = (id: string, before: string) => site.ask(moveProject, { params: { id }, body: { before }, ...as })
    return { ...site, ...calls, change, remove, move }
  }

  /** One with photos, moved and renamed, one that is a draft, and one in the trash. */
  async function openFilled() {
    const site = await openSite()
    const { projects, photos } = await fill(site)
    const [first, second, third] = projects.map(({ id }) => id) as [string, string, string]
    const imageUrl = storedAddress(photos[1]?.hash ?? '')
    const bow = { imageUrl, caption: 'The bow', translations: { es: { caption: 'La proa' } } }
    await site.change(first, { title: 'Renamed', photos: [bow, { imageUrl: 'https://example.com/stern.jpg' }] })
    await site.move(first, third)
    await site.change(second, { draft: true })
    await site.remove(third)
    return { ...site, first, second, third, bow }
  }
  test('a complete backup brings an empty site all of it, and nothing the second time', async () => {
    const site = await openFilled()
    const before = await contentOf(site)
    const archive = await site.completeBackup()
    const other = await openSite(testClock('2026-12-01T12:00:00.000Z'))
    expect(await other.restore(archive)).toMatchObject({ added: { projects: 3, images: 3 } })
    // Its 30 days in the trash begin anew: who restores an old backup wants what is in it.
    const deletedAt = other.clock.now().toISOString()
    const projects = before.projects.map((project) => ({ ...project, deletedAt: project.deletedAt && deletedAt }))
    expect(await contentOf(other)).toEqual({ ...before, projects })
    expect(projects.map(({ addresses }) => addresses)).toContainEqual(['renamed', 'tugboat-nandu'])
    expect(await other.restore(archive)).toMatchObject({ imported: { projects: 0 } })
  })

  test('a restore brings all of it back to how it was, and deletes nothing', async () => {
    const site = await openFilled()
    const archive = await site.completeBackup()
    const before = await contentOf(site)
    await site.change(site.first, { photos: [], title: 'Renamed again' })
    await site.change(site.second, { draft: false })
    await site.move(site.first, site.second)
    await site.ask(restoreProject, { params: { id: site.third }, ...site.as })
    expect(await site.restore(archive)).toMatchObject({ broughtBack: { projects: 2 } })
    const after = await contentOf(site)
    // The one that had been taken out of the trash stays out of it; an address that was given stays good.
    const projects = before.projects.map((project) => ({
      ...project,
      deletedAt: null,
      addresses: [...project.addresses, ...(project.id === site.first ? ['renamed-again'] : [])].toSorted(),
    }))
    expect(after.projects.map((project) => ({ ...project, addresses: project.addresses.toSorted() }))).toEqual(
      projects.map((project) => ({ ...project, addresses: project.addresses.toSorted() })),
    )
    expect(await site.restore(archive)).toMatchObject({ imported: { projects: 0 } })
  })

  test('what a file has outside of the trash comes out of it, by an import too, and is there as it was put there', async () => {
    const site = await openFilled()
    await site.ask(restoreProject, { params: { id: site.third }, ...site.as })
    const data = await site.exported()
    await site.change(site.third, { scale: '1:7' })
    await site.remove(site.first)
    await site.remove(site.third)
    const report = await site.importing(data)
    expect(report).toMatchObject({ imported: { projects: 2 }, alreadyThere: { projects: 1 } })
    expect((await site.ask(listProjects)).map(({ title }) => title)).toEqual(['Renamed', 'Third'])
    // Out of an emptied trash it comes back as well.
    await site.remove(site.first)
    await site.ask(emptyTrash, site.as)
    expect(await site.importing(data)).toMatchObject({ added: { projects: 1 } })
    const third = data.projects.find(({ id }) => id === site.third)
    expect((await site.exported()).projects).toEqual(
      data.projects.map((project) => (project === third ? { ...project, scale: '1:7' } : project)),
    )
  })
})
