import { describe, expect, test } from 'vitest'
import { countSelected, everything, isSelected, nothing, rangeOf, toDelete, withoutId, withTicked } from './selection.rules.ts'

const rows = ['a', 'b', 'c', 'd', 'e']
const ticked = (selection: typeof nothing) => rows.filter((id) => isSelected(selection, id))

describe('ticking contacts', () => {
  test('one by one selects those, and unticking takes them out', () => {
    const two = withTicked(nothing, ['a', 'c'], true)
    expect(ticked(two)).toEqual(['a', 'c'])
    expect(ticked(withTicked(two, ['a'], false))).toEqual(['c'])
    expect(countSelected(two, 100)).toBe(2)
  })

  test('all of them selects those that are not loaded too, but for the ones unticked', () => {
    const all = everything('place')
    expect(ticked(all)).toEqual(rows)
    expect(countSelected(all, 100)).toBe(100)
    expect(countSelected(all, undefined)).toBeUndefined()
    const allButOne = withTicked(all, ['b'], false)
    expect(ticked(allButOne)).toEqual(['a', 'c', 'd', 'e'])
    expect(countSelected(allButOne, 100)).toBe(99)
    expect(ticked(withTicked(allButOne, ['b'], true))).toEqual(rows)
  })

  test('forgets one that was deleted by itself', () => {
    expect(countSelected(withoutId(withTicked(nothing, ['a', 'c'], true), 'a'), 99)).toBe(1)
    expect(countSelected(withoutId(withTicked(everything('place'), ['b'], false), 'b'), 99)).toBe(99)
  })

  test('from one row to another takes what is between, in either direction', () => {
    expect(rangeOf(rows, 'b', 'd')).toEqual(['b', 'c', 'd'])
    expect(rangeOf(rows, 'd', 'b')).toEqual(['b', 'c', 'd'])
    expect(rangeOf(rows, 'gone', 'b')).toEqual(['b'])
    expect(rangeOf(rows, undefined, 'b')).toEqual(['b'])
  })
})

describe('deleting what is ticked', () => {
  test('names the contacts, no more at once than may be', () => {
    const five = withTicked(nothing, rows, true)
    expect(toDelete(five, 2)).toEqual([{ ids: ['a', 'b'] }, { ids: ['c', 'd'] }, { ids: ['e'] }])
    expect(toDelete(nothing, 2)).toEqual([])
  })

  test('or all up to the newest that was seen, but for some', () => {
    expect(toDelete(withTicked(everything('place'), ['b'], false), 2)).toEqual([{ upTo: 'place', except: ['b'] }])
  })
})
