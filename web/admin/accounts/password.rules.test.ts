import { expect, test } from 'vitest'
import { demoAdmin } from '#demo/admin.ts'
import { commonPasswords, weaknessOf } from './password.rules.ts'

test('nothing is said before anything is typed', () => expect(weaknessOf('')).toBeUndefined())

test.each(['123456', 'Password1', 'QWERTY123', 'contraseña', 'iloveyou', demoAdmin.password, demoAdmin.password.toUpperCase()])(
  '%s is among the first that are tried',
  (password) => expect(weaknessOf(password)).toBe('common'),
)

test.each(['Álvaro Peña Ruiz', 'álvaro peña ruiz', ' A\u0301LVARO PEÑA RUIZ '])('%s is the name itself', (password) => {
  expect(weaknessOf(password, 'Álvaro Peña Ruiz')).toBe('name')
})

test('one of fewer than twelve characters is short, and one of twelve is not', () => {
  expect(weaknessOf('brass pear 1')).toBeUndefined()
  expect(weaknessOf('brass pear ')).toBe('short')
  expect(weaknessOf('🚂🚢✈🚗🚂🚢')).toBe('short')
})

test('the list holds about a hundred that the forms would take', () => {
  expect(commonPasswords.size).toBeGreaterThanOrEqual(100)
  expect([...commonPasswords].filter((password) => password.length < 6 || password !== password.toLowerCase())).toEqual([])
})

test('of one that will be refused it is not said that it will do', () => {
  expect(weaknessOf('x')).toBeUndefined()
  expect(weaknessOf('brass')).toBeUndefined()
  expect(weaknessOf('brassy')).toBe('short')
})
