import { expect, test } from 'vitest'
import { nameKeyOf } from './accounts.queries.ts'

test('a name is the same however its capitals and accents are typed', () => {
  expect(new Set(['Álvaro', 'álvaro', 'ÁLVARO', 'A\u0301lvaro'].map(nameKeyOf))).toEqual(new Set(['álvaro']))
})

test('names that differ by an accent are different', () => {
  expect(nameKeyOf('Álvaro')).not.toBe(nameKeyOf('Alvaro'))
})
