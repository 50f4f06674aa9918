import { expect, test } from 'vitest'
import { changedNothing, countsOf } from './merge-preview.rules.ts'

test('only the kinds that the file has are counted', () => {
  const none = { added: 0, changed: 0, alreadyThere: 0 }
  const preview = {
    mode: 'restore' as const,
    createdAt: null,
    projects: { added: 3, changed: 2, alreadyThere: 9 },
    contacts: none,
    images: { added: 0, alreadyThere: 4 },
    inquiryPhotos: { added: 0, alreadyThere: 0 },
    missingImages: 0,
    changes: [],
    site: [{ field: 'en.hero.title', current: null, incoming: 'Ships' }],
  }
  expect(countsOf(preview)).toEqual([
    { name: 'projects', added: 3, changed: 2, alreadyThere: 9 },
    { name: 'images', added: 0, changed: 0, alreadyThere: 4 },
    { name: 'site', added: 0, changed: 1, alreadyThere: 0 },
  ])
})

test('a report that counts nothing has changed nothing', () => {
  const imported = { projects: 0, contacts: 0, images: 0, inquiryPhotos: 0 }
  const site = { added: 0, broughtBack: 0 }
  expect(changedNothing({ imported, site })).toBe(true)
  expect(changedNothing({ imported: { ...imported, contacts: 1 }, site })).toBe(false)
  expect(changedNothing({ imported, site: { ...site, broughtBack: 1 } })).toBe(false)
})
