import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { type ImageFacts, maxImagePixels } from '#contract/images.ts'
import { Problem } from '#server/http/problem.ts'
import { placeholderOf, variantEncoders } from './encodings.ts'
import { longestSide, type Variant } from './image.rules.ts'
import { sharp } from './sharp.ts'

/** What the site knows of a stored image; all of it is found in the bytes. */
export type CheckedImage = ImageFacts & { hash: string; contentType: string }
export type PreparedImage = CheckedImage & { content: Buffer }

/** Where an image is in a file of this machine. Sending it to the encoder instead would take three times the memory. */
export type ImagePlace = { file: string; start: number; bytes: number }

/**
 * Turns an uploaded file into one that is safe to publish: upright, in sRGB, and without any metadata (phones write down
 * where a photo was taken). It is encoded anew, so nothing hidden in the file survives.
 */
export async function prepareImage(file: Buffer): Promise<PreparedImage> {
  try {
    const source = sharp(file, { limitInputPixels: maxImagePixels, failOn: 'error', autoOrient: true })
    const { hasAlpha, width, height } = await source.metadata()
    const upright = source.toColourspace('srgb')
    if (Math.max(width, height) > longestSide) upright.resize(longestSide, longestSide, { fit: 'inside' })
    const encoded = hasAlpha ? upright.webp({ quality: 90 }) : upright.jpeg({ quality: 90 })
    const { data: content, info } = await encoded.toBuffer({ resolveWithObject: true })
    return { ...(await factsOf(content, info)), content }
  } catch (error) {
    throw problemOf(error, file)
  }
}

/**
 * Checks an image that is stored as it is. Its name is the hash of its bytes, so it cannot be encoded anew as an upload is:
 * it must be what an upload becomes. Making the placeholder decodes all of it, so a damaged one is noticed.
 */
export async function judgeImage(image: ImagePlace | Buffer): Promise<CheckedImage> {
  const content = 'file' in image ? await readPlace(image) : image
  try {
    const metadata = await sharp(content, { limitInputPixels: maxImagePixels }).metadata()
    const { format, pages = 1, orientation, exif, xmp, iptc, icc } = metadata
    const isOurs = (format === 'jpeg' || format === 'webp') && pages === 1
    if (!isOurs || orientation || exif || xmp || iptc || icc) throw new Problem('not_an_image')
    return await factsOf(content, metadata)
  } catch (error) {
    throw problemOf(error, content)
  }
}

/** A variant of a stored image; of one that is narrower already, in its own width. */
export function makeVariant(original: Buffer, { width, format }: Variant): Promise<Buffer> {
  // Images stored before there was a longest side still get their variants.
  const fitting = sharp(original).resize(width, longestSide, { fit: 'inside', withoutEnlargement: true })
  return variantEncoders[format](fitting).toBuffer()
}

async function factsOf(content: Buffer, { format, width, height }: { format: string; width: number; height: number }) {
  const hash = createHash('sha256').update(content).digest('hex')
  return { hash, contentType: `image/${format}`, width, height, placeholder: await placeholderOf(sharp(content)) }
}

// The library is built without a decoder for HEIC, whose patents are not free, and reports such a file as a broken one.
const heicBrand = /^ftyp(hei[cxms]|hev[cxms]|mif1|msf1)/

/** sharp has no error codes, only messages. */
function problemOf(error: unknown, file: Buffer) {
  if (error instanceof Problem) return error
  const { message } = error as Error
  if (/pixel limit/.test(message)) return new Problem('image_too_many_pixels')
  if (/unsupported image format|is empty/.test(message)) return new Problem('not_an_image')
  // From another process a Buffer arrives as a plain Uint8Array.
  if (heicBrand.test(Buffer.from(file.subarray(4, 12)).toString('latin1'))) return new Problem('heic_not_supported')
  return new Problem('image_broken', { cause: error })
}

async function readPlace({ file, start, bytes }: ImagePlace) {
  const handle = await open(file, 'r')
  try {
    return (await handle.read(Buffer.allocUnsafeSlow(bytes), 0, bytes, start)).buffer
  } finally {
    await handle.close()
  }
}

const tasks = { prepareImage, judgeImage, makeVariant }
type Tasks = typeof tasks

/** As it travels between processes. */
export type Task = [name: keyof Tasks, ...args: unknown[]]
export type RunTask = <Name extends keyof Tasks>(name: Name, ...args: Parameters<Tasks[Name]>) => ReturnType<Tasks[Name]>

/** In this process: the encoder's own, or a test's. */
export const runTask = ((name, ...args) => (tasks[name] as (...args: unknown[]) => unknown)(...args)) as RunTask
