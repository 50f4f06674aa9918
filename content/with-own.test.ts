import { expect, test } from 'vitest'
import { withOwn } from './with-own.ts'

const defaults = { brand: 'Vitrina', phones: ['1', '2'], links: { instagram: '' }, say: (name: string) => `Hello ${name}` }

test('own values stand in the place of those the site came with, which stay as they are', () => {
  const own = withOwn(defaults, { brand: 'Taller', 'phones.1': '', 'links.instagram': 'https://example.com' })
  expect(own).toMatchObject({ brand: 'Taller', phones: ['1', ''], links: { instagram: 'https://example.com' } })
  expect(own.say('Ana')).toBe('Hello Ana')
  expect(defaults).toMatchObject({ brand: 'Vitrina', phones: ['1', '2'], links: { instagram: '' } })
})

test('with none of them it is the same thing, which nothing has to be rendered anew for', () => {
  expect(withOwn(defaults)).toBe(defaults)
  expect(withOwn(defaults, {})).toBe(defaults)
})

test('no path leads to what all objects share', () => {
  for (const path of ['__proto__.polluted', 'constructor.prototype.polluted', 'links.__proto__.polluted']) {
    withOwn(defaults, { [path]: 'yes' })
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
    expect('polluted' in {}).toBe(false)
  }
})
