import { expect, test } from 'vitest'
import { previewOf } from './contact.rules.ts'

test('a preview is the first hundred characters and an ellipsis, and a short message is itself', () => {
  expect(previewOf('x'.repeat(100))).toBe('x'.repeat(100))
  expect(previewOf('x'.repeat(101))).toBe(`${'x'.repeat(100)}…`)
})

test('a preview cuts no character in half', () => {
  expect(previewOf('🚂'.repeat(101))).toBe(`${'🚂'.repeat(100)}…`)
})
