import type { CSSProperties } from 'react'

type Size = { width: number; height: number }

/** The shape of a photo nothing is known of. */
export const commonShape: Size = { width: 3, height: 2 }

/** How much wider than high; neither a strip nor a column. */
export function ratioOf(size: Size | null) {
  const { width, height } = size ?? commonShape
  return Math.round(Math.min(2.6, Math.max(0.6, width / height)) * 1000) / 1000
}

/** Tells the style sheet, which gives photos of one row the same height. */
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
