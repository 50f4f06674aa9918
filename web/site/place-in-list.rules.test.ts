import { describe, expect, test } from 'vitest'
import { aShownProject } from '#tests/factories.ts'
import type { ListedProject } from '../page.ts'
import { countOf, placeIn } from './place-in-list.rules.ts'

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

describe('the place of a project', () => {
  test('has neighbours on both sides, around the ends of a list that is there whole', () => {
    const [first, second, third] = listOf(3) as [ListedProject, ListedProject, ListedProject]
    const list = [first, second, third]
    expect(placeIn(list, 3, second.id)).toEqual({ project: second, position: 2, count: 3, previous: first.id, next: third.id })
    expect(placeIn(list, 3, first.id)).toMatchObject({ position: 1, previous: third.id, next: second.id })
    expect(placeIn(list, 3, third.id)).toMatchObject({ position: 3, previous: second.id, next: first.id })
  })

  test('is for the server to tell at the edges of a list that goes on', () => {
    const [first, second, third] = listOf(3) as [ListedProject, ListedProject, ListedProject]
    const list = [first, second, third]
    expect(placeIn(list, 60, first.id)).toBeUndefined()
    expect(placeIn(list, 60, third.id)).toBeUndefined()
    expect(placeIn(list, 60, second.id)).toMatchObject({ position: 2, count: 60 })
  })

  test('of the only one is between itself and itself, and one that is not there has none', () => {
    const [only] = listOf(1) as [ListedProject]
    expect(placeIn([only], 1, only.id)).toMatchObject({ position: 1, count: 1, previous: only.id, next: only.id })
    expect(placeIn([only], 1, 'another')).toBeUndefined()
  })
})
