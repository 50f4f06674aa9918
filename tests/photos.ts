import { randomBytes } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'

export const photoFormats = ['jpeg', 'png', 'webp', 'avif', 'gif'] as const
type Format = (typeof photoFormats)[number]
type Details = { width?: number; height?: number; format?: Format; colour?: string; alpha?: boolean }

/** A small photo of one colour; another colour is another photo. */
export function aPhoto({ width = 64, height = 48, format = 'jpeg', colour = '#b8893b', alpha = false }: Details = {}) {
  const background = alpha ? { r: 184, g: 137, b: 59, alpha: 0.5 } : colour
  return sharp({ create: { width, height, channels: alpha ? 4 : 3, background } })
    .toFormat(format)
    .toBuffer()
}

/** A photo in which no pixel follows from the others, so that it has many bytes, and is another photo each time. */
export function aGrainyPhoto({ width = 64, height = 48, format = 'jpeg' }: Pick<Details, 'width' | 'height' | 'format'> = {}) {
  return sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
    .toFormat(format)
    .toBuffer()
}

/** A photo of exactly so many bytes; what follows a photo in a file does not disturb it. */
export async function aPhotoOfBytes(bytes: number) {
  const photo = await aPhoto()
  return Buffer.concat([photo, Buffer.alloc(bytes - photo.length)])
}

/** As a phone writes it: who made it and where. */
export async function aPhotoWithSecrets(format: Format = 'jpeg') {
  return sharp(await aPhoto())
    .withExif({
      IFD0: { Make: 'A phone' },
      IFD3: { GPSLatitude: '20/1 35/1 0/1', GPSLatitudeRef: 'N', GPSLongitude: '100/1 23/1 0/1', GPSLongitudeRef: 'W' },
    })
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><dc:creator>A phone</dc:creator></x:xmpmeta>')
    .toFormat(format)
    .toBuffer()
}

/** A page for browsers that insist on reading it, in the coat of a photo. */
export async function aPolyglot() {
  const photo = await aPhoto()
  const script = Buffer.from('<html><script>alert(1)</script></html>')
  const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, script.length + 2]), script])
  return Buffer.concat([photo.subarray(0, 2), comment, photo.subarray(2), script])
}

/** Black, of one bit for each pixel: some kilobytes unfold to hundreds of megapixels. */
export function aBlackPng({ width, height }: { width: number; height: number }) {
  return aPng({ width, height, bits: 1, colours: 0 }, deflateSync(Buffer.alloc((1 + Math.ceil(width / 8)) * height)))
}

/** 256 megapixels. */
export const aPngBomb = () => aBlackPng({ width: 16_000, height: 16_000 })

/** A photo in which so many notes of a camera stand before the scan: the decoder keeps each of them. */
export async function aPhotoOfNotes(count: number) {
  const photo = await aPhoto()
  return Buffer.concat([photo.subarray(0, 2), Buffer.from('ffe10002'.repeat(count), 'hex'), photo.subarray(2)])
}

/** A small PNG with so many texts of eight million letters, 8 kB each in the file. */
export function aPngOfTexts(count: number) {
  const text = aPngChunk('zTXt', Buffer.concat([Buffer.from('a\0\0'), deflateSync(Buffer.alloc(7_900_000))]))
  const size = { width: 64, height: 48, bits: 8, colours: 0 }
  return aPng(size, deflateSync(Buffer.alloc((1 + 64) * 48)), Buffer.concat(Array.from({ length: count }, () => text)))
}

/** Black, in 16 bits and four channels: one row of fifty million pixels is 389 kB. */
export function aLongPng(size: { width: number; height: number }) {
  return aPng({ ...size, bits: 16, colours: 6 }, deflateSync(Buffer.alloc((1 + 8 * size.width) * size.height), { level: 1 }))
}

/** A PNG of so many pixels in four channels, and none of the pixels. */
export function aPngHeader(details: { width: number; height: number; bits: number; interlaced: boolean }) {
  return aPng({ ...details, colours: 6 }, Buffer.alloc(0))
}

type PngHeader = { width: number; height: number; bits: number; colours: number; interlaced?: boolean }

function aPngChunk(type: string, data: Buffer) {
  const content = Buffer.concat([Buffer.from(type), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(content), 4)
  return Buffer.concat([frame.subarray(0, 4), content, frame.subarray(4)])
}

function aPng({ width, height, bits, colours, interlaced = false }: PngHeader, rows: Buffer, texts = Buffer.alloc(0)) {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([bits, colours, 0, 0, Number(interlaced)], 8)
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  const [begin, pixels, end] = [aPngChunk('IHDR', header), aPngChunk('IDAT', rows), aPngChunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([signature, begin, texts, pixels, end])
}

/** Photos of which a decoder or an encoder has much in memory at once, each as large as it is accepted. */
export const heavyPhotos = {
  'a JPEG of 50 megapixels, progressive and on its side': () =>
    large(10_000, 5_000).withMetadata({ orientation: 6 }).jpeg({ progressive: true }).toBuffer(),
  'a PNG of 50 megapixels, with 16 bits and transparent': () =>
    large(10_000, 5_000, true).toColourspace('rgb16').png({ compressionLevel: 1 }).toBuffer(),
  'a JPEG of 41 megapixels, progressive and with all its colours': () =>
    large(8_200, 5_000).jpeg({ progressive: true, chromaSubsampling: '4:4:4' }).toBuffer(),
  'a PNG of 24 megapixels, interlaced, with 16 bits and transparent': () =>
    large(4_800, 5_000, true).toColourspace('rgb16').png({ compressionLevel: 1, progressive: true }).toBuffer(),
  'a WebP of 31 megapixels, transparent': () => large(6_200, 5_000, true).webp({ effort: 0 }).toBuffer(),
  'an AVIF of 13 megapixels, transparent': () => large(4_600, 3_000, true).avif({ effort: 0 }).toBuffer(),
  'a GIF of 41 megapixels': () => large(8_200, 5_000, true).gif({ effort: 1 }).toBuffer(),
}

function large(width: number, height: number, alpha = false) {
  const background = { r: 184, g: 137, b: 59, alpha: 0.5 }
  return sharp({ create: { width, height, channels: alpha ? 4 : 3, background } })
}
