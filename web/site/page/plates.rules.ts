import type { CSSProperties } from 'react'

type Size = { width: number; height: number }

/** For a photo of unknown size. */
export const commonShape: Size = { width: 3, height: 2 }

/** Width by height, limited so that no photo becomes a strip. */
export function ratioOf(size: Size | null) {
  const { width, height } = size ?? commonShape
  return Math.round(Math.min(2.6, Math.max(0.6, width / height)) * 1000) / 1000
}

/** For the style sheet, which gives the photos of a row the same height. */
export function shapeOf(size: Size | null) {
  return { '--ratio': ratioOf(size) } as CSSProperties
}

/** Up to four photos in rows that fill the width: two side by side, three where they are narrow enough. */
export function rowsOf<T>(photos: readonly T[], ratio: (photo: T) => number): T[][] {
  const [first, second, third, fourth] = photos
  if (!first) return []
  if (!second) return [[first]]
  if (!third) return [[first, second]]
  if (fourth)
    return [
      [first, second],
      [third, fourth],
    ]
  const width = ratio(first) + ratio(second) + ratio(third)
  return width <= 3.4 ? [[first, second, third]] : [[first], [second, third]]
}
