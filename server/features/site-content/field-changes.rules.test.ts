import { describe, expect, test } from 'vitest'
import { ruleOfField, tidiedFields } from '#contract/site-fields.ts'
import { countChanged, faultsOf, fieldsToPublish, settledChanges } from './field-changes.rules.ts'

test('what is typed is tidied, and what goes back stays null', () => {
  expect(tidiedFields({ 'maker.brand': ' Taller \n Ana ', 'maker.city': null })).toEqual({
    'maker.brand': 'Taller Ana',
    'maker.city': null,
  })
})

describe('a draft', () => {
  test('keeps what is neither published nor as the site came', () => {
    const published = { 'maker.brand': 'Taller Ana', 'maker.whatsapp': '' }
    expect(settledChanges(published, { 'maker.brand': 'Taller Ana', 'maker.whatsapp': null, 'maker.city': null })).toEqual({
      'maker.whatsapp': null,
    })
    expect(settledChanges(published, { 'maker.city': 'Querétaro', 'maker.region': 'Gto.' })).toEqual({ 'maker.region': 'Gto.' })
    expect(settledChanges(published, { 'maker.brand': 'Vitrina' })).toEqual({ 'maker.brand': null })
  })

  test('knows the words the site came with by the name the maker gives it', () => {
    const title = 'Taller Ana · Scale models built by hand in Querétaro'
    expect(settledChanges({}, { 'en.page.title': title })).toEqual({ 'en.page.title': title })
    expect(settledChanges({}, { 'en.page.title': title, 'maker.brand': 'Taller Ana' })).toEqual({ 'maker.brand': 'Taller Ana' })
  })

  test('is published without what the site says anyway', () => {
    const title = 'Taller Ana · Scale models built by hand in Querétaro'
    expect(fieldsToPublish({ 'en.page.title': title }, { 'maker.brand': 'Taller Ana', 'maker.city': null })).toEqual({
      'maker.brand': 'Taller Ana',
    })
    expect(fieldsToPublish({ 'maker.brand': 'Taller Ana' }, { 'maker.brand': null })).toEqual({})
  })
})

test('a fault says what would be taken', () => {
  const { most } = ruleOfField('maker.brand')
  const stored = new Map([['a'.repeat(64), {}]])
  expect(
    faultsOf(
      {
        'maker.brand': 'x'.repeat(most + 1),
        'maker.accent': 'pink',
        'photos.hero.image': `/objects/${'a'.repeat(64)}`,
        'photos.heroTall.image': `/objects/${'b'.repeat(64)}`,
        'photos.about1.image': null,
        'maker.commissions.from': 'soon',
      },
      stored,
    ),
  ).toEqual([
    { field: 'maker.brand', fault: 'too_long', limit: most },
    { field: 'maker.accent', fault: 'not_a_choice', names: ['brass', 'verdigris', 'oxide', 'steel'] },
    { field: 'photos.heroTall.image', fault: 'not_uploaded' },
    { field: 'maker.commissions.from', fault: 'not_a_day' },
  ])
})

test('fields are counted that are other than before, on either side', () => {
  expect(countChanged({ 'maker.brand': 'A', 'maker.city': 'B' }, { 'maker.brand': 'A', 'maker.region': 'C' })).toBe(2)
  expect(countChanged({ 'maker.whatsapp': '' }, {})).toBe(1)
})
