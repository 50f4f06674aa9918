import { describe, expect, test } from 'vitest'
import { maker } from '#content/maker.ts'
import type { OwnFields } from '#contract/site-fields.ts'
import { commissionsBegin, ownSiteOf } from './own-site.rules.ts'

const hash = 'a'.repeat(64)
const facts = { width: 1600, height: 900, placeholder: 'data:image/webp;base64,AA' }
const now = new Date('2027-02-28T12:00:00.000Z')
const ownOf = (fields: OwnFields, more: Partial<Parameters<typeof ownSiteOf>[0]> = {}) =>
  ownSiteOf({ fields, language: 'en', images: new Map([[hash, facts]]), timeZone: maker.timeZone, now, ...more })

describe('a page', () => {
  test('gets nothing while the site is as it came', () => {
    expect(ownOf({})).toBeUndefined()
  })

  test('gets the words of its own language, and all facts', () => {
    const fields: OwnFields = { 'en.hero.title': 'Engines', 'es.hero.title': 'Máquinas', 'maker.whatsapp': '' }
    expect(ownOf(fields)).toEqual({ words: { 'hero.title': 'Engines' }, facts: { whatsapp: '' }, photos: {} })
    expect(ownOf(fields, { language: 'es' })?.words).toEqual({ 'hero.title': 'Máquinas' })
  })

  test('gets the words again that name the maker', () => {
    expect(ownOf({ 'maker.brand': 'Taller Ana' })?.words).toEqual({
      'about.signature': '',
      'page.title': 'Taller Ana · Scale models built by hand in Querétaro',
      'footer.copyright': '© 2024 Taller Ana. All rights reserved.',
    })
    expect(ownOf({ 'maker.brand': 'Taller Ana', 'en.footer.copyright': '© Ana' })?.words).toMatchObject({
      'footer.copyright': '© Ana',
    })
  })

  test('gets photos that are stored, each with the point that must stay visible', () => {
    const photos = {
      'photos.hero.image': `/objects/${hash}`,
      'photos.hero.point': '50 30',
      'photos.heroTall.point': '0 100',
      'photos.about1.image': `/objects/${'b'.repeat(64)}`,
      'photos.about1.point': '10 20',
    } as const
    expect(ownOf(photos)?.photos).toEqual({
      hero: { address: `/objects/${hash}`, facts, point: '50% 30%' },
      heroTall: { point: '0% 100%' },
    })
  })

  test('says when commissions are taken by the day it is where the maker lives', () => {
    const fields: OwnFields = { 'maker.commissions.state': 'from', 'maker.commissions.from': '2027-03-01' }
    const line = (moment: string) => ownOf(fields, { now: new Date(moment) })?.words['pricing.commissions']
    expect(line('2027-03-01T05:59:59.999Z')).toBe('Taking commissions from March 1, 2027.')
    expect(line('2027-03-01T06:00:00.000Z')).toBeUndefined()
    expect(ownOf({ 'en.pricing.commissions': 'Two places left.' })?.words['pricing.commissions']).toBe(
      'Taking commissions now. Two places left.',
    )
  })
})

test('the day on which commissions are taken begins with the midnight of the maker', () => {
  const from = (state: string, day: string) =>
    commissionsBegin({ 'maker.commissions.state': state, 'maker.commissions.from': day }, maker.timeZone)
  expect(from('from', '2027-03-01')).toEqual(new Date('2027-03-01T06:00:00.000Z'))
  expect(from('open', '2027-03-01')).toBeUndefined()
  expect(from('from', '')).toBeUndefined()
  expect(commissionsBegin({}, maker.timeZone)).toBeUndefined()
})
