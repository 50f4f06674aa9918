import { describe, expect, test } from 'vitest'
import type { Project } from '#contract/projects.ts'
import { aStoredProject } from '#tests/factories.ts'
import { spanishIncomplete } from './project.rules.ts'

function stored(details: Parameters<typeof aStoredProject>[0] = {}): Project {
  return { ...aStoredProject(details), version: 1, image: null, beforeImage: null, afterImage: null }
}

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
