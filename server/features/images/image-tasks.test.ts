import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { maxImagePixels } from '#contract/images.ts'
import {
  aBlackPng,
  aGrainyPhoto,
  aPhoto,
  aPhotoOfNotes,
  aPhotoWithSecrets,
  aPngBomb,
  aPngHeader,
  aPngOfTexts,
  aPolyglot,
  photoFormats,
} from '#tests/photos.ts'
import { withoutTexts } from './image.rules.ts'
import { judgeImage, prepareImage } from './image-tasks.ts'

const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'

describe('a file is judged by its content', () => {
  test.each(photoFormats)('%s is taken', async (format) => {
    const file = await aPhoto({ format })
    const prepared = await prepareImage(file)
    expect(prepared).toMatchObject({ width: 64, height: 48, placeholder: expect.stringMatching(/^data:image\/webp;base64,/) })
    expect(await sharp(prepared.content).metadata()).toMatchObject({ width: 64, height: 48 })
    expect(prepared.hash).toBe(createHash('sha256').update(prepared.content).digest('hex'))
  })

  test('AVIF is taken whichever of its names comes first', async () => {
    const file = await aPhoto({ format: 'avif' })
    file.write('mif1', 8, 'latin1')
    expect(await prepareImage(file)).toMatchObject({ width: 64, height: 48 })
  })

  test('of a film only the first picture is taken', async () => {
    const frames = await sharp({ create: { width: 20, height: 60, channels: 3, background: '#3f6b62' } })
      .raw()
      .toBuffer()
    const film = await sharp(frames, { raw: { width: 20, height: 60, channels: 3, pageHeight: 20 } })
      .gif({ delay: [100, 100, 100] })
      .toBuffer()
    const { content } = await prepareImage(film)
    expect(await sharp(content).metadata()).toMatchObject({ width: 20, height: 20 })
  })

  test.each([
    ['nothing', ''],
    ['text', 'This is a photo, I promise.'],
    ['a page', '<!doctype html><script>alert(1)</script>'],
    ['a PDF', '%PDF-1.7'],
    ['a TIFF', 'II*\0'],
    ['a bitmap', 'BM\x3a\0\0\0'],
    ['an SVG', svg],
    ['an SVG after a declaration', `<?xml version="1.0"?><!DOCTYPE svg>${svg}`],
    ['an SVG after blanks', `\n\t  ${svg}`],
    ['an SVG after a byte order mark', `\xef\xbb\xbf${svg}`],
    ['an SVG in sixteen bits', [...svg].join('\0')],
    ['a compressed SVG', '\x1f\x8b\x08\0\0\0\0\0'],
  ])('%s is refused', async (_, file) => {
    await expect(prepareImage(Buffer.from(file, 'latin1'))).rejects.toMatchObject({ code: 'not_an_image', status: 415 })
  })

  test.each([
    ['a JPEG', '\xff\xd8\xff'],
    ['a PNG', '\x89PNG\r\n\x1a\n'],
    ['a GIF', 'GIF89a'],
    ['a WebP', 'RIFF\0\0\0\0WEBP'],
    ['an AVIF', '\0\0\0\x10ftypavif\0\0\0\0'],
  ])('an SVG that begins like %s is refused', async (_, beginning) => {
    await expect(prepareImage(Buffer.from(beginning + svg, 'latin1'))).rejects.toMatchObject({ code: 'image_broken' })
  })

  test.each(['heic', 'heix', 'mif1'])('a phone’s %s is refused with what to do instead', async (brand) => {
    const file = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from(`ftyp${brand}`), Buffer.alloc(16)])
    await expect(prepareImage(file)).rejects.toMatchObject({
      code: 'heic_not_supported',
      message: 'This site cannot read HEIC photos. Export the photo as JPEG and choose that file.',
    })
  })

  test.each(photoFormats)('most of a %s is not a photo', async (format) => {
    const file = await aGrainyPhoto({ width: 120, height: 90, format })
    for (const part of [0.1, 0.5, 0.95]) {
      const cut = file.subarray(0, Math.floor(file.length * part))
      await expect(prepareImage(cut)).rejects.toMatchObject({ code: 'image_broken', status: 422 })
    }
  })

  test('a photo of exactly 50 megapixels is taken', async () => {
    const file = aBlackPng({ width: 10_000, height: maxImagePixels / 10_000 })
    expect(await prepareImage(file)).toMatchObject({ width: 10_000, height: 5_000 })
  })

  test('one row more is refused', async () => {
    const file = aBlackPng({ width: 10_000, height: maxImagePixels / 10_000 + 1 })
    await expect(prepareImage(file)).rejects.toMatchObject({ code: 'image_too_many_pixels', status: 413 })
  })

  test.each([
    [16_384, 1],
    [1, 16_384],
    [49_999_999, 1],
    [1, 49_999_999],
  ])('one of %i × %i pixels is refused before it is decoded', async (width, height) => {
    const file = aPngHeader({ width, height, bits: 16, interlaced: false })
    await expect(prepareImage(file)).rejects.toMatchObject({ code: 'image_too_long', status: 413 })
  })

  test('one that is mostly notes of a camera is refused before it is decoded', async () => {
    await expect(prepareImage(await aPhotoOfNotes(1_001))).rejects.toMatchObject({ code: 'image_needs_memory' })
    expect(await prepareImage(await aPhotoOfNotes(999))).toMatchObject({ width: 64, height: 48 })
  })

  test('the notes between two scans count too', async () => {
    const file = await sharp(await aPhoto())
      .jpeg({ progressive: true })
      .toBuffer()
    const scan = file.lastIndexOf('ffda', undefined, 'hex')
    const notes = Buffer.from('ffe10002'.repeat(1_001), 'hex')
    const hidden = Buffer.concat([file.subarray(0, scan), notes, file.subarray(scan)])
    await expect(prepareImage(hidden)).rejects.toMatchObject({ code: 'image_needs_memory' })
  })

  test('the texts of a PNG are not unpacked', async () => {
    const file = aPngOfTexts(1)
    expect((await sharp(file).metadata()).comments).toHaveLength(1)
    expect((await sharp(withoutTexts(file)).metadata()).comments).toBeUndefined()
    expect(await prepareImage(file)).toMatchObject({ width: 64, height: 48 })
  })

  test('a PNG keeps its colours and its orientation without its texts', async () => {
    const file = await sharp(await aPhoto({ width: 64, height: 48 }))
      .withMetadata({ orientation: 6, icc: 'p3' })
      .png()
      .toBuffer()
    expect(await sharp(withoutTexts(file)).metadata()).toMatchObject({ orientation: 6, icc: expect.any(Buffer) })
    expect(await prepareImage(file)).toMatchObject({ width: 48, height: 64 })
  })

  test('one that is just not too long keeps its size', async () => {
    const file = await aPhoto({ width: 10, height: 16_383, format: 'png', alpha: true })
    expect(await prepareImage(file)).toMatchObject({ width: 10, height: 16_383 })
  })

  test('one that needs too much memory is refused before it is decoded', async () => {
    const file = aPngHeader({ width: 10_000, height: maxImagePixels / 10_000, bits: 16, interlaced: true })
    await expect(prepareImage(file)).rejects.toMatchObject({ code: 'image_needs_memory', status: 413 })
  })

  test('a transparent one of more than 6 megapixels is made smaller', async () => {
    const file = await aPhoto({ width: 4_000, height: 2_000, format: 'png', alpha: true })
    expect(await prepareImage(file)).toMatchObject({ width: 3_464, height: 1_732, contentType: 'image/webp' })
  })

  test('a small file that would unfold to hundreds of megapixels is refused', async () => {
    const file = aPngBomb()
    expect(await sharp(file, { limitInputPixels: false }).metadata()).toMatchObject({ width: 16_000, height: 16_000 })
    expect(file.length).toBeLessThan(200_000)
    await expect(prepareImage(file)).rejects.toMatchObject({ code: 'image_too_many_pixels' })
  })
})

test('a stored photo that needs too much memory is refused before it is decoded', async () => {
  const file = await sharp(await aPhoto())
    .jpeg({ progressive: true, chromaSubsampling: '4:4:4' })
    .toBuffer()
  const size = file.indexOf('ffc2', 'hex') + 5
  file.writeUInt16BE(5_000, size)
  file.writeUInt16BE(10_000, size + 2)
  await expect(judgeImage(file)).rejects.toMatchObject({ code: 'image_needs_memory' })
})

describe('a photo of an archive', () => {
  const progressive = async () =>
    sharp(await aPhoto())
      .jpeg({ progressive: true })
      .toBuffer()
  const asWebp = async () => (await prepareImage(await aPhoto({ format: 'png', alpha: true }))).content
  const note = Buffer.concat([Buffer.from('ffe1000a', 'hex'), Buffer.from('secretly')])

  test.each(photoFormats)('that was a %s when it was uploaded is taken', async (format) => {
    for (const alpha of [false, true]) {
      const { content, hash } = await prepareImage(await aPhoto({ format, alpha, width: 65, height: 49 }))
      expect(await judgeImage(content)).toMatchObject({ hash, width: 65, height: 49 })
    }
    const { content, hash } = await prepareImage(await aGrainyPhoto({ format, width: 67, height: 51 }))
    expect(await judgeImage(content)).toMatchObject({ hash })
  })

  test.each<[string, () => Promise<Buffer>]>([
    ['bytes behind the end of a JPEG', async () => Buffer.concat([await aPhoto(), Buffer.from('secret')])],
    ['a second photo behind its end', async () => Buffer.concat([await aPhoto(), await aPhoto()])],
    ['a comment', aPolyglot],
    ['what a phone has written', () => aPhotoWithSecrets()],
    [
      'a note between two scans',
      async () => {
        const file = await progressive()
        const scan = file.lastIndexOf('ffda', undefined, 'hex')
        return Buffer.concat([file.subarray(0, scan), note, file.subarray(scan)])
      },
    ],
    [
      'a note before its end',
      async () => {
        const file = await aPhoto()
        return Buffer.concat([file.subarray(0, -2), note, file.subarray(-2)])
      },
    ],
    ['bytes behind the end of a WebP', async () => Buffer.concat([await asWebp(), Buffer.from('secret')])],
    [
      'a chunk of its own in a WebP',
      async () => {
        const file = Buffer.concat([await asWebp(), Buffer.from('note\x06\0\0\0secret')])
        file.writeUInt32LE(file.length - 8, 4)
        return file
      },
    ],
    ['what a phone has written into a WebP', () => aPhotoWithSecrets('webp')],
  ])('that has %s is refused', async (_, make) => {
    await expect(judgeImage(await make())).rejects.toMatchObject({ code: 'not_an_image' })
  })

  test('that is progressive is taken', async () => {
    expect(await judgeImage(await progressive())).toMatchObject({ width: 64, height: 48 })
  })
})

describe('a photo that is kept', () => {
  test.each(['jpeg', 'png', 'webp', 'avif'] as const)(
    'has lost what the phone wrote into its %s, the place above all',
    async (format) => {
      const file = await aPhotoWithSecrets(format)
      const before = await sharp(file).metadata()
      expect([before.exif, before.xmp]).toEqual([expect.any(Buffer), expect.any(Buffer)])
      const { content } = await prepareImage(file)
      const { exif, xmp, iptc, icc } = await sharp(content).metadata()
      expect({ exif, xmp, iptc, icc }).toEqual({})
      expect(content.includes('A phone')).toBe(false)
    },
  )

  test('has nothing hidden in it any more', async () => {
    const file = await aPolyglot()
    expect(file.includes('<script>')).toBe(true)
    const { content } = await prepareImage(file)
    expect(content.includes('<script>')).toBe(false)
    expect(await sharp(content).metadata()).toMatchObject({ format: 'jpeg', width: 64, height: 48 })
  })

  test('made for print is shown as on a screen', async () => {
    const file = await sharp(await aPhoto())
      .toColourspace('cmyk')
      .jpeg()
      .toBuffer()
    expect((await sharp(file).metadata()).space).toBe('cmyk')
    const { content } = await prepareImage(file)
    expect(await sharp(content).metadata()).toMatchObject({ space: 'srgb', channels: 3 })
  })

  test('of a screen with more colours keeps its look in sRGB', async () => {
    const plain = await aPhoto({ colour: '#b04020' })
    const wide = await sharp(plain).withIccProfile('p3').jpeg({ quality: 100 }).toBuffer()
    expect((await sharp(wide).metadata()).icc).toBeDefined()
    const { content } = await prepareImage(wide)
    const [shown, meant] = await Promise.all(
      [content, plain].map(async (each) => (await sharp(each).stats()).channels.map(({ mean }) => mean)),
    )
    for (const [channel, mean] of (shown ?? []).entries()) expect(Math.abs(mean - (meant?.[channel] ?? 0))).toBeLessThan(6)
  })

  test.each([false, true])('stands upright, whichever way the phone was held (progressive: %s)', async (progressive) => {
    const file = await sharp(await aPhoto({ width: 64, height: 48 }))
      .withMetadata({ orientation: 6 })
      .jpeg({ progressive })
      .toBuffer()
    const { content, ...facts } = await prepareImage(file)
    expect(facts).toMatchObject({ width: 48, height: 64 })
    const { exif, icc, isProgressive } = await sharp(content).metadata()
    expect({ exif, icc, isProgressive }).toEqual({ isProgressive: false })
  })

  test('keeps what is transparent as WebP; all else is JPEG', async () => {
    const transparent = await prepareImage(await aPhoto({ format: 'png', alpha: true }))
    expect(transparent.contentType).toBe('image/webp')
    expect(await sharp(transparent.content).metadata()).toMatchObject({ format: 'webp', hasAlpha: true })
    expect((await prepareImage(await aPhoto({ format: 'png' }))).contentType).toBe('image/jpeg')
  })

  test('is named by its content: the same photo has the same name, another one another', async () => {
    const [first, again, other] = await Promise.all(
      ['#b8893b', '#b8893b', '#3f6b62'].map(async (colour) => prepareImage(await aPhoto({ colour }))),
    )
    expect(again?.hash).toBe(first?.hash)
    expect(other?.hash).not.toBe(first?.hash)
  })

  test('has a placeholder of a few hundred bytes at most', async () => {
    const { placeholder } = await prepareImage(await aPhoto({ width: 2_000, height: 1_500 }))
    const tiny = Buffer.from(placeholder.split(',')[1] ?? '', 'base64')
    expect(tiny.length).toBeLessThan(600)
    expect(await sharp(tiny).metadata()).toMatchObject({ format: 'webp', width: 20, height: 15 })
  })
})
