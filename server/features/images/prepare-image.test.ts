import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { maxImagePixels } from '#contract/images.ts'
import { aPhoto } from '#tests/photos.ts'
import { kindOf } from './image.rules.ts'
import { prepareImage } from './prepare-image.ts'

describe('a file is judged by its content', () => {
  test.each(['jpeg', 'png', 'webp', 'avif', 'gif'] as const)('%s is taken', async (format) => {
    const file = await aPhoto({ format })
    expect(kindOf(file)).toBe(format)
    const prepared = await prepareImage(file)
    expect(prepared).toMatchObject({ width: 64, height: 48, placeholder: expect.stringMatching(/^data:image\/webp;base64,/) })
    expect(await sharp(prepared.content).metadata()).toMatchObject({ width: 64, height: 48 })
    expect(prepared.hash).toBe(createHash('sha256').update(prepared.content).digest('hex'))
  })

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('This is a photo, I promise.')],
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['a PDF', Buffer.from('%PDF-1.7')],
    ['a TIFF', Buffer.from('II*\0', 'latin1')],
  ])('%s is refused', async (_, file) => {
    await expect(prepareImage(file)).rejects.toMatchObject({ code: 'not_an_image', status: 415 })
  })

  test.each(['heic', 'heix', 'mif1'])('a phone’s %s is refused with what to do instead', async (brand) => {
    const file = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from(`ftyp${brand}`), Buffer.alloc(16)])
    await expect(prepareImage(file)).rejects.toMatchObject({
      code: 'heic_not_supported',
      message: 'HEIC photos cannot be read here. Export the photo as JPEG and choose that file.',
    })
  })

  test('half a photo is refused', async () => {
    const file = await aPhoto({ width: 600, height: 400, format: 'png' })
    await expect(prepareImage(file.subarray(0, file.length / 2))).rejects.toMatchObject({ code: 'image_broken', status: 422 })
  })

  test('something that only begins like a photo is refused', async () => {
    const file = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.from('<script>alert(1)</script>')])
    await expect(prepareImage(file)).rejects.toMatchObject({ code: 'image_broken' })
  })

  test('a photo with more than 50 megapixels is refused', async () => {
    const width = 10_000
    const file = await aPhoto({ width, height: maxImagePixels / width + 1, format: 'png' })
    await expect(prepareImage(file)).rejects.toMatchObject({ code: 'image_too_many_pixels', status: 413 })
  })
})

describe('a photo that is kept', () => {
  test('has lost what the phone wrote into it, the place above all', async () => {
    const file = await sharp(await aPhoto())
      .withExif({ IFD0: { Make: 'A phone' }, IFD3: { GPSLatitude: '20/1 35/1 0/1', GPSLatitudeRef: 'N' } })
      .toBuffer()
    expect((await sharp(file).metadata()).exif).toBeDefined()
    const { content } = await prepareImage(file)
    const { exif, xmp, iptc } = await sharp(content).metadata()
    expect({ exif, xmp, iptc }).toEqual({})
    expect(content.includes('A phone')).toBe(false)
  })

  test('stands upright, whichever way the phone was held', async () => {
    const file = await sharp(await aPhoto({ width: 64, height: 48 }))
      .withMetadata({ orientation: 6 })
      .toBuffer()
    expect(await prepareImage(file)).toMatchObject({ width: 48, height: 64 })
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
