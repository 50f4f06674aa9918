import { describe, expect, test } from 'vitest'
import { keysOf, photoOf, placeOfArrival } from './photos.rules.ts'

const aPhoto = (imageUrl: string, caption = '') => photoOf({ imageUrl, caption })
const [bow, stern, deck] = [aPhoto('bow', 'The bow'), aPhoto('stern'), aPhoto('deck')]

describe('the photos of a project', () => {
  test('have different keys, also when the same one is there twice', () => {
    expect(new Set(keysOf([bow, stern, bow, bow])).size).toBe(4)
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
