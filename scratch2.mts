import { chromium } from '@playwright/test'
import { findChromium } from './scripts/test-tools.ts'
import { aPhoto } from './tests/photos.ts'
const base = 'http://127.0.0.1:4311'
const out = '/tmp/visitor-shots'
const sizes = { 390: 844, 768: 1024, 1440: 900 }
const [which = '1440', lang = 'en', js = ''] = process.argv.slice(2)
const browser = await chromium.launch({ executablePath: findChromium() })
const width = Number(which)
const context = await browser.newContext({ javaScriptEnabled: js === 'js', viewport: { width, height: sizes[which] }, ...(width === 390 && { isMobile: true, hasTouch: true, deviceScaleFactor: 1 }), reducedMotion: 'reduce' })
const page = await context.newPage()
page.on('console', (m) => console.log('console', m.type(), m.text()))
page.on('pageerror', (e) => console.log('ERROR', e.stack))
page.on('response', (r) => r.request().method() === 'POST' && console.log('->', r.status(), r.url()))
await page.route(/contact-form-.*js/, (route) => route.abort('failed'))
const shot = async (name) => { await page.screenshot({ path: `${out}/${width}-${lang}-n${js}-${name}-view.png` }); await page.locator('#contact').screenshot({ path: `${out}/${width}-${lang}-n${js}-${name}.png` }) }
await page.goto(`${base}/?lang=${lang}&project=frigate-aurora`)
if (js) await page.goto(`${base}/?lang=${lang}&about=frigate-aurora#contact`)
else await page.getByRole('dialog').getByRole('link').filter({ hasText: /one like|como este|igual|parecid/i }).click()
console.log(page.url())
await shot('1-about')
await page.locator('#contact [name=name]').fill('Inés Álvarez')
await page.locator('#contact [name=message]').fill('La fragata en la que navegó mi abuelo.\n¿Se puede en 1:72?')
const photo = { name: 'fragata.jpg', mimeType: 'image/jpeg', buffer: await aPhoto({ width: 800, height: 600 }) }
await page.locator('#contact [type=file]').setInputFiles([photo])
await page.locator('#contact button[type=submit]').click()
await page.waitForURL(/#contact/)
await page.waitForTimeout(1500)
await shot('2-refused')
console.log(page.url())
await page.locator('#contact [name=email]').fill('ines@example.com')
await page.locator('#contact [type=file]').setInputFiles([photo, { name: 'b.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('zz') }])
await page.locator('#contact button[type=submit]').click()
await page.waitForTimeout(2500)
await shot('3-sent')
console.log(page.url())
await browser.close()
