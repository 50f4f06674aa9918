import { describe, expect, test } from 'vitest'
import { adminEn } from '#content/en.admin.ts'
import { adminEs } from '#content/es.admin.ts'
import { faultText, projectForm, sameValues, type TextField, valuesOf } from './project-form.rules.ts'

const written = {
  ...valuesOf(),
  title: 'Tug',
  description: 'A steam tug.',
  category: 'ships',
  imageUrl: 'https://example.com/tug.jpg',
  scale: '1:50',
  materials: 'Brass',
  techniques: 'Soldering',
  timeSpent: '340',
}

/** What the form says about each faulty field. */
function faultsOf(values: typeof written, t = adminEn) {
  const judged = projectForm.safeParse(values)
  const faults: Record<string, string | undefined> = {}
  for (const { path, code } of judged.error?.issues ?? []) {
    const field = String(path[0]) as TextField
    faults[field] ??= faultText(t, field, code)
  }
  return faults
}

describe('the project form', () => {
  test('is satisfied with what must be there, and sends what was left empty as nothing', () => {
    const judged = projectForm.safeParse(written)
    expect(judged.success && judged.data).toMatchObject({ title: 'Tug', featured: false, titleEs: null, beforeImageUrl: null })
  })

  test('names every field that must not be empty', () => {
    expect(faultsOf({ ...written, ...valuesOf() })).toEqual({
      title: 'Title is required',
      description: 'Description is required',
      category: 'Category is required',
      scale: 'Scale is required',
      materials: 'Materials is required',
      techniques: 'Techniques is required',
      timeSpent: 'Time spent is required',
      imageUrl: 'Image is required',
    })
  })

  test('takes blanks for nothing', () => {
    expect(faultsOf({ ...written, scale: '   ' })).toEqual({ scale: 'Scale is required' })
  })

  test('says how much fits, and what a photo must be, in the language of the panel', () => {
    const wrong = { ...written, title: 'x'.repeat(201), afterImageUrl: 'http://example.com/tug.jpg' }
    expect(faultsOf(wrong)).toEqual({
      title: 'Please use at most 200 characters.',
      afterImageUrl: 'A photo must be one uploaded here or an https:// address.',
    })
    expect(faultsOf(wrong, adminEs)).toEqual({
      title: 'Use como máximo 200 caracteres.',
      afterImageUrl: 'La foto debe haberse subido aquí o ser una dirección https://.',
    })
  })

  test('knows whether anything has been changed', () => {
    expect(sameValues(written, { ...written })).toBe(true)
    expect(sameValues(written, { ...written, titleEs: 'Remolcador' })).toBe(false)
    expect(sameValues(written, { ...written, featured: true })).toBe(false)
  })
})
