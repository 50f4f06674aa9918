import { expect, test } from 'vitest'
import { enlargement, oneCentimetreIn, ratioIn } from './scale.rules.ts'

test.each([
  ['1:96', 96],
  ['1/35', 35],
  ['1 : 22.5', 22.5],
  ['1:22,5', 22.5],
  ['HO (1:87)', 87],
  ['Scale 1:8, with base', 8],
] as const)('the scale "%s" is the number %d', (scale, ratio) => {
  expect(ratioIn(scale)).toBe(ratio)
})

test.each([null, '', '54 mm', '1:48 – 1:100', '1:48/1:50', '11:48', '1:0', '1:', '2:1', 'one to ninety-six'])(
  'the scale "%s" is no number',
  (scale) => {
    expect(ratioIn(scale)).toBeUndefined()
  },
)

test('a centimetre of the model is so much of the original, in the unit that reads best', () => {
  expect([8, 22.5, 96, 100, 350].map((ratio) => oneCentimetreIn(ratio, 'en'))).toEqual([
    '8 cm',
    '22.5 cm',
    '96 cm',
    '1 m',
    '3.5 m',
  ])
  expect(oneCentimetreIn(350, 'es')).toBe('3.5 m')
})

test('a photo is so many times larger than at first', () => {
  expect(enlargement({ zoom: 0.25, fit: 0.25 }, 'en')).toBe('×1')
  expect(enlargement({ zoom: 0.6, fit: 0.25 }, 'es')).toBe('×2.4')
})
