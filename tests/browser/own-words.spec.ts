import type { Page } from '@playwright/test'
import { site as en } from '#content/en/site.ts'
import { sections as sectionsEs } from '#content/es/sections.ts'
import { site as es } from '#content/es/site.ts'
import { signIn } from '#contract/accounts.ts'
import { languageTitle } from '#contract/languages.ts'
import { changeSiteDraft, publishSite, readSiteContent } from '#contract/site-content.ts'
import { type OwnFields, ruleOfField, siteFields } from '#contract/site-fields.ts'
import { expect, test } from './fixtures.ts'
import { makerAccount } from './maker.ts'

const own: OwnFields = {
  'maker.brand': 'Taller Ñandú',
  'maker.accent': 'verdigris',
  'maker.hidden.ships': 'yes',
  'maker.commissions.state': 'closed',
  'en.hero.title': 'Small ships, tall tales',
  'es.hero.title': 'Barcos chicos, historias grandes',
  'en.services.title': 'What leaves the bench',
  'es.services.title': 'Lo que sale del banco',
}

async function publish(page: Page, url: string, changes: OwnFields) {
  await page.request.post(`${url}${signIn.path}`, { data: makerAccount })
  const { revision } = await (await page.request.get(`${url}${readSiteContent.path}`)).json()
  const draft = await page.request.put(`${url}${changeSiteDraft.path}`, { data: { revision, changes } })
  const data = { revision: (await draft.json()).revision }
  expect((await page.request.post(`${url}${publishSite.path}`, { data })).ok()).toBe(true)
  await page.context().clearCookies()
}

test('a visitor reads the maker’s own words, and those of the other language when that is chosen', async ({
  page,
  axe,
  siteWith,
}) => {
  const url = await siteWith()
  await publish(page, url, own)

  await page.goto(url)
  const filter = page.getByRole('group', { name: en.gallery.filters })
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(own['en.hero.title'] ?? '')
  await expect(page.getByRole('heading', { name: own['en.services.title'] ?? '' })).toBeAttached()
  await expect(filter.getByRole('button')).toHaveText(
    Object.values(en.gallery.categories).filter((label) => label !== en.gallery.categories.ships),
  )
  await axe(page)

  await page.getByRole('button', { name: `${en.language.label}: ${languageTitle('en', 'en')}` }).click()
  await page.getByRole('menuitemradio', { name: languageTitle('es', 'en') }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(own['es.hero.title'] ?? '')
  await expect(page.getByRole('heading', { name: own['es.services.title'] ?? '' })).toBeAttached()
  await expect(page.getByText('Por ahora no recibo encargos.')).toHaveCount(2)
  // What the maker has not changed is as the site came, with the maker's name in it.
  await expect(page.getByRole('heading', { name: sectionsEs.process.title })).toBeAttached()
  await expect(page).toHaveTitle(es.page.title.replace('Vitrina', 'Taller Ñandú'))
})

test('the longest words of every field, without a gap among them, widen no screen, and the title takes two lines', async ({
  page,
  siteWith,
}) => {
  const url = await siteWith()
  const written = siteFields.filter((field) => ['line', 'text'].includes(ruleOfField(field).kind))
  for (const letters of ['Donaudampfschifffahrtsgesellschaft', 'MODELOS A ESCALA HECHOS A MANO ']) {
    const longest = written.map((field) => [field, letters.repeat(20).slice(0, ruleOfField(field).most).trim()])
    await publish(page, url, Object.fromEntries(longest))
    await page.goto(url)
    for (const width of [320, 390, 768, 1440, 2560]) {
      await page.setViewportSize({ width, height: 900 })
      const where = `${letters} at ${width}`
      const wanted = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      await expect.poll(wanted, where).toBeLessThanOrEqual(0)
      const lines = await page.getByRole('heading', { level: 1 }).evaluate((title) => {
        const { height } = title.getBoundingClientRect()
        return Math.round(height / Number.parseFloat(getComputedStyle(title).lineHeight))
      })
      expect(lines, where).toBeLessThanOrEqual(2)
    }
  }
})
