import { describe, expect, test } from 'vitest'
import type { Project } from '#contract/projects.ts'
import { aStoredProject } from '#tests/factories.ts'
import { spanishIncomplete, timeText, titleIn } from './project.rules.ts'

function stored(details: Parameters<typeof aStoredProject>[0] = {}): Project {
  return { ...aStoredProject(details), version: 1, image: null, beforeImage: null, afterImage: null }
}

test('a title is told in Spanish where there is one', () => {
  expect(titleIn('es', stored({ title: 'Tug', titleEs: 'Remolcador' }))).toBe('Remolcador')
  expect(titleIn('es', stored({ title: 'Tug' }))).toBe('Tug')
  expect(titleIn('en', stored({ title: 'Tug', titleEs: 'Remolcador' }))).toBe('Tug')
})

describe('Spanish is incomplete', () => {
  const spanish = { titleEs: 'Remolcador', descriptionEs: 'Un remolcador de vapor.' }

  test('while anything that is told has no Spanish', () => {
    expect(spanishIncomplete(stored())).toBe(true)
    expect(spanishIncomplete(stored({ titleEs: 'Remolcador' }))).toBe(true)
    expect(spanishIncomplete(stored({ ...spanish, materials: 'Pear wood' }))).toBe(true)
  })

  test('and not because of what is not told at all', () => {
    expect(spanishIncomplete(stored(spanish))).toBe(false)
    expect(spanishIncomplete(stored({ ...spanish, materials: 'Pear wood', materialsEs: 'Peral' }))).toBe(false)
  })
})

test('a number is hours, a text is itself, and nothing is a dash', () => {
  const t = { unknown: '—', hours: (count: string) => `${count} hours` }
  expect(timeText('120', t)).toBe('120 hours')
  expect(timeText('a whole winter', t)).toBe('a whole winter')
  expect(timeText(null, t)).toBe('—')
})
