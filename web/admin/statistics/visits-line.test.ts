import { expect, test } from 'vitest'
import { pathOf, roundAbove } from './visits-line.tsx'

test('a line begins where counting began, and one number alone is a dot', () => {
  expect(pathOf([null, null, 5, 10, 0], 10)).toBe('M50 50h.01L75 0L100 100')
  expect(pathOf([null, null, null, null, 3], 4)).toBe('M100 25h.01')
  expect(pathOf([null, null], 4)).toBe('')
})

test.each([
  [0, 4],
  [5, 6],
  [61, 80],
  [95, 100],
  [100, 100],
  [214, 240],
  [999, 1_000],
  [1_240, 1_600],
  [54_321, 60_000],
])('a scale for %i ends at %i, whose half is a round number, too', (most, top) => expect(roundAbove(most)).toBe(top))
