import { expect, test } from 'vitest'
import type { ContactNews } from '#contract/contacts.admin.ts'
import { countIn, countsAfter, hasArrived, isOutdated, previewOf } from './contact.rules.ts'

test('a preview is the first hundred characters and an ellipsis, and a short message is itself', () => {
  expect(previewOf('x'.repeat(100))).toBe('x'.repeat(100))
  expect(previewOf('x'.repeat(101))).toBe(`${'x'.repeat(100)}…`)
})

test('a preview cuts no character in half', () => {
  expect(previewOf('🚂'.repeat(101))).toBe(`${'🚂'.repeat(100)}…`)
})

const before: ContactNews = {
  now: '2026-03-01T12:00:00.000Z',
  counts: { new: 2, answered: 3, quoted: 0, closed: 4, spam: 7 },
  waiting: [],
  newest: 'a',
  troubledMails: 0,
}
const minuteLater = { ...before, now: '2026-03-01T12:01:00.000Z' }

test('all means all but spam', () => {
  expect(countIn(before.counts, 'all')).toBe(9)
  expect(countIn(before.counts, 'spam')).toBe(7)
})

test('a minute more is no news; a message, a change of state and a mail in trouble are', () => {
  expect(isOutdated(before, minuteLater)).toBe(false)
  expect(isOutdated(before, { ...minuteLater, newest: 'b' })).toBe(true)
  expect(isOutdated(before, { ...minuteLater, counts: { ...before.counts, new: 1, answered: 4 } })).toBe(true)
  expect(isOutdated(before, { ...minuteLater, troubledMails: 1 })).toBe(true)
})

test('only a message that was not there before has arrived', () => {
  const three = { ...before.counts, new: 3 }
  const one = { ...before.counts, new: 1 }
  expect(hasArrived(before, { ...minuteLater, newest: 'b', counts: three })).toBe(true)
  expect(hasArrived(before, { ...minuteLater, newest: 'older', counts: one })).toBe(false)
  expect(hasArrived(before, { ...minuteLater, counts: { ...before.counts, spam: 8 } })).toBe(false)
})

test('a change made here is told from an arrival at the same time', () => {
  const expected = { ...before, counts: countsAfter(before.counts, 'new', 'spam') }
  const onlyThat = { ...minuteLater, waiting: [], counts: { ...before.counts, new: 1, spam: 8 } }
  expect(isOutdated(expected, onlyThat)).toBe(false)
  const arrivedToo = { ...minuteLater, newest: 'b', counts: { ...before.counts, new: 2, spam: 8 } }
  expect([isOutdated(expected, arrivedToo), hasArrived(expected, arrivedToo)]).toEqual([true, true])
  expect(countsAfter(before.counts, 'new', 'new')).toEqual(before.counts)
})
