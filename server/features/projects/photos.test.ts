import { describe, expect, test } from 'vitest'
import { mostPhotos } from '#contract/project-fields.ts'
import { createProject, updateProject } from '#contract/projects.admin.ts'
import { listProjects } from '#contract/projects.ts'
import { aStoredPhoto } from '#tests/backups.ts'
import { aProject } from '#tests/factories.ts'
import { openTestApp } from '#tests/test-app.ts'
import { databases } from '#tests/test-database.ts'

const untranslated = { es: { caption: null } }
const elsewhere = (name: string) => ({
  imageUrl: `https://example.com/${name}.jpg`,
  caption: null,
  translations: untranslated,
})

describe('the photos of a project', () => {
  test('are refused when they are too many, not photos, or have an unknown field, and then nothing is changed', async () => {
    const site = await openTestApp('sqlite')
    const maker = await site.signedIn()
    const many = Array.from({ length: mostPhotos }, (_, index) => elsewhere(String(index)))
    const created = await site.ask(createProject, { as: maker, body: aProject({ photos: many }) })
    expect(created.photos).toHaveLength(mostPhotos)
    const refusals: [photos: unknown, field: string][] = [
      [[...many, elsewhere('one more')], 'photos'],
      [[elsewhere('fine'), { imageUrl: 'javascript:alert(1)' }], 'photos.1.imageUrl'],
      [[{ caption: 'no photo' }], 'photos.0.imageUrl'],
      [[{ ...elsewhere('long'), translations: { es: { caption: 'x'.repeat(301) } } }], 'photos.0.translations.es.caption'],
      [[{ ...elsewhere('more'), id: 1 }], 'photos.0'],
      ['a photo', 'photos'],
      [[null], 'photos.0'],
      [null, 'photos'],
    ]
    for (const [photos, field] of refusals) {
      const body = { title: 'Changed', photos }
      const refused = await site.call(updateProject, { as: maker, params: { id: created.id }, body })
      expect(refused.json()).toMatchObject({ code: 'invalid_input', fields: { [field]: expect.any(String) } })
    }
    expect(await site.ask(listProjects)).toEqual([created])
  })

  test('of a save from an older version change nothing', async () => {
    const site = await openTestApp('sqlite')
    const maker = await site.signedIn()
    const created = await site.ask(createProject, { as: maker, body: aProject({ photos: [elsewhere('bow')] }) })
    const save = (body: object) => site.call(updateProject, { as: maker, params: { id: created.id }, body })
    const mine = (await save({ version: 1, photos: [elsewhere('mine')] })).json()
    const refused = await save({ version: 1, title: 'Theirs', photos: [elsewhere('theirs')] })
    expect(refused.json()).toMatchObject({ code: 'project_changed' })
    expect(await site.ask(listProjects)).toEqual([mine])
    const addresses = await site.db.selectFrom('projectAddresses').select('slug').execute()
    expect(addresses).toEqual([{ slug: 'harbour-tug' }])
  })
})

describe.each(databases)('the photos of a project on %s', (dialect) => {
  test('are kept in their order with their captions, until others are sent', async () => {
    const site = await openTestApp(dialect)
    const maker = await site.signedIn()
    const { hash, content, ...facts } = await aStoredPhoto()
    await site.db
      .insertInto('images')
      .values({ hash, bytes: content.length, ...facts })
      .execute()
    const bow = { imageUrl: `/objects/${hash}`, caption: ' The bow ', translations: { es: { caption: ' La proa ' } } }
    const body = aProject({ photos: [bow, elsewhere('stern'), bow] })
    const created = await site.ask(createProject, { as: maker, body })
    const shown = { imageUrl: bow.imageUrl, caption: 'The bow', translations: { es: { caption: 'La proa' } } }
    const { width, height, placeholder } = facts
    const withFacts = { ...shown, image: { width, height, placeholder } }
    expect(created.photos).toEqual([withFacts, { ...elsewhere('stern'), image: null }, withFacts])
    expect(await site.ask(listProjects)).toEqual([created])

    const change = (changes: object) => site.ask(updateProject, { as: maker, params: { id: created.id }, body: changes })
    expect((await change({ scale: '1:48' })).photos).toEqual(created.photos)
    expect((await change({ photos: [elsewhere('stern'), elsewhere('deck')] })).photos).toMatchObject([
      elsewhere('stern'),
      elsewhere('deck'),
    ])
    expect(await change({ photos: [] })).toMatchObject({ photos: [], version: 4 })
  })
})
