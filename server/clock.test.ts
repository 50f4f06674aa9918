import { expect, test } from 'vitest'
import { dayIn, daysAfter, momentOf } from './clock.ts'

test.each([
  ['Europe/Madrid', '2027-03-28', '00:00', '2027-03-27T23:00:00.000Z'],
  ['Europe/Madrid', '2027-03-29', '00:00', '2027-03-28T22:00:00.000Z'],
  ['Europe/Madrid', '2027-10-31', '00:00', '2027-10-30T22:00:00.000Z'],
  ['Pacific/Kiritimati', '2027-01-01', '00:00', '2026-12-31T10:00:00.000Z'],
  ['Pacific/Pago_Pago', '2027-01-01', '00:00', '2027-01-01T11:00:00.000Z'],
  ['America/Mexico_City', '2027-07-01', '03:00', '2027-07-01T09:00:00.000Z'],
  // Left out: clocks go from 02:00 to 03:00, and here from 00:00 to 01:00.
  ['Europe/Madrid', '2027-03-28', '02:30', '2027-03-28T01:30:00.000Z'],
  ['Europe/Madrid', '2027-03-28', '03:30', '2027-03-28T01:30:00.000Z'],
  ['America/Santiago', '2026-09-06', '00:00', '2026-09-06T04:00:00.000Z'],
  // Shown twice: clocks go from 03:00 to 02:00.
  ['Europe/Madrid', '2027-10-31', '02:30', '2027-10-31T00:30:00.000Z'],
  ['Europe/Madrid', '2027-10-31', '03:30', '2027-10-31T02:30:00.000Z'],
  ['Nowhere/At_All', '2027-10-31', '03:30', '2027-10-31T03:30:00.000Z'],
])('in %s on %s it is %s at %s', (timeZone, day, time, moment) => {
  expect(momentOf(day, time, timeZone)).toEqual(new Date(moment))
})

test('a day is that of the clock there', () => {
  expect(dayIn('America/Mexico_City', new Date('2027-03-01T05:59:59.999Z'))).toBe('2027-02-28')
  expect(dayIn('America/Mexico_City', new Date('2027-03-01T06:00:00.000Z'))).toBe('2027-03-01')
  expect(dayIn('Nowhere/At_All', new Date('2027-03-01T05:00:00.000Z'))).toBe('2027-03-01')
})

test('days are counted over the ends of months', () => {
  expect(daysAfter('2028-02-28', 1)).toBe('2028-02-29')
  expect(daysAfter('2027-01-01', -1)).toBe('2026-12-31')
})
