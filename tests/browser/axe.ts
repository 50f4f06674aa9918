import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { expect, type Locator, type Page } from '@playwright/test'
import type { AxeResults, RunOptions } from 'axe-core'

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

let source: Promise<string> | undefined

export type AxeOptions = {
  /** The part that differs, where the rest of the page has been checked by another journey in the same state. */
  within?: Locator
  /** On a phone and on a desktop, in a journey that is told on one of them: once for each screen, not for each state of it. */
  atBothSizes?: boolean
}

const phone = { width: 390, height: 844 }
const desktop = { width: 1440, height: 900 }

export async function expectAccessible(page: Page, { within, atBothSizes = false }: AxeOptions = {}) {
  await check(page, within)
  const size = page.viewportSize()
  if (!atBothSizes || !size) return
  await forgetPreloads(page)
  await page.setViewportSize(size.width < 768 ? desktop : phone)
  // How much of a button a bar that stays lies over depends on how far the page is scrolled, and resizing scrolls it.
  await check(page, within, { 'target-size': { enabled: false } })
  await page.setViewportSize(size)
}

/** A window of another size would fetch another photo ahead that is not needed any more, and complain of it. */
export async function forgetPreloads(page: Page) {
  await page.evaluate(() => {
    for (const ahead of document.querySelectorAll('link[rel="preload"]')) ahead.remove()
  })
}

/** Fails with what a person would have to mend, and where. Evaluated from outside, so the page's policy stays as strict as it is. */
async function check(page: Page, within?: Locator, rules: RunOptions['rules'] = {}) {
  source ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  // Once for each page that has been loaded: it takes as long to read as the smaller pages take to check.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(await source)
  const part = await within?.elementHandle()
  const violations = await page.evaluate(
    async ({ only, part, rules }) => {
      // What is below the fold is not laid out on a fresh visit: it would not be checked, and what moves there stands still.
      delete document.documentElement.dataset.fresh
      // What fades in is too faint until it has, and no frame is drawn while the page is being checked.
      const moving = document.getAnimations().filter(({ timeline, effect }) => {
        return timeline === document.timeline && effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY
      })
      await Promise.allSettled(moving.map(({ finished }) => finished))
      const { axe } = window as unknown as { axe: { run(context: unknown, options: object): Promise<AxeResults> } }
      // Behind an open dialog nothing can be reached, and what is there has been checked without it.
      const open = [...document.querySelectorAll('[role="dialog"], [role="alertdialog"]')].at(-1)
      const looked = open ?? part
      const context = looked ? { include: [looked, ...document.querySelectorAll('[data-slot="toast"]')] } : document
      // There are no frames, and no rule that runs reads the style sheets: looking for both takes a tenth of the time.
      const options = { runOnly: only, rules, resultTypes: ['violations'], iframes: false, preload: false }
      return (await axe.run(context, options)).violations
    },
    { only: tags, part, rules },
  )
  const readable = violations.map(
    ({ id, impact, help, nodes }) =>
      `${id} (${impact}): ${help}\n${nodes.map(({ target, failureSummary }) => `    ${target.join(' ')}\n      ${failureSummary?.replaceAll('\n', '\n      ')}`).join('\n')}`,
  )
  expect(readable, readable.join('\n')).toEqual([])
}
