import { expect, test } from 'vitest'
import { ratioOf, rowsOf } from './plates.rules.ts'

const wide = { width: 1600, height: 1067 }
const tall = { width: 1280, height: 1600 }

test.each([
  ['one stands alone', [tall], [1]],
  ['two stand side by side', [tall, wide], [2]],
  ['three that are narrow share a row', [tall, tall, wide], [3]],
  ['of three that are wide the first has a row of its own', [wide, wide, tall], [1, 2]],
  ['four make two rows', [tall, wide, wide, tall], [2, 2]],
])('of the featured photos %s', (_, photos, lengths) => {
  const rows = rowsOf(photos, ratioOf)
  expect(rows.map((row) => row.length)).toEqual(lengths)
  expect(rows.flat()).toEqual(photos)
})

test('where there is nothing there are no rows', () => expect(rowsOf([], ratioOf)).toEqual([]))

test('a photo nothing is known of has a common shape, and none becomes a strip or a column', () => {
  expect(ratioOf(null)).toBe(1.5)
  expect(ratioOf({ width: 9000, height: 1000 })).toBe(2.6)
  expect(ratioOf({ width: 1000, height: 9000 })).toBe(0.6)
})
