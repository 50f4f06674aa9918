import { describe, expect, test } from 'vitest'
import { type OwnFields, tidiedFields } from '#contract/site-fields.ts'
import { faultIn, mergeSite } from './site.rules.ts'

const here: OwnFields = { 'maker.brand': 'Ana', 'maker.phones.1': '', 'en.hero.title': 'Ships' }
const file: OwnFields = { 'maker.brand': 'Berta', 'maker.phones.1': '+52 55 1234 5678', 'es.hero.title': 'Barcos' }

describe('the fields of two sites', () => {
  test('an import adds those that have no value of their own here, and an emptied one has', () => {
    expect(mergeSite('import', here, file)).toEqual({
      fields: { ...here, 'es.hero.title': 'Barcos' },
      added: 1,
      broughtBack: 0,
    })
  })

  test('a restore makes all of them as the file has them', () => {
    expect(mergeSite('restore', here, file)).toEqual({ fields: file, added: 1, broughtBack: 3 })
    expect(mergeSite('restore', here, {})).toEqual({ fields: {}, added: 0, broughtBack: 3 })
  })

  test.each(['import', 'restore'] as const)('an %s changes nothing the second time', (mode) => {
    const { fields } = mergeSite(mode, here, file)
    expect(mergeSite(mode, fields, file)).toEqual({ fields, added: 0, broughtBack: 0 })
  })

  test('an import brings no point of another photo', () => {
    const [ours, theirs] = ['a', 'b'].map((letter) => `/objects/${letter.repeat(64)}`)
    const photo = { 'photos.hero.image': theirs ?? '', 'photos.hero.point': '10 90' }
    expect(mergeSite('import', { 'photos.hero.image': ours ?? '' }, photo).added).toBe(0)
    expect(mergeSite('import', { 'photos.about1.point': '1 2' }, photo)).toMatchObject({ fields: photo, added: 2 })
  })
})

describe('the fields of a file', () => {
  test('are tidied like those of the panel', () => {
    expect(tidiedFields({ 'en.hero.title': '  Ships\n\tof  brass ' })).toEqual({ 'en.hero.title': 'Ships of brass' })
  })

  test.each<[OwnFields, object]>([
    [{ 'maker.brand': '' }, { field: 'maker.brand', fault: 'missing' }],
    [{ 'en.hero.title': 'x'.repeat(41) }, { field: 'en.hero.title', fault: 'too_long', limit: 40 }],
    [{ 'es.hero.title': 'a\0b' }, { field: 'es.hero.title', fault: 'unseen_characters' }],
    [{ 'maker.email': 'nobody' }, { field: 'maker.email', fault: 'not_an_email' }],
    [
      { 'maker.accent': 'pink' },
      { field: 'maker.accent', fault: 'not_a_choice', names: ['brass', 'verdigris', 'oxide', 'steel'] },
    ],
    [{ 'maker.brand': 'Ana', 'maker.links.youtube': 'javascript:alert(1)' }, { field: 'maker.links.youtube' }],
    [{ 'photos.hero.image': 'https://example.com/x.jpg' }, { field: 'photos.hero.image' }],
    [{ 'photos.hero.point': '101 5' }, { field: 'photos.hero.point' }],
  ])('%j are refused for the first that the panel would not take', (fields, fault) => {
    expect(faultIn(fields)).toMatchObject(fault)
  })

  test('are taken when the panel would take them', () => {
    expect(faultIn({ ...here, 'en.hero.title': '<b>Ships</b>', 'maker.links.facebook': 'https://example.com' })).toBeUndefined()
  })
})
