import { expect, test } from 'vitest'
import { aStoredProject } from '#tests/factories.ts'
import { sumOfRecord } from './export.rules.ts'

test('a record is the same before and after the site has another language', () => {
  const photo = { imageUrl: 'https://example.com/bow.jpg', caption: null }
  const project = {
    ...aStoredProject(),
    translations: { es: { title: 'Remolcador' } },
    photos: [{ ...photo, translations: {} }],
  }
  const withAnother = {
    ...project,
    translations: { es: { title: 'Remolcador', materials: null }, fr: { title: null } },
    photos: [{ ...photo, translations: { fr: { caption: null } } }],
  }
  expect(sumOfRecord(withAnother)).toBe(sumOfRecord(project))
  expect(sumOfRecord({ ...withAnother, translations: { fr: { title: 'Remorqueur' } } })).not.toBe(sumOfRecord(project))
})
