import { describe, expect, test } from 'vitest'
import { aShownProject } from '#tests/factories.ts'
import { spanishIncomplete } from './project.rules.ts'

describe('Spanish is incomplete', () => {
  const spanish = { titleEs: 'Remolcador', descriptionEs: 'Un remolcador de vapor.' }

  test('while anything that is told has no Spanish', () => {
    expect(spanishIncomplete(aShownProject())).toBe(true)
    expect(spanishIncomplete(aShownProject({ titleEs: 'Remolcador' }))).toBe(true)
    expect(spanishIncomplete(aShownProject({ ...spanish, materials: 'Pear wood' }))).toBe(true)
  })

  test('and not because of what is not told at all', () => {
    expect(spanishIncomplete(aShownProject(spanish))).toBe(false)
    expect(spanishIncomplete(aShownProject({ ...spanish, materials: 'Pear wood', materialsEs: 'Peral' }))).toBe(false)
  })
})
