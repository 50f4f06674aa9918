import { sharp } from './sharp.ts'
import { maxImagePixels } from '#contract/images.ts'
import { Problem } from '#server/http/problem.ts'
import { kindOf } from './image.rules.ts'
import { placeholderOf } from './prepare-image.ts'
import { hasOnlyPicture } from './stored-image.rules.ts'

export type JudgedImage = { contentType: string; width: number; height: number; placeholder: string }

/**
 * Whether a file is one this site could have stored itself. Its bytes are its name, so it cannot be cleaned as an upload
 * is: it must be clean. Everything the site says about it is found in the bytes and nothing is taken on trust; making the
 * placeholder reads the whole picture, so that a damaged one is noticed here.
 */
export async function judgeImage(content: Buffer): Promise<JudgedImage> {
  const kind = kindOf(content.subarray(0, 16))
  if (kind !== 'jpeg' && kind !== 'webp') throw new Problem('not_an_image')
  try {
    const image = sharp(content, { limitInputPixels: maxImagePixels })
    const { width, height, format, pages = 1, orientation, exif, xmp, iptc, icc } = await image.metadata()
    if (width * height > maxImagePixels) throw new Problem('image_too_many_pixels')
    const bare = !exif && !xmp && !iptc && !icc && !orientation && pages === 1 && format === kind
    if (!bare || !hasOnlyPicture(kind, content)) throw new Problem('not_an_image')
    return { contentType: `image/${kind}`, width, height, placeholder: await placeholderOf(content) }
  } catch (error) {
    if (error instanceof Problem) throw error
    if (error instanceof Error && /pixel limit/i.test(error.message)) throw new Problem('image_too_many_pixels')
    throw new Problem('image_broken', { cause: error })
  }
}
