import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import sharp, { type Metadata, type Sharp } from 'sharp'
import { closeUp } from '#contract/first-visit.ts'
import { type ImageFacts, maxImagePixels } from '#contract/images.ts'
import { Problem } from '#server/http/problem.ts'
import {
  decodedBytes,
  hasManyNotes,
  isBare,
  isCommon,
  longestSide,
  longestSideOf,
  maxDecodedBytes,
  maxOptimisedPixels,
  placeholderOf,
  type Variant,
  variantEncoders,
  withoutTexts,
} from './image.rules.ts'

// A small machine has neither memory for libvips' cache nor cores to spare for one image.
sharp.cache(false)
sharp.concurrency(1)

// Only these formats are ever decoded, whatever a file pretends to be.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: [
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadWebpBuffer',
    'VipsForeignLoadHeifBuffer',
    'VipsForeignLoadNsgifBuffer',
  ],
})

/** What is stored about an image; all of it follows from its bytes. */
export type CheckedImage = ImageFacts & { hash: string; contentType: string }
export type PreparedImage = CheckedImage & { content: Buffer }

/** Where an image is in a file of this machine. Sending it to the encoder instead would take three times the memory. */
export type ImagePlace = { file: string; start: number; bytes: number }

const strict = { limitInputPixels: maxImagePixels, failOn: 'error' } as const

/**
 * Turns an uploaded file into one that is safe to publish: upright, in sRGB, and without any metadata (phones write down
 * where a photo was taken). It is encoded anew, so nothing hidden in the file survives.
 */
export async function prepareImage(sent: Buffer, most = longestSide): Promise<PreparedImage> {
  const file = withoutTexts(asBuffer(sent))
  try {
    if (hasManyNotes(file)) throw new Problem('image_needs_memory')
    const metadata = await sharp(file, strict).metadata()
    refuseHeavy(metadata)
    // A decoder works by rows: one row of 50 million pixels took 5.8 GB.
    if (Math.max(metadata.width, metadata.height) > longestSide) throw new Problem('image_too_long')
    const { format, isProgressive, orientation = 1 } = metadata
    const source = format === 'jpeg' && isProgressive && orientation > 1 ? await baselineOf(file) : file
    const upright = sharp(source, { ...strict, autoOrient: true }).toColourspace('srgb')
    const side = Math.min(most, longestSideOf(metadata))
    if (Math.max(metadata.width, metadata.height) > side) upright.resize(side, side, { fit: 'inside' })
    const optimiseCoding = metadata.width * metadata.height <= maxOptimisedPixels
    const encoded = metadata.hasAlpha ? await transparent(upright) : upright.jpeg({ quality: 90, optimiseCoding })
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
  const content = 'file' in image ? await readPlace(image) : asBuffer(image)
  try {
    if (!isBare(content)) throw new Problem('not_an_image')
    const metadata = await sharp(content, { limitInputPixels: maxImagePixels }).metadata()
    // A WebP is shrunk while it is decoded.
    if (metadata.format === 'jpeg') refuseHeavy(metadata)
    return await factsOf(content, metadata)
  } catch (error) {
    throw problemOf(error, content)
  }
}

/** The encoder has all of an AVIF in memory, and the widest is twice the next: with half the colours it fits (measured). */
const lighter = { chromaSubsampling: '4:2:0' }

/** A variant of a stored image; of one that is narrower already, in its own width. */
export function makeVariant(original: Buffer, variant: Variant): Promise<Buffer> {
  // Images stored before there was a longest side still get their variants. Those of the page are shown in no such shape.
  const most = isCommon(variant) ? longestSide : closeUp.width
  const fitting = sharp(original).resize(variant.width, most, { fit: 'inside', withoutEnlargement: true })
  return variantEncoders[variant.format](fitting, isCommon(variant) ? undefined : lighter).toBuffer()
}

function refuseHeavy(metadata: Metadata) {
  if (decodedBytes(metadata) > maxDecodedBytes) throw new Problem('image_needs_memory')
}

/** A progressive JPEG and the same turned upright would both be in memory as a whole. */
function baselineOf(file: Buffer) {
  return sharp(file, strict).keepMetadata().jpeg({ quality: 98, optimiseCoding: false }).toBuffer()
}

/** In two steps, so that decoder and encoder are not in memory together. */
async function transparent(upright: Sharp) {
  const { data, info } = await upright.raw().toBuffer({ resolveWithObject: true })
  return sharp(data, { raw: info }).webp({ quality: 90 })
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
  if (heicBrand.test(file.toString('latin1', 4, 12))) return new Problem('heic_not_supported')
  return new Problem('image_broken', { cause: error })
}

/** From another process a Buffer arrives as a plain Uint8Array. */
function asBuffer({ buffer, byteOffset, length }: Uint8Array) {
  return Buffer.from(buffer, byteOffset, length)
}

async function readPlace({ file, start, bytes }: ImagePlace) {
  const handle = await open(file, 'r')
  try {
    return (await handle.read(Buffer.allocUnsafeSlow(bytes), 0, bytes, start)).buffer
  } finally {
    await handle.close()
  }
}

const tasks = { prepareImage, prepareVisitorsImage: prepareImage, judgeImage, makeVariant }
type Tasks = typeof tasks

/** As it travels between processes. */
export type Task = [name: keyof Tasks, ...args: unknown[]]
export type RunTask = <Name extends keyof Tasks>(name: Name, ...args: Parameters<Tasks[Name]>) => ReturnType<Tasks[Name]>

/** In this process: the encoder's own, or a test's. */
export const runTask = ((name, ...args) => (tasks[name] as (...args: unknown[]) => unknown)(...args)) as RunTask
