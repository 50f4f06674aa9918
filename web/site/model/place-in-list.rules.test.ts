import { describe, expect, test } from 'vitest'
import { aShownProject } from '#tests/factories.ts'
import type { ListedProject } from '../../page.ts'
import { countOf, placeIn, shownFor } from './place-in-list.rules.ts'

function listOf(length: number): ListedProject[] {
  return Array.from({ length }, (_, index) => aShownProject({ title: `Model ${index + 1}` }))
}

describe('how many projects there are', () => {
  test('is what was counted while there may be more than are loaded', () => {
    expect(countOf(24, 60)).toBe(60)
    expect(countOf(24, 24)).toBe(24)
  })

  test('is what is loaded when the last page is not full, or nothing was counted', () => {
    expect(countOf(13, 60)).toBe(13)
    expect(countOf(0, 60)).toBe(0)
    expect(countOf(24)).toBe(24)
    expect(countOf(48, 30)).toBe(48)
  })
})

test('an address asks for more of the gallery than its beginning in whole pages, up to what one may ask for', () => {
  expect([0, 13, 24, 25, 48, 60, 240, 400].map(shownFor)).toEqual([
    ...[undefined, undefined, undefined],
    ...['48', '48', '72', '240', '240'],
  ])
})

describe('the place of a project', () => {
  test('has neighbours on both sides, around the ends of a list that is there whole', () => {
    const [first, second, third] = listOf(3) as [ListedProject, ListedProject, ListedProject]
    const list = [first, second, third]
    expect(placeIn(list, 3, second.slug)).toEqual({
      project: second,
      position: 2,
      count: 3,
      previous: first.slug,
      next: third.slug,
    })
    expect(placeIn(list, 3, first.slug)).toMatchObject({ position: 1, previous: third.slug, next: second.slug })
    expect(placeIn(list, 3, third.slug)).toMatchObject({ position: 3, previous: second.slug, next: first.slug })
  })

  test('is for the server to tell at the edges of a list that goes on', () => {
    const [first, second, third] = listOf(3) as [ListedProject, ListedProject, ListedProject]
    const list = [first, second, third]
    expect(placeIn(list, 60, first.slug)).toBeUndefined()
    expect(placeIn(list, 60, third.slug)).toBeUndefined()
    expect(placeIn(list, 60, second.slug)).toMatchObject({ position: 2, count: 60 })
  })

  test('of the only one is between itself and itself, and one that is not there has none', () => {
    const [only] = listOf(1) as [ListedProject]
    expect(placeIn([only], 1, only.slug)).toMatchObject({ position: 1, count: 1, previous: only.slug, next: only.slug })
    expect(placeIn([only], 1, 'another')).toBeUndefined()
  })
})
