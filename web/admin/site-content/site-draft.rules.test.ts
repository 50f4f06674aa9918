import { beforeAll, describe, expect, test } from 'vitest'
import { sections as sectionsEn } from '#content/en/sections.ts'
import { site as en } from '#content/en/site.ts'
import { loadSiteDefaults } from '#content/site-defaults.ts'
import type { SiteContent } from '#contract/site-content.ts'
import { fieldsOf, type RuleName, ruleOfField, sectionNames, siteFields } from '#contract/site-fields.ts'
import {
  afterSave,
  charactersLeft,
  conflictsIn,
  faultyIn,
  fieldNow,
  groupsIn,
  halfOriginal,
  isIdentity,
  missingNow,
  onlyExistingFields,
  openFields,
  rulesIn,
  sectionOf,
  type Typed,
  toSend,
  withMine,
  without,
  withTyped,
} from './site-draft.rules.ts'

beforeAll(loadSiteDefaults)

const published = {
  number: 1,
  fields: { 'maker.brand': 'Taller Luna' },
  author: 'ana',
  publishedAt: '2026-11-17T08:00:00.000Z',
}
const changedAt = '2026-11-17T09:00:00.000Z'
const content: SiteContent = { revision: 'a', published, draft: null }
const drafted = (changes: NonNullable<SiteContent['draft']>['changes'], author = 'ben'): SiteContent => ({
  ...content,
  revision: 'b',
  draft: { changes, author, changedAt },
})

describe('what a field says', () => {
  test('what is typed comes before the draft, the draft before what is published, and that before what the site came with', () => {
    expect(fieldNow(content, {}, 'maker.heroScale')).toMatchObject({ value: '1:32', isOwn: false, isOpen: false })
    expect(fieldNow(content, {}, 'maker.brand')).toMatchObject({ value: 'Taller Luna', preset: 'Vitrina', isOwn: true })
    const saved = drafted({ 'maker.brand': 'Taller Sol' })
    expect(fieldNow(saved, {}, 'maker.brand')).toMatchObject({ value: 'Taller Sol', isOpen: true })
    const typed = withTyped(saved, {}, 'maker.brand', 'Taller Mar')
    expect(fieldNow(saved, typed, 'maker.brand').value).toBe('Taller Mar')
  })

  test('a day must be named on which commissions begin', () => {
    const begun = drafted({ 'maker.commissions.state': 'from' })
    expect(missingNow(begun, {})).toBe('maker.commissions.from')
    expect(fieldNow(begun, {}, 'maker.commissions.from').fault).toBe('date')
    const typed = withTyped(begun, {}, 'maker.commissions.from', '2027-03-01')
    expect([missingNow(begun, typed), missingNow(content, {})]).toEqual([undefined, undefined])
  })

  test('the words the site came with follow the name that is being typed', () => {
    const typed = withTyped(content, {}, 'maker.brand', 'Taller Mar')
    expect(fieldNow(content, typed, 'en.footer.copyright')).toMatchObject({
      value: en.footer.copyright.replace('Vitrina', 'Taller Mar'),
      isOwn: false,
    })
  })

  test('a fault is said of what was changed only', () => {
    expect(fieldNow(content, {}, 'photos.hero.image').fault).toBeUndefined()
    const typed = withTyped(content, {}, 'maker.email', 'nobody')
    expect(fieldNow(content, typed, 'maker.email').fault).toBe('email')
    expect(faultyIn(typed)).toEqual(['maker.email'])
  })

  test('what is left is said when it gets near, and when it is over', () => {
    expect(charactersLeft('x'.repeat(20), 40)).toBeUndefined()
    expect(charactersLeft('x'.repeat(35), 40)).toBe(5)
    expect(charactersLeft('x'.repeat(43), 40)).toBe(-3)
  })
})

describe('what is sent', () => {
  test('typing the default goes back to it, and faulty texts stay here', () => {
    let typed = withTyped(content, {}, 'maker.brand', 'Vitrina')
    typed = withTyped(content, typed, 'maker.phones.0', '+52 1')
    typed = withTyped(content, typed, 'en.hero.title', 'Small wonders')
    expect(toSend(content, typed)).toEqual({ 'maker.brand': null, 'en.hero.title': 'Small wonders' })
  })

  test('what was typed further while it was being saved goes on from what is saved', () => {
    let typed: Typed = withTyped(content, {}, 'maker.brand', 'One')
    const sent = toSend(content, typed)
    typed = withTyped(content, typed, 'maker.brand', 'One two')
    const saved = drafted({ 'maker.brand': 'One' })
    const left = afterSave(typed, sent, saved)
    expect(left).toEqual({ 'maker.brand': { value: 'One two', was: 'One' } })
    expect(conflictsIn(saved, left)).toEqual([])
    expect(afterSave(left, toSend(saved, left), drafted({ 'maker.brand': 'One two' }))).toEqual({})
  })

  test('going back while it is being saved is saved as well', () => {
    let typed: Typed = withTyped(content, {}, 'maker.brand', 'One')
    const sent = toSend(content, typed)
    typed = withTyped(content, typed, 'maker.brand', 'Taller Luna')
    const saved = drafted({ 'maker.brand': 'One' })
    expect(toSend(saved, afterSave(typed, sent, saved))).toEqual({ 'maker.brand': 'Taller Luna' })
  })
})

describe('a conflict', () => {
  const mine = withTyped(content, withTyped(content, {}, 'maker.brand', 'Mine'), 'maker.heroScale', '1:48')

  test('what does not overlap is sent, what does waits for a choice and names who changed it', () => {
    const changed = drafted({ 'maker.brand': 'Theirs', 'maker.email': 'ben@example.com' })
    expect(conflictsIn(changed, mine)).toEqual([{ field: 'maker.brand', mine: 'Mine', saved: 'Theirs', author: 'ben' }])
    expect(toSend(changed, mine)).toEqual({ 'maker.heroScale': '1:48' })
    expect(toSend(changed, withMine(changed, mine, 'maker.brand'))).toEqual({
      'maker.brand': 'Mine',
      'maker.heroScale': '1:48',
    })
    expect(fieldNow(changed, without(mine, 'maker.brand'), 'maker.brand').value).toBe('Theirs')
  })

  test('a photo and its point are decided together, and neither is sent before', () => {
    const image = (digit: string) => `/objects/${digit.repeat(64)}`
    const changed = drafted({ 'photos.hero.image': image('b'), 'photos.hero.point': '80 80' })
    const mine: Typed = {
      'photos.hero.image': { value: image('a'), was: null },
      'photos.hero.point': { value: '20 20', was: null },
    }
    expect(conflictsIn(changed, mine).map(({ field }) => field)).toEqual(['photos.hero.image'])
    expect(toSend(drafted({ 'photos.hero.image': image('b') }), mine)).toEqual({})
    expect(toSend(changed, withMine(changed, mine, 'photos.hero.image'))).toEqual({
      'photos.hero.image': image('a'),
      'photos.hero.point': '20 20',
    })
    expect(without(mine, 'photos.hero.image')).toEqual({})
  })

  test('the same text twice is no conflict', () => {
    expect(conflictsIn(drafted({ 'maker.brand': 'Mine' }), mine)).toEqual([])
  })

  test('what was published meanwhile is of the one who published it', () => {
    const changed = { ...content, published: { ...published, fields: { 'maker.brand': 'Theirs' }, author: 'carla' } }
    expect(conflictsIn(changed, mine)).toMatchObject([{ saved: 'Theirs', author: 'carla' }])
  })
})

describe('counting', () => {
  test('a field counts once, saved or not, and not when it is as published again', () => {
    const saved = drafted({ 'maker.brand': 'One', 'en.hero.title': 'Two' })
    const typed = withTyped(saved, withTyped(saved, {}, 'maker.brand', 'Taller Luna'), 'es.hero.title', 'Dos')
    expect(openFields(saved, typed)).toEqual(['en.hero.title', 'es.hero.title'])
    expect(openFields(saved, withTyped(saved, typed, 'es.hero.title', ''))).toEqual(['en.hero.title'])
  })
})

describe('the sections', () => {
  test('every field is in one of them, and every rule in one group', () => {
    for (const field of siteFields) expect(sectionNames).toContain(sectionOf(field))
    for (const section of sectionNames) expect(groupsIn(section).flat()).toEqual(rulesIn(section))
  })

  test('what belongs together is together', () => {
    expect(groupsIn('services')).toContainEqual(['services.items.2.name', 'services.items.2.scales', 'services.items.2.text'])
    expect(groupsIn('about')).toContainEqual(['maker.figures.awards', 'about.figures.awards'])
    expect(groupsIn('gallery').at(-1)).toHaveLength(6)
  })
})

test('fields of an earlier release are left out of what was kept', () => {
  const entry = { value: 'x', was: null }
  expect(onlyExistingFields({ 'maker.brand': entry, 'maker.gone': entry })).toEqual({ 'maker.brand': entry })
})

test('nothing of the original describes a photo of the maker’s, and invented names are not offered again', () => {
  const typed: Typed = { 'photos.about2.image': { value: `/objects/${'a'.repeat(64)}`, was: null } }
  expect(fieldNow(content, {}, 'en.about.photos.1').value).toBe(sectionsEn.about.photos[1])
  expect(fieldNow(content, typed, 'en.about.photos.1')).toMatchObject({ value: '', isOwn: false, fault: undefined })
  expect(fieldNow(content, typed, 'en.about.photos.0').value).toBe(sectionsEn.about.photos[0])
  const offered = (name: RuleName) => fieldsOf(name).every((field) => !isIdentity(name, ruleOfField(field)))
  const names = ['maker.brand', 'maker.email', 'maker.phones.0', 'maker.whatsapp', 'contact.cityName', 'maker.city'] as const
  expect(names.filter(offered)).toEqual([])
  expect((['hero.title', 'maker.figures.years'] as const).filter(offered)).toHaveLength(2)
})

test('a text that is the maker’s in one language and about to be published is named where it is the original', () => {
  const typed = withTyped(content, {}, 'es.hero.title', 'Cada remache')
  expect(halfOriginal(content, typed)).toEqual(['en.hero.title'])
  expect(halfOriginal(content, withTyped(content, typed, 'en.hero.title', 'Every rivet'))).toEqual([])
  expect(halfOriginal(content, withTyped(content, {}, 'maker.brand', 'Taller Ana'))).toEqual([])
})
