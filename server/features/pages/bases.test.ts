import { expect, test } from 'vitest'
import { testClock } from '#tests/test-clock.ts'
import { createBases } from './bases.ts'

const invented = (count: number) => Array.from({ length: count }, (_, number) => `http://invented-${number}.example`)

test('a site is called by its own name, and by a second one', () => {
  const baseFor = createBases(testClock())
  expect(baseFor('https://models.example')).toBe('https://models.example')
  expect(baseFor('https://www.models.example')).toBe('https://www.models.example')
})

test('what is no name gets relative links', () => {
  expect(createBases(testClock())(undefined)).toBe('')
})

test('a thousand invented names are a handful, and push out no name that is in use', () => {
  const clock = testClock()
  const baseFor = createBases(clock)
  baseFor('https://models.example')
  const answered = invented(1_000).map((name) => {
    clock.pass({ seconds: 1 })
    expect(baseFor('https://models.example')).toBe('https://models.example')
    return baseFor(name)
  })
  expect(answered.filter(Boolean).length).toBeLessThanOrEqual(5)
})

test('a name that comes after invented ones has its place a while later', () => {
  const clock = testClock()
  const baseFor = createBases(clock)
  invented(100).forEach(baseFor)
  expect(baseFor('https://models.example')).toBe('')
  clock.pass({ minutes: 10 })
  expect(baseFor('https://models.example')).toBe('https://models.example')
})
