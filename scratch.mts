import { chromium } from '@playwright/test'
import { findChromium } from './scripts/test-tools.ts'
import { aPhoto, aGrainyPhoto } from './tests/photos.ts'
const base = 'http://127.0.0.1:4311'
const out = '/tmp/visitor-shots'
const sizes = { 390: 844, 768: 1024, 1440: 900 }
const [which = '1440', lang = 'en'] = process.argv.slice(2)
const browser = await chromium.launch({ executablePath: findChromium() })
const width = Number(which)
const context = await browser.newContext({ viewport: { width, height: sizes[which] }, ...(width === 390 && { isMobile: true, hasTouch: true, deviceScaleFactor: 1 }), reducedMotion: 'reduce' })
const page = await context.newPage()
page.on('console', (m) => console.log('console', m.type(), m.text()))
page.on('pageerror', (e) => console.log('ERROR', e.stack))
page.on('request', (r) => /contact/.test(r.url()) && console.log('->', r.method(), r.url().slice(0, 120)))
await page.goto(`${base}/?lang=${lang}`)
await page.waitForFunction(() => true)
const quote = page.locator('section.on-ink button').filter({ hasText: lang === 'en' ? 'Request a quote' : 'cotización' }).first()
await quote.click()
await page.waitForTimeout(1200)
const box = await page.locator('#contact [name=name]').boundingBox()
console.log('first field after quote', width, box)
await page.screenshot({ path: `${out}/${width}-${lang}-1-landed.png` })
const section = page.locator('#contact')
const shot = (name) => section.screenshot({ path: `${out}/${width}-${lang}-${name}.png` })
await shot('2-empty')
console.log('section height', (await section.boundingBox())?.height)
await page.locator('#contact button[type=submit]').click()
await page.waitForTimeout(800)
await shot('3-faults')
// about
await page.goto(`${base}/?lang=${lang}&project=frigate-aurora`)
await page.waitForTimeout(1500)
await page.getByRole('link', { name: lang === 'en' ? 'Ask for one like it' : /como este|similar|parecido/i }).click()
await page.waitForTimeout(1500)
console.log('url', page.url(), 'focused', await page.evaluate(() => (document.activeElement as HTMLInputElement)?.name), await page.locator('#contact [name=name]').boundingBox(), await page.locator('#contact [name=projectType]').inputValue())
await page.screenshot({ path: `${out}/${width}-${lang}-4-asked.png` })
await page.locator('#contact [name=name]').fill('Inés Álvarez')
await page.locator('#contact [name=email]').fill('ines@example.com')
await page.locator('#contact [name=message]').fill('La fragata en la que navegó mi abuelo.\n¿Se puede en 1:72?')
await page.locator('#contact [type=file]').setInputFiles([
  { name: 'fragata-en-el-puerto-de-veracruz-1953.jpg', mimeType: 'image/jpeg', buffer: await aPhoto({ width: 800, height: 600 }) },
  { name: 'IMG_2041.HEIC', mimeType: 'image/heic', buffer: Buffer.from('x') },
  { name: 'plano.png', mimeType: 'image/png', buffer: await aGrainyPhoto({ width: 400, height: 300, format: 'png' }) },
  { name: 'dañada.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('not a photo') },
  { name: 'fifth.jpg', mimeType: 'image/jpeg', buffer: await aPhoto() },
])
await page.waitForTimeout(2500)
await shot('5-photos')
await page.reload()
await page.waitForTimeout(1500)
console.log('restored', await page.locator('#contact form').evaluate((f: HTMLFormElement) => JSON.stringify(Object.fromEntries([...new FormData(f)].filter(([k]) => k !== 'photos')))))
await page.locator('#contact [type=file]').setInputFiles([{ name: 'a.jpg', mimeType: 'image/jpeg', buffer: await aPhoto({ width: 800, height: 600 }) }, { name: 'b.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('zz') }])
await context.setOffline(true)
await page.locator('#contact button[type=submit]').click()
await page.waitForTimeout(1000)
await page.screenshot({ path: `${out}/${width}-${lang}-6-failed-view.png` })
await shot('6-failed')
await context.setOffline(false)
await page.locator('#contact button[type=submit]').dblclick()
await page.waitForTimeout(2500)
await page.screenshot({ path: `${out}/${width}-${lang}-7-sent-view.png` })
await shot('7-sent')
await browser.close()
