import { expect, test } from 'vitest'
import { aStoredProject } from '#tests/factories.ts'
import { searchFor } from './projects.rules.ts'

const tug = aStoredProject({ title: 'Harbour tug', translations: { es: { title: 'Remolcador «Martina»' } }, scale: '1:50' })
const diver = aStoredProject({
  title: 'Diver',
  materials: 'Copper',
  translations: { es: { title: 'Buzo clásico', materials: 'Cobre' } },
})
const found = (words: string) => [tug, diver].filter(searchFor(words))

test('a search finds all the words in any order, whatever the accents and capitals', () => {
  expect(found('1:50 TUG')).toEqual([tug])
  expect(found('clasico')).toEqual([diver])
  expect(found('cobre')).toEqual([diver])
  expect(found('tug diver')).toEqual([])
})

test('a search without words finds everything', () => {
  expect(found('  ')).toEqual([tug, diver])
})
