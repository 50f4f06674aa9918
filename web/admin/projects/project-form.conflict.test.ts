import { describe, expect, test } from 'vitest'
import { photoOf } from '../photos/photos.rules.ts'
import { chosenOf, differencesOf, valuesOf } from './project-form.rules.ts'

const began = valuesOf({ title: 'Tug', scale: '1:50', materials: 'Pear', category: 'ships' })
const aPhoto = photoOf({ imageUrl: 'https://older-site.example/bow.jpg' })

describe('two versions of a project', () => {
  test('differ where only you, only they or both have changed something', () => {
    const yours = { ...began, title: 'Tugboat', scale: '1:48' }
    const saved = { ...began, title: 'The tug', materials: 'Pear, brass' }
    expect(differencesOf(began, yours, saved)).toEqual([
      { name: 'title', side: 'yours', contested: true },
      { name: 'scale', side: 'yours', contested: false },
      { name: 'materials', side: 'saved', contested: false },
    ])
  })

  test('do not differ where both have made the same change, or only in blanks around a text', () => {
    expect(differencesOf(began, { ...began, title: 'Tugboat ' }, { ...began, title: 'Tugboat' })).toEqual([])
  })

  test('differ in their photos when one is added, moved or captioned', () => {
    const saved = { ...began, photos: [aPhoto] }
    expect(differencesOf(began, began, saved)).toEqual([{ name: 'photos', side: 'saved', contested: false }])
    const two = { ...began, photos: [aPhoto, aPhoto] }
    const captioned = { ...began, photos: [aPhoto, { ...aPhoto, caption: 'Bow' }] }
    expect(differencesOf(two, captioned, two)).toEqual([{ name: 'photos', side: 'yours', contested: false }])
    // The cover's is not stored.
    expect(differencesOf(saved, { ...began, photos: [{ ...aPhoto, caption: 'Bow' }] }, saved)).toEqual([])
  })

  test('differ in each translation by itself', () => {
    const es = { title: 'Remolcador', description: 'Un remolcador' }
    const yours = valuesOf({ ...began, translations: { es } })
    const saved = valuesOf({ ...began, translations: { es: { ...es, title: 'El remolcador' } } })
    expect(differencesOf(began, yours, saved)).toEqual([{ name: 'translations.es.title', side: 'yours', contested: true }])
    expect(chosenOf(yours, saved, { 'translations.es.title': 'saved' })).toEqual(saved)
  })

  test('become one by the choice of each field', () => {
    const yours = { ...began, title: 'Tugboat', scale: '1:48' }
    const saved = { ...began, title: 'The tug', photos: [aPhoto], featured: true }
    expect(chosenOf(yours, saved, { title: 'saved', photos: 'saved', featured: 'yours' })).toEqual({
      ...yours,
      title: 'The tug',
      photos: [aPhoto],
    })
  })
})
