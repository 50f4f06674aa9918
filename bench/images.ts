import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import sharp from 'sharp'
import { demoProjects } from '#demo/projects.ts'
import { projectRoot } from '#server/own-program.ts'
import { signInAt } from '#tests/calls.ts'
import { peakMegabytes } from '#tests/peak-memory.ts'
import { heavyPhotos } from '#tests/photos.ts'
import { uploadPhoto } from '#tests/upload-photo.ts'
import { phone, withBrowser } from './browser.ts'
import { account, allVariantsMade, childrenOf, owner, residentMegabytes, rounded, watchMemory, withSite } from './site.ts'

const photosInARow = 10

export async function benchImages() {
  const peaks: Record<string, number> = {}
  for (const [name, make] of Object.entries(heavyPhotos)) peaks[name] = await peakFor(await make())
  return { finalizing: await benchFinalizing(), peakMegabytes: peaks, phoneGallery: await benchPhoneGallery() }
}

/** What the site and its encoder hold, each at its worst moment, for one photo. */
function peakFor(photo: Buffer) {
  return withOwner(async (url, pid, cookie) => {
    await uploadPhoto(url, cookie, photo)
    return Math.round(peakMegabytes(pid))
  })
}

function withOwner<T>(work: (url: string, pid: number, cookie: string) => Promise<T>) {
  return withSite(async ({ url, pid }) => work(url, pid, await signInAt(url, account)), { settings: owner })
}

/** What the site and its encoder hold together while photos of 12 megapixels are finalized in a row, and afterwards. */
function benchFinalizing() {
  return withOwner(async (url, pid, cookie) => {
    const idle = residentMegabytes(pid)
    const { peak, stop } = watchMemory(pid, 20)
    for (let index = 0; index < photosInARow; index += 1) await uploadPhoto(url, cookie, await largePhoto(index))
    const finalizing = peak.family
    while (childrenOf(pid).length > 0) await pause(500)
    stop()
    return {
      idleMegabytes: Math.round(idle),
      peakMegabytes: Math.round(finalizing),
      peakWithAllVariantsMegabytes: Math.round(peak.family),
      idleAfterwardsMegabytes: Math.round(residentMegabytes(pid)),
    }
  })
}

/** As a phone takes it: 4000 by 3000, held upright, and another one each time. */
async function largePhoto(index: number) {
  return sharp(await readFile(demoPhoto(demoProjects[index % demoProjects.length]?.photo)))
    .resize(4000, 3000, { fit: 'cover' })
    .modulate({ hue: index * 7 })
    .withMetadata({ orientation: 6 })
    .jpeg({ quality: 92 })
    .toBuffer()
}

function demoPhoto(name = '') {
  return path.join(projectRoot, 'demo/photos', name)
}

/** The photos a phone shows when a visitor arrives at the gallery, beside the files the maker uploaded. */
function benchPhoneGallery() {
  return withSite(async ({ url }) => {
    const projects = await allVariantsMade(url)
    return withBrowser(async (browser) => {
      const page = await browser.newPage(phone)
      await page.goto(url)
      await page.locator('#gallery').evaluate((gallery) => gallery.scrollIntoView({ behavior: 'instant' }))
      const cards = page.locator('#gallery article img')
      await cards.first().evaluate((image: HTMLImageElement) => image.decode())
      const all = await cards.evaluateAll((images: HTMLImageElement[]) =>
        images.map((image) => (image.getBoundingClientRect().top < innerHeight ? image.currentSrc : '')),
      )
      const shown = all.filter(Boolean)
      let [bytes, originalBytes] = [0, 0]
      for (const src of shown) {
        bytes += Number((await fetch(src, { method: 'HEAD' })).headers.get('content-length'))
        const project = projects.find(({ imageUrl }) => new URL(src).pathname === imageUrl)
        const original = demoProjects.find(({ title }) => title === project?.title)?.photo
        originalBytes += (await stat(demoPhoto(original))).size
      }
      return { photos: shown.length, bytes, originalBytes, part: rounded(bytes / originalBytes) }
    })
  })
}
