import { describe, expect, test } from 'vitest'
import type { OwnFields } from '#contract/site-fields.ts'
import { mergeSite } from './site.rules.ts'

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
