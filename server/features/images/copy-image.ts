import type { Sharp } from 'sharp'
import { longestSide, type Variant, type VariantFormat } from './image.rules.ts'
import { sharp } from './sharp.ts'

const encoders: Record<VariantFormat, (image: Sharp) => Sharp> = {
  avif: (image) => image.avif({ quality: 52, effort: 3 }),
  webp: (image) => image.webp({ quality: 74 }),
  jpeg: (image) => image.jpeg({ quality: 76, mozjpeg: true }),
}

/** A smaller copy of a stored photo; of a photo that is narrower already, one in its own width. */
export function copyImage(original: Buffer, { width, format }: Variant): Promise<Buffer> {
  // A photo that was stored before there was a longest side still has its copies.
  const fitting = sharp(original).resize(width, longestSide, { fit: 'inside', withoutEnlargement: true })
  return encoders[format](fitting).toBuffer()
}
