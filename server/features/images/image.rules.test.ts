import type { Metadata } from 'sharp'
import { describe, expect, test } from 'vitest'
import { decodedBytes, longestSideOf, maxDecodedBytes } from './image.rules.ts'

type Details = { megapixels: number } & Partial<Parameters<typeof decodedBytes>[0]>

function aPhotoOf({ megapixels, ...details }: Details) {
  const usual = { channels: 3, depth: 'uchar', isProgressive: false, chromaSubsampling: '4:2:0' } as const
  return { width: megapixels * 1_000, height: 1_000, format: 'jpeg', ...usual, ...details } as const
}

const deep = { channels: 4, depth: 'ushort' } as const

describe('the memory of a photo', () => {
  test.each<[string, Details]>([
    ['a JPEG', { megapixels: 50 }],
    ['a JPEG of a phone that was held upright', { megapixels: 50, orientation: 6 }],
    ['a progressive JPEG', { megapixels: 50, isProgressive: true }],
    ['a progressive JPEG of a phone that was held upright', { megapixels: 50, isProgressive: true, orientation: 6 }],
    ['a progressive JPEG with all its colours', { megapixels: 40, isProgressive: true, chromaSubsampling: '4:4:4' }],
    ['a PNG that is read row by row', { megapixels: 50, format: 'png', ...deep }],
    ['an interlaced PNG', { megapixels: 50, format: 'png', isProgressive: true }],
    ['a WebP', { megapixels: 24, format: 'webp', channels: 4 }],
    ['an AVIF', { megapixels: 12.2, format: 'heif' }],
    ['a GIF', { megapixels: 40, format: 'gif', channels: 4 }],
  ])('is enough for %s', (_, details) => {
    expect(decodedBytes(aPhotoOf(details))).toBeLessThanOrEqual(maxDecodedBytes)
  })

  test.each<[string, Details]>([
    ['a progressive JPEG made for print', { megapixels: 50, isProgressive: true, channels: 4, chromaSubsampling: '4:4:4:4' }],
    ['an interlaced PNG with 16 bits', { megapixels: 50, format: 'png', isProgressive: true, ...deep }],
    ['a PNG with 16 bits that lies on its side', { megapixels: 50, format: 'png', orientation: 6, ...deep }],
    ['a WebP', { megapixels: 50, format: 'webp' }],
    ['an AVIF', { megapixels: 24, format: 'heif' }],
  ])('is not enough for %s', (_, details) => {
    expect(decodedBytes(aPhotoOf(details))).toBeGreaterThan(maxDecodedBytes)
  })
})

test.each<[Pick<Metadata, 'width' | 'height' | 'hasAlpha'>, number]>([
  [{ width: 10_000, height: 5_000, hasAlpha: false }, 16_383],
  [{ width: 3_000, height: 2_000, hasAlpha: true }, 16_383],
  [{ width: 10_000, height: 5_000, hasAlpha: true }, 3_464],
  [{ width: 40_000, height: 200, hasAlpha: true }, 16_383],
])('the longest side of %o is %i', (image, side) => {
  expect(longestSideOf(image)).toBe(side)
})
