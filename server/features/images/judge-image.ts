import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { maxImagePixels } from '#contract/images.ts'
import { Problem } from '#server/http/problem.ts'
import { kindOf } from './image.rules.ts'
import { placeholderOf } from './prepare-image.ts'
import { sharp } from './sharp.ts'
import { hasOnlyPicture } from './stored-image.rules.ts'

/** Where in a file of this machine the bytes of a photo are; they are read where they are judged, and not sent there. */
export type ImagePlace = { file: string; start: number; bytes: number }

export type JudgedImage = { hash: string; contentType: string; width: number; height: number; placeholder: string }

/**
 * Whether these bytes are a photo this site could have stored itself. Their hash is its name, so it cannot be cleaned as
 * an upload is: it must be clean. Everything the site says about it is found in the bytes and nothing is taken on trust;
 * making the placeholder reads the whole picture, so that a damaged one is noticed here.
 */
export async function judgeImage(image: ImagePlace | Buffer): Promise<JudgedImage> {
  // From another process a Buffer comes as the plain bytes it is.
  const content =
    image instanceof Uint8Array ? Buffer.from(image.buffer, image.byteOffset, image.length) : await readPlace(image)
  const kind = kindOf(content)
  if (kind !== 'jpeg' && kind !== 'webp') throw new Problem('not_an_image')
  try {
    const picture = sharp(content, { limitInputPixels: maxImagePixels })
    const { width, height, format, pages = 1, orientation, exif, xmp, iptc, icc } = await picture.metadata()
    if (width * height > maxImagePixels) throw new Problem('image_too_many_pixels')
    const bare = !exif && !xmp && !iptc && !icc && !orientation && pages === 1 && format === kind
    if (!bare || !hasOnlyPicture(kind, content)) throw new Problem('not_an_image')
    const hash = createHash('sha256').update(content).digest('hex')
    return { hash, contentType: `image/${kind}`, width, height, placeholder: await placeholderOf(content) }
  } catch (error) {
    if (error instanceof Problem) throw error
    if (error instanceof Error && /pixel limit/i.test(error.message)) throw new Problem('image_too_many_pixels')
    throw new Problem('image_broken', { cause: error })
  }
}

async function readPlace({ file, start, bytes }: ImagePlace) {
  const handle = await open(file, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafeSlow(bytes), 0, bytes, start)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}
