import { expect, test } from 'vitest'
import { site as en } from '#content/en/site.ts'
import { site as es } from '#content/es/site.ts'
import { siteSections } from '#contract/site-fields.ts'
import { titleFit } from './hero.tsx'

test('titles that take two lines are set as designed', () => {
  for (const title of [en.hero.title, es.hero.title, 'A', '']) expect(titleFit(title), title).toBe(1)
})

test('longer ones, long words and capitals are set smaller, and never too small to be a title', () => {
  const { most } = siteSections.hero['hero.title']
  const halves = `${'a'.repeat(most / 2)} ${'a'.repeat(most / 2 - 1)}`
  expect(titleFit(halves)).toBeGreaterThan(0.7)
  expect(titleFit(halves.toUpperCase())).toBeLessThan(titleFit(halves))
  expect(titleFit('a'.repeat(most * 0.75))).toBeLessThan(titleFit(halves))
  expect(titleFit('W'.repeat(most))).toBe(0.5)
})
