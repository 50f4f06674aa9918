import { describe, expect, test } from 'vitest'
import { translatedFields } from '#contract/project-fields.ts'
import type { Project } from '#contract/projects.ts'
import { aShownProject, aWholeProject } from '#tests/factories.ts'
import { concernsFrontPage, daysLeft, frontPageNews, missingTexts, moved, placeAt } from './project.rules.ts'

describe('a text is missing in a language', () => {
  const spanish = { title: 'Remolcador', description: 'Un remolcador de vapor.' }
  const missing = (project: Parameters<typeof aShownProject>[0]) => {
    const shown = aShownProject(project)
    return { en: missingTexts(shown, 'en'), es: missingTexts(shown, 'es') }
  }

  test('that does not have it while the other one does', () => {
    expect(missing({})).toEqual({ en: [], es: ['title', 'description'] })
    expect(missing({ translations: { es: { title: 'Remolcador' } } }).es).toEqual(['description'])
    expect(missing({ translations: { es: spanish }, materials: 'Pear wood' }).es).toEqual(['materials'])
    expect(missing({ translations: { es: { ...spanish, techniques: 'Forrado' } } })).toEqual({ en: ['techniques'], es: [] })
  })

  test('that another one stands in for', () => {
    const shown = { ...aShownProject({ ...spanish, translations: { es: spanish } }), fallbacks: ['title' as const] }
    expect(missingTexts(shown, 'en')).toEqual(['title'])
    expect(missingTexts(shown, 'es')).toEqual([])
  })

  test('and not because it is in neither', () => {
    expect(missing({ translations: { es: spanish } })).toEqual({ en: [], es: [] })
    expect(missing(aWholeProject)).toEqual({ en: [], es: [] })
  })

  test('whichever of its texts it is', () => {
    for (const field of translatedFields) {
      const es = { ...aWholeProject.translations.es, [field]: null }
      expect(missing({ ...aWholeProject, translations: { es } })).toEqual({ en: [], es: [field] })
    }
  })

  test('when a photo has its caption in the other one only, however many photos', () => {
    const photo = (caption: string | null, translated: string | null) => ({
      imageUrl: 'https://a.example/1.jpg',
      caption,
      translations: { es: { caption: translated } },
    })
    const photos = [photo('The stern', null), photo('The bow', null), photo(null, 'La popa'), photo(null, null)]
    expect(missing({ translations: { es: spanish }, photos })).toEqual({ en: ['captions'], es: ['captions'] })
  })
})

describe('moving one of a list', () => {
  const list = ['a', 'b', 'c', 'd'].map((id) => ({ id }))
  const order = (...[, move]: Parameters<typeof moved>) =>
    moved(list, move)
      .map(({ id }) => id)
      .join('')

  test('puts it before or behind another one, or first', () => {
    expect(order(list, { id: 'd', place: { before: 'b' } })).toBe('adbc')
    expect(order(list, { id: 'a', place: { after: 'c' } })).toBe('bcad')
    expect(order(list, { id: 'c', place: 'first' })).toBe('cabd')
  })

  test('twice is the same as once', () => {
    const move = { id: 'a', place: { after: 'b' } }
    expect(moved(moved(list, move), move)).toEqual(moved(list, move))
  })

  test('changes nothing when either is not in the list', () => {
    expect(order(list, { id: 'x', place: 'first' })).toBe('abcd')
    expect(order(list, { id: 'a', place: { after: 'x' } })).toBe('abcd')
    expect(order(list, { id: 'a', place: { before: 'x' } })).toBe('abcd')
    expect(order(list, { id: 'a', place: { before: 'a' } })).toBe('abcd')
  })

  test('to an index is said by the one that will be before it', () => {
    const ids = ['a', 'b', 'c']
    expect(placeAt(ids, 'c', 0)).toBe('first')
    expect(placeAt(ids, 'a', 1)).toEqual({ after: 'b' })
    expect(placeAt(ids, 'a', 2)).toEqual({ after: 'c' })
  })
})

describe('after a star was set or taken away', () => {
  const star = (id: string, { featured = true, draft = false } = {}) => aShownProject({ id, featured, draft })
  const news = (project: Project, before: string[], after: string[]) => {
    const shown = after.map((id) => ({ id, title: id, translations: {} }))
    return frontPageNews({ ...project, frontPage: { shown, before } })
  }
  const unmarked = { featured: false }
  const four = ['a', 'b', 'c', 'd']

  test('a featured project that four others come before is said not to be shown', () => {
    expect(news(star('e'), four, four)).toBe('not_shown')
  })

  test('it is said what is shown when others come or go with it', () => {
    expect(news(star('d', unmarked), four, ['a', 'b', 'c', 'e'])).toBe('changed')
    expect(news(star('e'), four, ['a', 'b', 'c', 'e'])).toBe('changed')
    expect(news(star('e'), four, ['e'])).toBe('changed')
  })

  test('nothing is said when only this one comes or goes, or when it is a draft', () => {
    expect(news(star('c'), ['a', 'b'], ['a', 'b', 'c'])).toBeUndefined()
    expect(news(star('c', unmarked), ['a', 'b', 'c'], ['a', 'b'])).toBeUndefined()
    expect(news(star('e', { draft: true }), four, four)).toBeUndefined()
  })

  test('it is looked at when a star comes or goes, and when a project that has one is published', () => {
    const shown = { featured: true, draft: false }
    expect(concernsFrontPage(undefined, shown)).toBe(true)
    expect(concernsFrontPage({ ...shown, featured: false }, shown)).toBe(true)
    expect(concernsFrontPage(shown, { ...shown, featured: false })).toBe(true)
    expect(concernsFrontPage({ ...shown, draft: true }, shown)).toBe(true)
    expect(concernsFrontPage(shown, shown)).toBe(false)
    expect(concernsFrontPage(undefined, { ...shown, featured: false })).toBe(false)
  })
})

test('a deleted project has thirty days, of which the last counts until it is over', () => {
  const deletedAt = '2026-05-01T12:00:00.000Z'
  const daysLater = (days: number) => Date.parse(deletedAt) + days * 24 * 60 * 60 * 1000
  expect(daysLeft(deletedAt, daysLater(0))).toBe(30)
  expect(daysLeft(deletedAt, daysLater(0.5))).toBe(30)
  expect(daysLeft(deletedAt, daysLater(29.9))).toBe(1)
  expect(daysLeft(deletedAt, daysLater(31))).toBe(1)
})
