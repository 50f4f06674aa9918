import { describe, expect, test } from 'vitest'
import { admin as adminEn } from '#content/en/admin.ts'
import { admin as adminEs } from '#content/es/admin.ts'
import type { Language } from '#contract/languages.ts'
import { valueFaults } from '#contract/problems.ts'
import { projectInput } from '#contract/project-fields.ts'
import { aWholeProject } from '#tests/factories.ts'
import { photoOf } from '../photos/photos.rules.ts'
import type { FieldName } from './form-fields.ts'
import { faultText, isFaultyIn, judgeForm, sameValues, unfitToPublish, untranslatedIn, valuesOf } from './project-form.rules.ts'

const { featured: _featured, translations: _translations, beforeImageUrl: _before, ...required } = aWholeProject
const written = valuesOf(required)

const judged = (values: typeof written, shown?: Language) =>
  judgeForm(values, shown, { fields: {}, shouldUseNativeValidation: false })

/** What the form says about each faulty field. */
async function faultsOf(values: typeof written, t = adminEn) {
  const { errors } = await judged(values)
  return Object.fromEntries(
    Object.entries(errors).map(([name, error]) => [name, faultText(t, name as FieldName, String(error.type))]),
  )
}

describe('the project form', () => {
  test('is satisfied with what must be there, and sends what was left empty as nothing', async () => {
    expect((await judged(written)).values).toMatchObject({
      title: aWholeProject.title,
      featured: false,
      translations: { es: { title: null, description: null, materials: null, techniques: null } },
      beforeImageUrl: null,
    })
  })

  test('names every field that must not be empty', async () => {
    expect(await faultsOf(valuesOf())).toEqual({
      title: 'Title is required',
      description: 'Description is required',
      category: 'Category is required',
      scale: 'Scale is required',
      materials: 'Materials is required',
      techniques: 'Techniques is required',
      timeSpent: 'Time spent is required',
      photos: 'Image is required',
    })
  })

  test('asks of a draft a title in any language, or a photo', async () => {
    expect(await faultsOf({ ...valuesOf(), draft: true })).toEqual({ title: 'A draft needs a title or a photo.' })
    expect(await faultsOf({ ...valuesOf({ translations: { es: { title: 'Remolcador' } } }), draft: true })).toEqual({})
    expect(await faultsOf({ ...valuesOf({ photos: aWholeProject.photos }), draft: true })).toEqual({})
  })

  test('needs each text in one language, whichever, and misses it in the one that is shown', async () => {
    const spanish = valuesOf({
      ...aWholeProject,
      ...{ title: '', description: '', materials: null, techniques: null },
    })
    expect((await judged(spanish, 'es')).errors).toEqual({})
    const { errors } = await judged({ ...spanish, translations: {} }, 'es')
    expect(Object.keys(errors.translations?.es ?? {})).toEqual(['title', 'description', 'materials', 'techniques'])
    expect(faultText(adminEn, 'translations.es.title', 'missing')).toBe('Title is required')
  })

  test('sends the first of the photos as the cover, and takes no text of another language for one of its own', async () => {
    const [cover, ...photos] = aWholeProject.photos
    const { values } = await judged(valuesOf({ ...aWholeProject, imageUrl: '' }))
    expect(values).toMatchObject({ imageUrl: cover?.imageUrl, photos })
    expect(valuesOf({ ...aWholeProject, fallbacks: ['title'] })).toEqual({ ...valuesOf(aWholeProject), title: '' })
  })

  test('tells what a draft lacks to be published', () => {
    expect(unfitToPublish({ ...aWholeProject, draft: true })).toEqual([])
    expect(unfitToPublish({ ...required, draft: true, scale: null, techniques: ' ' })).toEqual(['scale', 'techniques'])
    expect(unfitToPublish({ ...aWholeProject, imageUrl: '', draft: true })).toEqual(['photos'])
  })

  test('says at which photo a caption is too long', async () => {
    const photos = ['', 'x'.repeat(301)].map((caption) => photoOf({ imageUrl: aWholeProject.imageUrl, caption }))
    const { errors } = await judged({ ...written, photos })
    expect(errors).toEqual({ photos: [undefined, { caption: { type: 'too_long' } }] })
    expect([isFaultyIn('en', errors), isFaultyIn('es', errors)]).toEqual([true, false])
    expect(faultText(adminEn, 'caption', 'too_long')).toBe('Please use at most 300 characters.')
  })

  test('knows what is written in one language and not in the other', () => {
    const values = valuesOf({
      title: 'Tug',
      description: 'x',
      techniques: ' ',
      translations: { es: { materials: 'Peral', description: 'x' } },
    })
    expect(untranslatedIn('es', values)).toEqual(['title'])
    expect(untranslatedIn('en', values)).toEqual(['materials'])
  })

  test('says in which language a text is too long', async () => {
    const wrong = valuesOf({ ...required, translations: { es: { title: 'x'.repeat(201) } } })
    const { errors } = await judged(wrong)
    expect(errors).toEqual({ translations: { es: { title: { type: 'too_long' } } } })
    expect(faultText(adminEn, 'translations.es.title', 'too_long')).toBe('Please use at most 200 characters.')
    expect(unfitToPublish(wrong)).toEqual(['translations.es.title'])
  })

  test('takes blanks for nothing', async () => {
    expect(await faultsOf({ ...written, scale: '   ' })).toEqual({ scale: 'Scale is required' })
  })

  test('says how much fits, and what a photo must be, in the language of the panel', async () => {
    const wrong = { ...written, title: 'x'.repeat(201), afterImageUrl: 'http://example.com/tug.jpg' }
    expect(await faultsOf(wrong)).toEqual({
      title: 'Please use at most 200 characters.',
      afterImageUrl: 'Use a photo uploaded here or an https:// address.',
    })
    expect(await faultsOf(wrong, adminEs)).toEqual({
      title: 'Use como máximo 200 caracteres.',
      afterImageUrl: 'Use una foto subida aquí o una dirección https://.',
    })
  })

  test('sends a project that was only looked at back as it came', async () => {
    expect((await judged(valuesOf(aWholeProject))).values).toEqual(aWholeProject)
    expect([...Object.keys(valuesOf()), 'imageUrl'].toSorted()).toEqual(Object.keys(projectInput.shape).toSorted())
  })

  test('keeps of a project what an unsaved form of an earlier release does not know, and leaves out what is no field any more', () => {
    const draft = { title: 'Half a hull', colour: 'red' }
    expect(valuesOf({ ...aWholeProject, ...draft })).toEqual({ ...valuesOf(aWholeProject), title: 'Half a hull' })
  })

  test.each(valueFaults)('has a sentence for %s, which speaks of a photo only where it is about one', (fault) => {
    for (const [t, photo] of [
      [adminEn, 'photo'],
      [adminEs, 'foto'],
    ] as const) {
      const sentence = faultText(t, 'timeSpent', fault)
      expect(sentence).toMatch(/^\p{Lu}.{8,}$/u)
      expect(sentence?.includes(photo)).toBe(fault === 'not_a_photo' || fault === 'not_uploaded')
    }
  })

  test('knows whether anything has been changed', () => {
    expect(sameValues(written, { ...written })).toBe(true)
    const translated = valuesOf({ ...required, translations: { es: { title: 'Remolcador' } } })
    expect(sameValues(written, translated)).toBe(false)
    expect(sameValues(written, { ...written, featured: true })).toBe(false)
  })
})
