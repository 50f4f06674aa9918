import type { Sharp } from 'sharp'
import type { VariantFormat } from './image.rules.ts'

type Colours = { chromaSubsampling: string }

/** How variants are encoded, of uploaded photos and of the page's own (scripts/site-photos.ts). */
export const variantEncoders: Record<VariantFormat, (image: Sharp, colours?: Colours) => Sharp> = {
  avif: (image, colours) => image.avif({ quality: 52, effort: 3, ...colours }),
  webp: (image) => image.webp({ quality: 74 }),
  jpeg: (image) => image.jpeg({ quality: 76, mozjpeg: true }),
}

/** A few dozen bytes of the same picture, as a data address. */
export async function placeholderOf(image: Sharp) {
  const tiny = await image.resize(20, 20, { fit: 'inside' }).webp({ quality: 30, alphaQuality: 30 }).toBuffer()
  return `data:image/webp;base64,${tiny.toString('base64')}`
}
