import { expect, test } from 'vitest'
import { faultOf } from '#contract/site-fields.ts'
import { moved, pointAt, sidesOf } from './point-picker.tsx'

test('a click anywhere on the photo is a point that is taken', () => {
  expect(pointAt(0.5, 0.3)).toBe('50 30')
  for (const point of [pointAt(-0.01, 0), pointAt(1, 1.02), pointAt(0.001, 0.998)]) {
    expect(faultOf('photos.hero.point', point)).toBeUndefined()
  }
})

test('arrow keys move it and stop at the edge', () => {
  expect(moved('50 30', 'ArrowLeft', 1)).toBe('49 30')
  expect(moved('50 30', 'ArrowDown', 10)).toBe('50 40')
  expect(moved('0 95', 'ArrowDown', 10)).toBe('0 100')
  expect(moved('50 30', 'Tab', 1)).toBeUndefined()
  expect(sidesOf('7 100')).toEqual([7, 100])
})
