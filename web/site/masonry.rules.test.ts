import { describe, expect, test } from 'vitest'
import { layBricks } from './masonry.rules.ts'

const landscape = { width: 1600, height: 1067, titleLength: 12 }
const portrait = { width: 1280, height: 1600, titleLength: 12 }

describe('laying the cards of the gallery', () => {
  test('the first cards fill the first row from left to right', () => {
    expect(layBricks([landscape, portrait, landscape], 3)).toMatchObject([
      { column: 1, row: 1 },
      { column: 2, row: 1 },
      { column: 3, row: 1 },
    ])
  })

  test('the next card takes the shortest column, the leftmost of equal ones', () => {
    const places = layBricks([portrait, landscape, landscape, landscape, landscape], 3)
    expect(places.map(({ column }) => column)).toEqual([1, 2, 3, 2, 3])
  })

  test('cards of one column follow each other without a gap or an overlap', () => {
    const places = layBricks([portrait, landscape, portrait, landscape, portrait, portrait], 2)
    for (const column of [1, 2]) {
      let next = 1
      for (const place of places.filter((each) => each.column === column)) {
        expect(place.row).toBe(next)
        next += place.rows
      }
    }
  })

  test('no card begins above an earlier one', () => {
    const places = layBricks([landscape, portrait, portrait, landscape, landscape, portrait, landscape], 3)
    const rows = places.map(({ row }) => row)
    expect(rows).toEqual(rows.toSorted((a, b) => a - b))
  })

  test('a panorama goes across two columns or three, below whatever stands there', () => {
    const panorama = { width: 3000, height: 1000, titleLength: 12 }
    const strip = { width: 4000, height: 1000, titleLength: 12 }
    const places = layBricks([landscape, portrait, landscape, panorama, strip], 4)
    expect(places.map(({ column, span }) => [column, span])).toEqual([
      [1, 1],
      [2, 1],
      [3, 1],
      [3, 2],
      [1, 3],
    ])
    const [, tall, low, wide, widest] = places
    expect(wide?.row).toBe((low?.row ?? 0) + (low?.rows ?? 0))
    expect(widest?.row).toBe(Math.max((tall?.row ?? 0) + (tall?.rows ?? 0), (wide?.row ?? 0) + (wide?.rows ?? 0)))
    expect(layBricks([panorama, strip], 2).map(({ span }) => span)).toEqual([2, 2])
  })

  test('a photo is as high as its own proportions, and a long title takes another line', () => {
    const [wide, tall, wordy] = layBricks([landscape, portrait, { ...landscape, titleLength: 60 }], 3)
    expect((tall?.rows ?? 0) - (wide?.rows ?? 0)).toBe(50 - 27)
    expect(wordy?.rows).toBeGreaterThan(wide?.rows ?? 0)
  })
})
