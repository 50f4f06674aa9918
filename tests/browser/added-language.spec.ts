import { rm } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { maker } from '#content/maker.ts'
import { adminPath } from '#contract/first-visit.ts'
import { languageKey } from '#contract/languages.ts'
import { demoAdmin } from '#demo/admin.ts'
import { demoProjects } from '#demo/projects.ts'
import { startBuiltSite } from '../built-site.ts'
import { expect, test } from './fixtures.ts'
import { buildWithMadeUpLanguage, madeUp } from './made-up-language.ts'

const stringsIn = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : value && typeof value === 'object' ? Object.values(value).flatMap(stringsIn) : []

/** What is in no language of the site, or in its own: facts, models without a translation, names of languages and services. */
const { username, password } = demoAdmin
const typed = [`${username} / ${password}`, 'npm run admin -- reset']
const ownFacts = [...stringsIn(maker), ...stringsIn(demoProjects), ...typed, madeUp.name, madeUp.code]
const isFact = (text: string) =>
  ownFacts.some(
    (fact) => fact !== '' && (fact.includes(text.replace(/…$/, '')) || text.replace(fact, '').search(/[aeiou]/i) < 0),
  ) || /^(English|Spanish|WhatsApp|Instagram|Facebook|YouTube|Pinterest)$/.test(text)

/** What a person reads there, and screen readers: texts, labels, placeholders. */
async function wordsOn(page: Page, within = 'body') {
  return page.locator(within).evaluate((frame) => {
    const words: string[] = []
    const walker = document.createTreeWalker(frame, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement
      if (element?.closest('script, style, noscript, template, [lang]:not(html)') || !element?.checkVisibility()) continue
      words.push(node.textContent ?? '')
    }
    for (const element of frame.querySelectorAll('[aria-label], [placeholder], [title], img[alt]')) {
      if (!element.checkVisibility()) continue
      for (const name of ['aria-label', 'placeholder', 'title', 'alt']) words.push(element.getAttribute(name) ?? '')
    }
    return words.map((text) => text.trim()).filter((text) => text !== '')
  })
}

/** What does not fit into its width, of what is shown. */
async function overflowsOn(page: Page) {
  return page.evaluate(() =>
    [...document.querySelectorAll('body *:not(svg *, input, textarea, select, .sr-only)')].flatMap((element) => {
      const { overflowX } = getComputedStyle(element)
      const isCut = element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0 && overflowX !== 'auto'
      const text = (element.textContent ?? '').trim().slice(0, 60)
      return isCut && element.checkVisibility() && element.children.length === 0
        ? [`${element.tagName} ${element.scrollWidth} > ${element.clientWidth}: ${text}`]
        : []
    }),
  )
}

// It builds the site.
test.describe.configure({ timeout: 600_000 })

test('a third language is a folder and a line: every text is in it, on the page, at a model, in the form and in the panel', async ({
  page,
}, { annotations }) => {
  const root = await buildWithMadeUpLanguage()
  const site = await startBuiltSite({ DATA_DIR: path.join(root, 'data'), RATE_LIMITS: 'off' }, { root })
  const foreign: string[] = []
  const look = async (where: string, within?: string) => {
    const words = await wordsOn(page, within)
    expect(words.filter((text) => /[áéíóú]/.test(text)).length, where).toBeGreaterThan(3)
    foreign.push(...words.filter((text) => /[aeiou]/i.test(text) && !isFact(text)).map((text) => `${where}: ${text}`))
    for (const each of await overflowsOn(page)) annotations.push({ type: `overflow, ${where}`, description: each })
    expect(await page.evaluate(() => document.documentElement.scrollWidth), where).toBeLessThanOrEqual(390)
  }
  try {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.context().addCookies([{ name: languageKey, value: madeUp.code, url: site.url }])
    await page.goto(site.url)
    await expect(page.locator('html')).toHaveAttribute('lang', madeUp.code)
    await look('the page')

    await page.locator('#contact form [type="submit"]').click()
    await expect(page.locator('#contact [aria-invalid="true"]').first()).toBeVisible()
    await look('the contact form', '#contact')

    await page.goto(`${site.url}/?project=frigate-aurora`)
    await expect(page.getByRole('dialog')).toBeVisible()
    await look('a model', '[role="dialog"]')

    await page.goto(`${site.url}${adminPath}`)
    await look('signing in')
    await page.locator('[name="username"]').fill(username)
    await page.locator('[name="password"]').fill(password)
    await page.locator('form [type="submit"]').click()
    await page.getByRole('button', { name: 'ÁÀdd Próòjéèct', exact: true }).click()
    const form = page.getByRole('dialog')
    const choice = form.getByRole('radio', { name: madeUp.name, exact: true })
    await expect(choice).toBeVisible()
    await look('the form of a model', '[role="dialog"]')
    await choice.check()
    await form.locator(`[name="translations.${madeUp.code}.title"]`).fill('Ñ')
    await look('the form in the new language', '[role="dialog"]')
  } finally {
    // Otherwise what the panel is reading just now fails.
    await page.close()
    await site.stop()
    await rm(root, { recursive: true, force: true })
  }
  expect(foreign).toEqual([])
})
