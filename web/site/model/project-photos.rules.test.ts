import { describe, expect, test } from 'vitest'
import { aShownProject } from '#tests/factories.ts'
import { arrowStep, closeUpOf, photoCountOf, photosOf, stepped, tallAt } from './project-photos.rules.ts'

const bow = { imageUrl: 'https://example.com/bow.jpg', caption: 'The bow', translations: { es: { caption: 'La proa' } } }
const stern = { imageUrl: 'https://example.com/stern.jpg', caption: 'The stern', translations: {} }

describe('the photos of a project', () => {
  const project = aShownProject({ imageUrl: 'https://example.com/tug.jpg', photos: [bow, stern] })

  test('begin with the cover, and have captions in the language of the visitor where there are any', () => {
    expect(photosOf(project, 'en').map(({ caption }) => caption)).toEqual([null, 'The bow', 'The stern'])
    expect(photosOf(project, 'es').map(({ caption }) => caption)).toEqual([null, 'La proa', 'The stern'])
    expect(photosOf(project, 'en').map(({ address }) => address)).toEqual([
      'https://example.com/tug.jpg',
      bow.imageUrl,
      stern.imageUrl,
    ])
  })

  test('are counted before they are known', () => {
    const { photos, ...listed } = project
    expect(photoCountOf(project)).toBe(3)
    expect(photoCountOf({ ...listed, photoCount: photos.length })).toBe(3)
    expect(photosOf({ ...listed, photoCount: photos.length }, 'en')).toHaveLength(1)
    expect(photoCountOf({ ...listed, photoCount: 0 })).toBe(1)
  })
})

describe('a close look', () => {
  const address = `/objects/${'0'.repeat(64)}`
  const photo = (width: number, height: number) => ({ address, image: { width, height, placeholder: '' }, caption: null })

  test('is at the copy 2400 pixels wide, or as wide as the photo is', () => {
    const src = `${address}?w=2400&f=webp`
    expect(closeUpOf(photo(4000, 3000))).toEqual({ src, width: 2400, height: 1800 })
    expect(closeUpOf(photo(1800, 1200))).toEqual({ src, width: 1800, height: 1200 })
  })

  test('at a photo that is elsewhere is at the photo itself', () => {
    const elsewhere = { address: 'https://example.com/tug.jpg', image: null, caption: null }
    expect(closeUpOf(elsewhere)).toMatchObject({ src: 'https://example.com/tug.jpg' })
  })
})

test('leafing through the photos stops at the first and the last', () => {
  expect([stepped(0, 1, 3), stepped(2, 1, 3), stepped(1, -1, 3), stepped(0, -1, 3)]).toEqual([1, 2, 0, 0])
})

test('an arrow key leads on or back, unless another key is held down: Alt and the left arrow go back in the history', () => {
  const alone = { altKey: false, ctrlKey: false, metaKey: false, shiftKey: false }
  expect(['ArrowLeft', 'ArrowRight', 'Home'].map((key) => arrowStep({ ...alone, key }))).toEqual([-1, 1, 0])
  for (const held of ['altKey', 'ctrlKey', 'metaKey', 'shiftKey']) {
    expect(arrowStep({ ...alone, key: 'ArrowLeft', [held]: true })).toBe(0)
  }
})

test('the frame has the shape of its photo, in between that of both, and at the ends no other', () => {
  const shapes = [2, 0.5]
  expect([-0.1, 0, 0.5, 1, 1.2].map((position) => tallAt(shapes, position))).toEqual([0.5, 0.5, 1.25, 2, 2])
})
