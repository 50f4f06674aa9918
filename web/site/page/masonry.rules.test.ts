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

  const panorama = { width: 2500, height: 1000, titleLength: 12 }
  const strip = { width: 4000, height: 1000, titleLength: 12 }

  test('a panorama goes across two columns, a longer one across three, side by side with others', () => {
    expect(layBricks([panorama, strip, landscape], 4).map(({ column, span }) => [column, span])).toEqual([
      [1, 2],
      [3, 2],
      [3, 1],
    ])
    expect(layBricks([strip, landscape], 4).map(({ column, span }) => [column, span])).toEqual([
      [1, 3],
      [4, 1],
    ])
    expect(layBricks([panorama, strip], 2).map(({ span }) => span)).toEqual([2, 2])
  })

  test('a panorama leaves no hole above it: it takes the columns that are free, and one where only one is', () => {
    const tower = { width: 800, height: 1600, titleLength: 12 }
    expect(layBricks([tower, strip], 3)).toMatchObject([
      { column: 1, row: 1 },
      { column: 2, row: 1, span: 2 },
    ])
    expect(layBricks([tower, strip], 2)).toMatchObject([
      { column: 1, row: 1 },
      { column: 2, row: 1, span: 1 },
    ])
  })

  test('a photo is as high as its own proportions, and a long title takes another line', () => {
    const [wide, tall, wordy] = layBricks([landscape, portrait, { ...landscape, titleLength: 60 }], 3)
    expect((tall?.rows ?? 0) - (wide?.rows ?? 0)).toBe(50 - 27)
    expect(wordy?.rows).toBeGreaterThan(wide?.rows ?? 0)
  })
})
