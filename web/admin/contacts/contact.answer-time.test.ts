import { expect, test } from 'vitest'
import { contacts as contactsEn } from '#content/en/contacts.ts'
import { contacts as contactsEs } from '#content/es/contacts.ts'
import { answerTime } from './contact.rules.ts'

const arrived = '2026-03-01T12:00:00.000Z'
const after = (hours: number) => answerTime(arrived, new Date(Date.parse(arrived) + hours * 3_600_000).toISOString())

test('a message has 48 hours, is urgent with fewer than twelve of them left, and overdue without any', () => {
  const due = '2026-03-03T12:00:00.000Z'
  expect(after(0)).toEqual({ isOverdue: false, isUrgent: false, span: { count: 48, unit: 'hour' }, due })
  expect(after(30.5)).toEqual({ isOverdue: false, isUrgent: false, span: { count: 17, unit: 'hour' }, due })
  expect(after(36)).toMatchObject({ isUrgent: false, span: { count: 12, unit: 'hour' } })
  expect(after(36.01)).toMatchObject({ isOverdue: false, isUrgent: true, span: { count: 11, unit: 'hour' } })
  expect(after(47.5)).toMatchObject({ isOverdue: false, isUrgent: true, span: { count: 30, unit: 'minute' } })
  expect(after(48)).toEqual({ isOverdue: true, isUrgent: true, span: { count: 1, unit: 'minute' }, due })
  expect(after(53)).toMatchObject({ isOverdue: true, span: { count: 5, unit: 'hour' } })
  expect(after(48 + 73)).toMatchObject({ isOverdue: true, span: { count: 3, unit: 'day' } })
})

test('one that arrives while the clock of the server is put back has no more than 48 hours', () => {
  expect(after(-3)).toMatchObject({ span: { count: 48, unit: 'hour' } })
})

test('the dashboard says it in a sentence, in both languages', () => {
  expect(contactsEn.toAnswer(2, after(30.5))).toBe('2 to answer; the first within 17 h')
  expect(contactsEn.toAnswer(1, after(47.5))).toBe('1 to answer within 30 min')
  expect(contactsEn.toAnswer(2, after(53))).toBe('2 to answer; the first is overdue by 5 h')
  expect(contactsEs.toAnswer(2, after(30.5))).toBe('2 por responder; el primero en 17 h')
  expect(contactsEs.toAnswer(1, after(121))).toBe('1 por responder, venció hace 3 días')
})
