import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { expect, type Page } from '@playwright/test'
import type { AxeResults } from 'axe-core'

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

let source: Promise<string> | undefined

/** Fails with what a person would have to mend, and where. Evaluated from outside, so the page's policy stays as strict as it is. */
export async function expectAccessible(page: Page) {
  source ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  // Once for each page that has been loaded: it takes as long to read as the smaller pages take to check.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(await source)
  const violations = await page.evaluate(async (only) => {
    // What fades in is too faint until it has, and no frame is drawn while the page is being checked.
    const moving = document.getAnimations().filter(({ timeline, effect }) => {
      return timeline === document.timeline && effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY
    })
    await Promise.allSettled(moving.map(({ finished }) => finished))
    const { axe } = window as unknown as { axe: { run(context: unknown, options: object): Promise<AxeResults> } }
    // Behind an open dialog nothing can be reached, and what is there has been checked without it.
    const open = [...document.querySelectorAll('[role="dialog"], [role="alertdialog"]')].at(-1)
    const context = open ? { include: [open, ...document.querySelectorAll('[data-slot="toast"]')] } : document
    return (await axe.run(context, { runOnly: only, resultTypes: ['violations'] })).violations
  }, tags)
  const readable = violations.map(
    ({ id, impact, help, nodes }) =>
      `${id} (${impact}): ${help}\n${nodes.map(({ target, failureSummary }) => `    ${target.join(' ')}\n      ${failureSummary?.replaceAll('\n', '\n      ')}`).join('\n')}`,
  )
  expect(readable, readable.join('\n')).toEqual([])
}
