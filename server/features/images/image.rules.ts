import type { Metadata, Sharp } from 'sharp'
import { closeUp, heroWidths, shownWidths, variantFormats } from '#contract/first-visit.ts'
import { parseUrl } from '#contract/web-address.ts'

export type VariantFormat = (typeof variantFormats)[number]
export type Variant = { width: number; format: VariantFormat }

/** Made of every image; the narrow ones first, because phones request them first. */
export const allVariants: readonly Variant[] = [
  ...shownWidths.flatMap((width) => variantFormats.map((format) => ({ width, format }))),
  closeUp,
]

const named = ({ width, format }: Variant) => `${width}.${format}`
const common = new Set(allVariants.map(named))
export const isCommon = (variant: Variant) => common.has(named(variant))

/** Made besides of the photos of the page itself; no other photo is shown in these. */
export const siteVariants: readonly Variant[] = [...heroWidths.tall, ...heroWidths.wide]
  .flatMap((width) => variantFormats.map((format) => ({ width, format })))
  .filter((variant) => !isCommon(variant))

/** The variant that a request names. */
export function requestedVariant(width = '1600', format?: VariantFormat): Variant {
  return width === String(closeUp.width) && !format ? closeUp : { width: Number(width), format: format ?? 'jpeg' }
}

/** The longest side of a WebP. */
export const longestSide = 16_383

/** Optimised codes make a JPEG a fifth smaller, and need six bytes a pixel in memory. */
export const maxOptimisedPixels = 12_500_000

/** WebP encodes a transparent image as a whole, in up to forty bytes a pixel: a larger one is made smaller. */
const maxTransparentPixels = 6_000_000

export function longestSideOf({ width, height, hasAlpha }: Pick<Metadata, 'width' | 'height' | 'hasAlpha'>) {
  const pixels = width * height
  if (!hasAlpha || pixels <= maxTransparentPixels) return longestSide
  return Math.min(longestSide, Math.floor(Math.max(width, height) * Math.sqrt(maxTransparentPixels / pixels)))
}

/** What fits beside the site on a machine of 512 MB. */
export const maxDecodedBytes = 250_000_000

type Decoded = Pick<
  Metadata,
  'format' | 'width' | 'height' | 'channels' | 'depth' | 'isProgressive' | 'chromaSubsampling' | 'orientation'
>

/** What a decoder has in memory of an image at once, by measurement. */
export function decodedBytes({ format, width, height, channels, orientation = 1, ...image }: Decoded) {
  const bytesEach = image.depth === 'uchar' ? 1 : 2
  const pixelBytes = channels * bytesEach
  const turning = orientation > 1 ? pixelBytes : 0
  const coefficients = image.isProgressive ? 2 * (image.chromaSubsampling === '4:2:0' ? 1.5 : channels) : 0
  const perPixel: Partial<Record<string, number>> = {
    jpeg: Math.max(coefficients, turning),
    png: turning + (image.isProgressive ? 1.3 * pixelBytes : 0),
    gif: 6,
    webp: 8 + turning,
    heif: 12 + 6 * bytesEach + turning,
  }
  return width * height * (perPixel[format] ?? 0)
}

export function imageName(hash: string) {
  return `objects/${hash}`
}

export function variantName(hash: string, variant: Variant) {
  return `variants/${hash}-${named(variant)}`
}

/** The image that a file of the two folders above belongs to. */
export function hashIn(name: string) {
  return /[0-9a-f]{64}/.exec(name)?.[0] ?? ''
}

/** The type of a file of these folders, by the types of the originals; undefined for files of other folders. */
export function contentTypeOf(name: string, originals: ReadonlyMap<string, string>) {
  const format = /^variants\/.+\.(\w+)$/.exec(name)?.[1]
  return format ? `image/${format}` : name.startsWith('objects/') ? originals.get(hashIn(name)) : undefined
}

/** What to send until a variant is ready, the best first: rather a wider one than a narrower one, rather the same format. */
export function standIns(requested: Variant): Variant[] {
  const distance = (variant: Variant) =>
    Math.abs(variant.width - requested.width) +
    (variant.width < requested.width ? 10_000 : 0) +
    (variant.format === requested.format ? 0 : 1)
  return allVariants
    .filter((variant) => variant.format !== 'avif' || requested.format === 'avif')
    .toSorted((a, b) => distance(a) - distance(b))
}

/** Where an upload is kept until it is finalized. */
export function uploadName(id: string) {
  return `uploads/${id}`
}

/** The upload in an address of the storage itself. */
export function uploadIn(address: string) {
  return /\/uploads\/([0-9a-f]{64})$/.exec(parseUrl(address)?.pathname ?? '')?.[1]
}

const pngSignature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

/** The chunks a picture is made of, and what its colours and its orientation depend on. */
const pictureChunks = new Set(
  ['IHDR', 'PLTE', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'iCCP', 'cICP', 'eXIf', 'IDAT', 'IEND'].map((type) =>
    Buffer.from(type).readUInt32BE(),
  ),
)

/** A PNG without its texts: 10 MB of them take the decoder half a minute to unpack. Other files are answered as they are. */
export function withoutTexts(file: Buffer) {
  if (!file.subarray(0, 8).equals(pngSignature)) return file
  const kept = Buffer.alloc(file.length)
  let length = file.copy(kept, 0, 0, 8)
  for (let at = 8, end = 0; at + 8 <= file.length; at = end) {
    end = at + 12 + file.readUInt32BE(at)
    if (pictureChunks.has(file.readUInt32BE(at + 4))) length += file.copy(kept, length, at, end)
  }
  return kept.subarray(0, length)
}

const isJpeg = (file: Buffer) => file[0] === 0xff && file[1] === 0xd8
const isWebp = (file: Buffer) => file.toString('latin1', 0, 4) === 'RIFF' && file.toString('latin1', 8, 12) === 'WEBP'

const endOfImage = 0xd9

/** As a decoder reads them: all of a JPEG to its end, those between two scans too. Pixels are passed over. */
function* segmentsOf(jpeg: Buffer) {
  let at = jpeg.indexOf(0xff, 2)
  while (at !== -1 && at + 1 < jpeg.length) {
    const marker = jpeg[at + 1] ?? 0
    // A byte of the pixels, a restart, or padding.
    const isSegment = marker >= 0x02 && (marker < 0xd0 || marker > 0xd8) && marker !== 0xff
    const hasLength = isSegment && marker !== endOfImage && at + 4 <= jpeg.length
    const end = at + 2 + (hasLength ? jpeg.readUInt16BE(at + 2) : 0)
    if (isSegment) yield { marker, bytes: end - at, end }
    if (marker === endOfImage) return
    at = jpeg.indexOf(0xff, marker === 0xff ? at + 1 : end)
  }
}

/** More than a camera writes: the decoder keeps each of them, 800 MB of memory for a file of 10 MB. */
const maxNotes = 1_000

/** Whether a JPEG consists of what surrounds pixels, and hardly of pixels. */
export function hasManyNotes(file: Buffer) {
  let notes = 0
  if (isJpeg(file)) for (const { marker } of segmentsOf(file)) if (marker >= 0xe0 && ++notes > maxNotes) return true
  return false
}

/** What our encoder writes: the size in dots, tables, frames, scans, the end. */
const jfif = { marker: 0xe0, bytes: 18 }
const ownMarkers = new Set([0xc0, 0xc1, 0xc2, 0xc4, 0xda, 0xdb, 0xdd, endOfImage])
const ownChunks = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH'])

/** Whether a file is a JPEG or a WebP as the site stores them, with nothing in or behind it but the picture. */
export function isBare(file: Buffer) {
  if (isJpeg(file)) {
    for (const { marker, bytes, end } of segmentsOf(file)) {
      if (!ownMarkers.has(marker) && !(marker === jfif.marker && bytes === jfif.bytes)) return false
      if (marker === endOfImage && end !== file.length) return false
    }
    return true
  }
  if (!isWebp(file) || file.readUInt32LE(4) + 8 < file.length) return false
  const seen = new Set<string>()
  for (let at = 12; at + 8 <= file.length; ) {
    const chunk = file.toString('latin1', at, at + 4)
    if (!ownChunks.has(chunk) || seen.has(chunk)) return false
    seen.add(chunk)
    const bytes = file.readUInt32LE(at + 4)
    at += 8 + bytes + (bytes % 2)
  }
  return true
}

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
