import { createHash } from 'node:crypto'
import { maxImagePixels } from '#contract/images.ts'
import { Problem } from '#server/http/problem.ts'
import { kindOf, longestSide } from './image.rules.ts'
import { sharp } from './sharp.ts'

export type PreparedImage = {
  hash: string
  content: Buffer
  contentType: string
  width: number
  height: number
  placeholder: string
}

/**
 * Turns an uploaded file into one that is safe to publish: judged by its content, upright, in sRGB, and without any
 * metadata (phones write down where a photo was taken). It is encoded anew, so nothing hidden in the file survives.
 */
export async function prepareImage(file: Buffer): Promise<PreparedImage> {
  const kind = kindOf(file)
  if (!kind) throw new Problem('not_an_image')
  // The library is built without a decoder for it, whose patents are not free.
  if (kind === 'heic') throw new Problem('heic_not_supported')
  try {
    const source = sharp(file, { limitInputPixels: maxImagePixels, failOn: 'error', autoOrient: true })
    const { hasAlpha, width, height } = await source.metadata()
    if (width * height > maxImagePixels) throw new Problem('image_too_many_pixels')
    const upright = source.toColourspace('srgb')
    if (Math.max(width, height) > longestSide) upright.resize(longestSide, longestSide, { fit: 'inside' })
    const encoded = hasAlpha ? upright.webp({ quality: 90 }) : upright.jpeg({ quality: 90 })
    const { data: content, info } = await encoded.toBuffer({ resolveWithObject: true })
    return {
      hash: createHash('sha256').update(content).digest('hex'),
      content,
      contentType: hasAlpha ? 'image/webp' : 'image/jpeg',
      width: info.width,
      height: info.height,
      placeholder: await placeholderOf(content),
    }
  } catch (error) {
    if (error instanceof Problem) throw error
    if (error instanceof Error && /pixel limit/i.test(error.message)) throw new Problem('image_too_many_pixels')
    throw new Problem('image_broken', { cause: error })
  }
}

export async function placeholderOf(content: Buffer) {
  const tiny = await sharp(content).resize(20, 20, { fit: 'inside' }).webp({ quality: 30, alphaQuality: 30 }).toBuffer()
  return `data:image/webp;base64,${tiny.toString('base64')}`
}
