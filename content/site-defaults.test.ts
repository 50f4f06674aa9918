import { beforeAll, describe, expect, test } from 'vitest'
import { faultOf, ruleOfField, siteFields, tidied } from '#contract/site-fields.ts'
import { defaultOf, differing, loadSiteDefaults } from './site-defaults.ts'

beforeAll(loadSiteDefaults)

test.each(siteFields)('%s is by default what it takes', (field) => {
  const value = defaultOf(field)
  expect(typeof value).toBe('string')
  expect(tidied(value)).toBe(value)
  const isPhoto = ['photo', 'point'].includes(ruleOfField(field).kind)
  // A photo the site came with has no address.
  expect(isPhoto ? value : faultOf(field, value)).toBe(isPhoto ? '' : undefined)
})

describe('words the site came with', () => {
  test('name the maker by the name the maker has given', () => {
    expect(defaultOf('en.page.title')).toContain('Vitrina')
    expect(defaultOf('es.footer.copyright', { 'maker.brand': 'Taller Ana' })).toContain('Taller Ana')
    expect(siteFields.filter((field) => defaultOf(field, { 'maker.brand': 'Taller Ana' }).includes('Vitrina'))).toEqual([
      'maker.brand',
    ])
  })

  test('give way to the maker’s own phone and photo', () => {
    const own = { 'maker.phones.0': '+52 951 000 0000', 'photos.hero.image': `/objects/${'a'.repeat(64)}` }
    const followed = ['maker.whatsapp', 'maker.phones.1', 'maker.heroScale', 'en.hero.photo', 'es.hero.photo'] as const
    expect(followed.map((field) => defaultOf(field))).not.toContain('')
    expect(followed.map((field) => defaultOf(field, own))).toEqual([own['maker.phones.0'], '', '', '', ''])
    expect(differing({ ...own, 'maker.whatsapp': own['maker.phones.0'], 'maker.phones.1': '' })).toEqual(own)
    expect(differing({ ...own, 'maker.whatsapp': '' })).toEqual({ ...own, 'maker.whatsapp': '' })
  })

  test('sign no story of the maker’s, and an empty name stays empty', () => {
    const signed = ['maker.name', 'en.about.signature', 'es.about.signature'] as const
    expect(signed.map((field) => defaultOf(field))).not.toContain('')
    for (const field of ['maker.brand', 'maker.email', 'es.about.paragraphs.0'] as const) {
      expect(signed.map((each) => defaultOf(each, { [field]: 'Ana' }))).toEqual(['', '', ''])
    }
    expect(defaultOf('en.about.signature', { 'maker.name': 'Ana' })).toBe('')
    expect(differing({ 'maker.name': '' })).toEqual({ 'maker.name': '' })
  })

  test('take a name as it is, whatever it is made of', () => {
    for (const brand of ['$& $1 $`', '<b>Ana</b>', '\\n']) {
      expect(defaultOf('en.page.title', { 'maker.brand': brand })).toBe(
        defaultOf('en.page.title').replace('Vitrina', () => brand),
      )
    }
  })
})
