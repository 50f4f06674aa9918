import { describe, expect, test } from 'vitest'
import {
  type FieldFault,
  faultOf,
  fieldsOf,
  photosIn,
  ruleOfField,
  type SiteField,
  siteFields,
  tidied,
  withChanges,
} from './site-fields.ts'

test('words are a field in each language, facts and photos one', () => {
  expect(fieldsOf('hero.title')).toEqual(['en.hero.title', 'es.hero.title'])
  expect(fieldsOf('maker.brand')).toEqual(['maker.brand'])
  expect(new Set(siteFields).size).toBe(siteFields.length)
  for (const field of siteFields) expect(ruleOfField(field).most).toBeGreaterThan(0)
})

test('a value is stored as one line without blanks around it', () => {
  expect(tidied('  two\r\n lines\u2028and\ta\u00a0tab  ')).toBe('two lines and a tab')
  expect(tidied(' \n ')).toBe('')
})

describe('a field', () => {
  const { most } = ruleOfField('maker.brand')
  const faults: [SiteField, string, FieldFault | undefined][] = [
    ['maker.brand', '', 'empty'],
    ['maker.brand', 'x'.repeat(most), undefined],
    ['maker.brand', 'x'.repeat(most + 1), 'too_long'],
    ['maker.brand', 'x'.repeat(100_000), 'too_long'],
    // HTML is text like any other.
    ['maker.brand', '<b>&amp;</b>', undefined],
    ['en.hero.title', 'Null\0', 'unseen'],
    ['en.hero.title', 'Escape\u001b[2J', 'unseen'],
    ['en.hero.title', 'Half \ud83d', 'unseen'],
    ['en.hero.title', 'Turned \u202egnp', 'unseen'],
    ['en.hero.title', 'Isolated \u2067gnp', 'unseen'],
    ['en.hero.title', 'Marked \u200f', 'unseen'],
    ['en.hero.title', '\u200b\u200d', 'unseen'],
    ['en.hero.title', '\u3164', 'unseen'],
    ['en.hero.title', '\u2800 \u115f', 'unseen'],
    ['en.hero.title', 'Family 👩‍👩‍👧 of three', undefined],
    ['maker.email', 'ana@taller.example', undefined],
    ['maker.email', 'Ana <ana@taller.example>', 'email'],
    ['maker.email', 'ana@taller', 'email'],
    ['maker.email', 'ana?cc=eva@taller.example', 'email'],
    ['maker.email', 'ana+site@taller.example', undefined],
    ['maker.country', 'MX', undefined],
    ['maker.country', '1', 'country'],
    ['maker.email', 'ana@taller.example,eva@taller.example', 'email'],
    ['maker.email', `${'a'.repeat(80)}@taller.example`, 'email'],
    ['maker.phones.0', '+52 (442) 555-0142', undefined],
    ['maker.phones.0', '', 'empty'],
    ['maker.phones.1', '', undefined],
    ['maker.phones.0', '1234', 'phone'],
    ['maker.phones.0', '+52 442 555 0142;ext=1', 'phone'],
    ['maker.whatsapp', 'javascript:1', 'phone'],
    ['maker.links.instagram', '', undefined],
    ['maker.links.instagram', 'https://instagram.com/taller', undefined],
    ['maker.links.instagram', 'mailto:ana@taller.example', undefined],
    ['maker.links.instagram', 'tel:+524425550142', undefined],
    ['maker.links.instagram', 'HTTPS://instagram.com/taller', undefined],
    ['maker.links.instagram', `https://instagram.com/${'a'.repeat(300)}`, 'link'],
    ['maker.commissions.state', 'from', undefined],
    ['maker.commissions.state', 'perhaps', 'choice'],
    ['maker.commissions.state', 'toString', 'choice'],
    ['maker.commissions.from', '2027-03-01', undefined],
    ['maker.commissions.from', '', undefined],
    ['maker.commissions.from', '2027-13-01', 'date'],
    ['maker.commissions.from', '2027-02-30', 'date'],
    ['maker.commissions.from', '1.3.2027', 'date'],
    ['maker.commissions.from', '2000-01-01', undefined],
    ['maker.commissions.from', '2100-12-31', undefined],
    ['maker.commissions.from', '0026-03-01', 'date'],
    ['maker.commissions.from', '1000-01-01', 'date'],
    ['maker.commissions.from', '1999-12-31', 'date'],
    ['maker.commissions.from', '2101-01-01', 'date'],
    ['maker.hidden.ships', 'yes', undefined],
    ['maker.hidden.ships', 'no', 'choice'],
    ['photos.hero.image', `/objects/${'0f'.repeat(32)}`, undefined],
    ['photos.hero.image', 'https://example.com/a.jpeg', 'photo'],
    ['photos.hero.image', `/objects/../${'0f'.repeat(32)}`, 'photo'],
    ['photos.hero.point', '0 100', undefined],
    ['photos.hero.point', '50% 30%', 'point'],
    ['photos.hero.point', '101 0', 'point'],
    ['photos.hero.point', '50 30;background:url(x)', 'point'],
  ]
  test.each(faults)('%s with %j: %s', (field, value, fault) => {
    expect(faultOf(field, value)).toBe(fault)
  })

  test.each([
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'java\tscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'blob:https://example.com/x',
    'file:///etc/passwd',
    'http://instagram.com/taller',
    '//instagram.com/taller',
    'instagram.com/taller',
    'https:',
    'https:instagram.com/taller',
    'https:///instagram.com',
    '@taller',
  ])('for a link does not take %j', (value) => {
    for (const field of siteFields.filter((each) => ruleOfField(each).kind === 'link')) {
      expect(faultOf(field, value)).toBeDefined()
      expect(faultOf(field, tidied(value))).toBeDefined()
    }
  })
})

test('a link to a host with an accent is taken also by a process that has read thousands of addresses', () => {
  const refused = Array.from({ length: 20_000 }, () => faultOf('maker.links.instagram', 'https://ñandú.example/taller'))
  expect(refused.filter((fault) => fault !== undefined)).toEqual([])
})

test('changes replace own fields, and null takes them back', () => {
  expect(withChanges({ 'maker.brand': 'Ana', 'maker.whatsapp': '' }, { 'maker.brand': null, 'maker.city': 'León' })).toEqual({
    'maker.whatsapp': '',
    'maker.city': 'León',
  })
})

test('the photos of fields are known by their hashes', () => {
  const hash = 'ab'.repeat(32)
  const fields = { 'photos.hero.image': `/objects/${hash}`, 'photos.hero.point': '1 2', 'maker.brand': `/objects/${hash}` }
  expect(photosIn(fields)).toEqual([hash])
  expect(photosIn({ 'photos.hero.image': null })).toEqual([])
})
