import { describe, expect, test } from 'vitest'
import { allPhotos, keysOf, movePhoto, photoOf, placeOfArrival, shownOf } from './photos.rules.ts'

const aPhoto = (imageUrl: string, caption = '') => photoOf({ imageUrl, caption })
const [bow, stern, deck] = [aPhoto('bow', 'The bow'), aPhoto('stern'), aPhoto('deck')]

describe('the photos of a project', () => {
  test('are moved to a place, and the others close up', () => {
    expect(movePhoto([bow, stern, deck], 0, 2)).toEqual([stern, deck, bow])
    expect(movePhoto([bow, stern, deck], 2, 0)).toEqual([deck, bow, stern])
  })

  test('have different keys, also when the same one is there twice', () => {
    expect(new Set(keysOf([bow, stern, bow, bow])).size).toBe(4)
  })

  test('begin with the cover, and the next one is it where there was none', () => {
    expect(shownOf(allPhotos({ cover: 'side', photos: [bow, stern] }))).toEqual({ cover: 'side', photos: [bow, stern] })
    expect(shownOf(allPhotos({ cover: '', photos: [bow, stern] }))).toEqual({ cover: 'bow', photos: [stern] })
    expect(shownOf([])).toEqual({ cover: '', photos: [] })
  })

  test('stand in the order they were chosen in, whichever arrives first', () => {
    const numbers = new Map([
      ['bow', 1],
      ['deck', 3],
    ])
    expect(placeOfArrival([stern, bow, deck], numbers, 2)).toBe(2)
    expect(placeOfArrival([stern, bow], numbers, 4)).toBe(2)
  })
})
