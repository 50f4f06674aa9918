import { describe, expect, test } from 'vitest'
import { exchangeCover, keysOf, movePhoto, photoOf, placeOfArrival } from './photos.rules.ts'

const aPhoto = (imageUrl: string, caption = '') => photoOf({ imageUrl, caption })
const [bow, stern, deck] = [aPhoto('bow', 'The bow'), aPhoto('stern'), aPhoto('deck')]

describe('the photos beside the cover', () => {
  test('are moved to a place, and the others close up', () => {
    expect(movePhoto([bow, stern, deck], 0, 2)).toEqual([stern, deck, bow])
    expect(movePhoto([bow, stern, deck], 2, 0)).toEqual([deck, bow, stern])
  })

  test('have different keys, also when the same one is there twice', () => {
    expect(new Set(keysOf([bow, stern, bow, bow])).size).toBe(4)
  })

  test('give one to be the cover, and the old cover takes its place', () => {
    const { next, undo } = exchangeCover({ cover: 'side', photos: [bow, stern] }, 0)
    expect(next).toEqual({ cover: 'bow', photos: [aPhoto('side'), stern] })
    expect(undo(next)).toEqual({ cover: 'side', photos: [bow, stern] })
  })

  test('get the cover back with its caption where the old cover is by then', () => {
    const { next, undo } = exchangeCover({ cover: 'side', photos: [bow, stern] }, 0)
    expect(undo({ ...next, photos: next.photos.toReversed() })).toEqual({ cover: 'side', photos: [stern, bow] })
    expect(undo({ ...next, photos: [stern] })).toEqual({ cover: 'side', photos: [bow, stern] })
  })

  test('leave no gap behind where there was no cover', () => {
    const { next, undo } = exchangeCover({ cover: '', photos: [bow, stern] }, 1)
    expect(next).toEqual({ cover: 'stern', photos: [bow] })
    expect(undo(next)).toEqual({ cover: '', photos: [bow, stern] })
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
