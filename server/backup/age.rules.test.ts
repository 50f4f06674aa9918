import { generateX25519Identity } from 'age-encryption'
import { expect, test } from 'vitest'
import { isAgeKey } from './age.rules.ts'

test('a key of age is one, and no other is that differs in a letter', async () => {
  const key = await generateX25519Identity()
  expect(isAgeKey(key)).toBe(true)
  for (let at = 16; at < key.length; at += 1) {
    expect(isAgeKey(`${key.slice(0, at)}${key[at] === 'Q' ? 'P' : 'Q'}${key.slice(at + 1)}`)).toBe(false)
  }
  for (const other of [key.toLowerCase(), key.slice(0, -1), `${key}Q`, key.replace('SECRET', 'PUBLIC'), '']) {
    expect(isAgeKey(other)).toBe(false)
  }
})
