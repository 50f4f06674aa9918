import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import sharp from 'sharp'
import { maxImageBytes } from '#contract/contact-fields.ts'
import type { Project } from '#contract/projects.ts'
import { demoProjects } from '#demo/projects.ts'
import { projectRoot } from '#server/project-root.ts'
import { signInAt } from '#tests/calls.ts'
import { peakMegabytes } from '#tests/peak-memory.ts'
import { heavyPhotos } from '#tests/photos.ts'
import { uploadPhoto } from '#tests/upload-photo.ts'
import { phone, withBrowser } from './browser.ts'
import { allCopiesMade, childrenOf, familyMegabytes, residentMegabytes, withSite } from './site.ts'

const account = { username: 'maker', password: 'a long password' }
const photosAtOnce = 10

export async function benchImages() {
  return {
    finalizing: await benchFinalizing(),
    peakMegabytes: await benchHeavyPhotos(),
    ...(await withSite(async (site) => {
      const projects = await allCopiesMade(site.url)
      return { phoneGallery: await benchPhoneGallery(site.url, projects) }
    })),
  }
}

const settings = { ADMIN_USERNAME: account.username, ADMIN_PASSWORD: account.password }

/** What the site and its encoder hold, each at its worst moment, for photos that need much memory. */
async function benchHeavyPhotos() {
  const peaks: Record<string, number> = {}
  for (const [name, make] of Object.entries(heavyPhotos)) {
    const photo = await make()
    peaks[name] = await withSite(async (site) => {
      await uploadPhoto(site.url, await signInAt(site.url, account), photo)
      return Math.round(peakMegabytes(site.pid))
    }, settings)
  }
  return peaks
}

/** What the site and its encoder hold together while ten photos of 12 megapixels are finalized in a row, and afterwards. */
function benchFinalizing() {
  return withSite(async (site) => {
    const before = residentMegabytes(site.pid)
    const memory = watchMemory(site.pid)
    const cookie = await signInAt(site.url, account)
    const began = performance.now()
    for (let index = 0; index < photosAtOnce; index += 1) await uploadPhoto(site.url, cookie, await largePhoto(index))
    const seconds = (performance.now() - began) / 1000
    const finalizing = memory.peak()
    while (childrenOf(site.pid).length > 0) await pause(500)
    await memory.stop()
    return {
      idleMegabytes: Math.round(before),
      peakMegabytes: Math.round(finalizing),
      peakWithAllCopiesMegabytes: Math.round(memory.peak()),
      idleAfterwardsMegabytes: Math.round(residentMegabytes(site.pid)),
      secondsAPhoto: Math.round((seconds / photosAtOnce) * 10) / 10,
    }
  }, settings)
}

/** As a phone takes it: 4000 by 3000, held upright, and another one each time. */
async function largePhoto(index: number) {
  const file = demoProjects[index % demoProjects.length]?.photo ?? ''
  const photo = await sharp(await readFile(path.join(projectRoot, 'demo/photos', file)))
    .resize(4000, 3000, { fit: 'cover' })
    .modulate({ hue: index * 7 })
    .withMetadata({ orientation: 6 })
    .jpeg({ quality: 92 })
    .toBuffer()
  if (photo.length > maxImageBytes) throw new Error(`${file} became too large to upload.`)
  return photo
}

function watchMemory(pid: number) {
  let peak = 0
  let watching = true
  const watched = (async () => {
    while (watching) {
      peak = Math.max(peak, familyMegabytes(pid))
      await pause(20)
    }
  })()
  return {
    peak: () => peak,
    stop() {
      watching = false
      return watched
    },
  }
}

/** The photos a phone shows when a visitor arrives at the gallery, beside the files the maker uploaded. */
function benchPhoneGallery(url: string, projects: Project[]) {
  return withBrowser(async (browser) => {
    const page = await browser.newPage(phone)
    await page.goto(url)
    await page.locator('#gallery').evaluate((gallery) => gallery.scrollIntoView({ behavior: 'instant' }))
    const cards = page.locator('#gallery article img')
    await cards.first().evaluate((image: HTMLImageElement) => image.decode())
    const shown = await cards.evaluateAll((images) =>
      images
        .filter((image) => image.getBoundingClientRect().top < innerHeight)
        .map((image) => (image as HTMLImageElement).currentSrc)
        .filter(Boolean),
    )
    const sent = await sum(shown, async (src) => Number((await fetch(src, { method: 'HEAD' })).headers.get('content-length')))
    const originals = await sum(shown, async (src) => {
      const project = projects.find(({ imageUrl }) => new URL(src).pathname === imageUrl)
      const photo = demoProjects.find(({ title }) => title === project?.title)?.photo ?? ''
      return (await stat(path.join(projectRoot, 'demo/photos', photo))).size
    })
    return { photos: shown.length, bytes: sent, originalBytes: originals, part: Math.round((sent / originals) * 100) / 100 }
  })
}

async function sum<T>(items: readonly T[], sizeOf: (item: T) => Promise<number>) {
  let total = 0
  for (const item of items) total += await sizeOf(item)
  return total
}
