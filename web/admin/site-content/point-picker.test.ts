import { expect, test } from 'vitest'
import { faultOf } from '#contract/site-fields.ts'
import { moved, pointAt, sidesOf, withSide } from './point-picker.tsx'

test('a click anywhere on the photo is a point that is taken', () => {
  const box = { width: 300, height: 200 }
  expect(pointAt(150, 60, box)).toBe('50 30')
  for (const point of [pointAt(-3, 0, box), pointAt(300, 204, box), pointAt(0.4, 199.6, box)]) {
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

test('a slider sets its own side, as assistive technology does without keys', () => {
  expect(withSide('50 30', 0, 80)).toBe('80 30')
  expect(withSide('50 30', 1, 100)).toBe('50 100')
})
