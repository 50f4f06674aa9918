import { expect, test } from 'vitest'
import { frameOf } from './comparison.tsx'

const wide = { width: 1600, height: 1067 }
const tall = { width: 1280, height: 1600 }

test('photos from one tripod fill a frame of their shape', () => {
  const { ratio, alike } = frameOf(wide, { width: 1610, height: 1067 })
  expect(alike).toBe(true)
  expect(ratio).toBeCloseTo(1.5, 1)
})

test('photos of different shapes are shown whole, in a frame between them', () => {
  const { ratio, alike } = frameOf(tall, wide)
  expect(alike).toBe(false)
  expect(ratio).toBeGreaterThan(0.8)
  expect(ratio).toBeLessThan(1.5)
})

test('where one shape is known the other is taken to be the same, and a common one where none is', () => {
  expect(frameOf(null, tall)).toEqual({ ratio: 0.8, alike: true })
  expect(frameOf(null, null)).toEqual({ ratio: 1.5, alike: true })
})
