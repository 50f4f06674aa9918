import { expect, test } from 'vitest'
import { storedAddress } from '#contract/images.ts'
import { aStoredProject, asBackedUp } from '#tests/factories.ts'
import { differences, projectDifferences } from './preview-merge.ts'

const project = asBackedUp(aStoredProject())
const photo = (imageUrl: string, caption: string | null = null) => ({
  imageUrl,
  caption,
  translations: { es: { caption: null } },
})
const hash = 'a'.repeat(64)

test('a project is compared by what a person sees of it, photos of this site by their hashes', () => {
  const other = {
    ...project,
    title: 'Another',
    featured: true,
    translations: { es: { title: null, description: null, materials: null, techniques: 'Forrado' } },
    beforeImageUrl: storedAddress(hash),
    photos: [photo(storedAddress(hash), 'The stern'), photo('https://example.com/bow.jpg')],
    // No differences to a person.
    ...{ rank: 1, deletedAt: project.createdAt, addresses: ['another'] },
  }
  expect(projectDifferences(project, other)).toEqual([
    { field: 'title', current: project.title, incoming: 'Another' },
    { field: 'beforeImageUrl', current: null, incoming: hash },
    { field: 'featured', current: false, incoming: true },
    { field: 'photos', current: [], incoming: [hash, 'https://example.com/bow.jpg'] },
    { field: 'captions', current: [], incoming: ['The stern', ''] },
    { field: 'translations.es.techniques', current: null, incoming: 'Forrado' },
    { field: 'translations.es.captions', current: [], incoming: ['', ''] },
  ])
})

test('texts of the site are compared field by field, and null is what it came with', () => {
  const before = { 'maker.brand': 'Ana', 'maker.city': 'Xalapa' }
  expect(differences(before, { 'maker.brand': 'Ana', 'en.hero.title': 'Ships' })).toEqual([
    { field: 'maker.city', current: 'Xalapa', incoming: null },
    { field: 'en.hero.title', current: null, incoming: 'Ships' },
  ])
})
