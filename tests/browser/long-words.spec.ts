import type { Locator, Page } from '@playwright/test'
import { admin as t } from '#content/en/admin.ts'
import { createAdmin } from '#contract/accounts.ts'
import { contactLimits } from '#contract/contact-fields.ts'
import { projectLimits, translatedFields } from '#contract/project-fields.ts'
import { aProject } from '../factories.ts'
import { expect, test } from './fixtures.ts'
import { writeProject } from './maker.ts'

const word = (most: number, letter = 'W') => letter.repeat(Math.min(200, most))
const ofProject = (field: keyof typeof projectLimits) => word(projectLimits[field])

const project = aProject({
  title: ofProject('title'),
  description: ofProject('description'),
  materials: ofProject('materials'),
  techniques: ofProject('techniques'),
  translations: { es: Object.fromEntries(translatedFields.map((field) => [field, ofProject(field)])) },
  scale: ofProject('scale'),
  timeSpent: ofProject('timeSpent'),
  imageUrl: `https://older-site.example/${word(150)}.jpg`,
  featured: true,
})
const host = ['W'.repeat(60), 'W'.repeat(60), 'example'].join('.')
const message = {
  name: word(contactLimits.name, 'N'),
  email: `${'w'.repeat(60)}@${host}.com`,
  projectType: 'militaryVehicles',
  message: word(contactLimits.message),
}
const admin = { username: 'U'.repeat(50), password: 'a long password' }

/** What is cut off or can be pushed sideways, and what stands out of its frame. */
async function cutIn(frame: Locator) {
  return frame.evaluate((element) => {
    const room = element.getBoundingClientRect()
    // A field scrolls what is typed into it; what is there for screen readers only has no width.
    return [element, ...element.querySelectorAll('*:not(input, textarea, select, svg, svg *, .sr-only, .sr-only *)')]
      .filter((part) => {
        const { left, right, width } = part.getBoundingClientRect()
        const holds = part.matches('h2, h3, p, dl') || getComputedStyle(part).overflowX !== 'visible'
        return width > 0 && (left < room.left || right > room.right || (holds && part.scrollWidth > part.clientWidth))
      })
      .map((part) => part.outerHTML)
  })
}

/** On no screen is the page, or what is open on it, wider than the screen. */
async function expectFits(page: Page, frame: Locator) {
  await expect(frame).toBeVisible()
  for (const width of [320, 390, 1440]) {
    await page.setViewportSize({ width, height: 844 })
    await expect.poll(() => cutIn(frame), `at ${width} px`).toEqual([])
    const [wanted, room] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth])
    expect(wanted).toBeLessThanOrEqual(room ?? 0)
    const box = await frame.boundingBox()
    expect(box?.x).toBeGreaterThanOrEqual(0)
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(room ?? 0)
  }
}

test('at 320, 390 and 1440 px no word that can be stored widens the panel or a dialog of it', async ({ page, panel }) => {
  const url = await panel({ projects: [project], contacts: [message] })
  await page.request.post(`${url}${createAdmin.path}`, { data: admin })
  await page.reload()
  await expect(page.getByRole('heading', { name: project.title })).toBeVisible()
  await expect(page.getByRole('heading', { name: message.name })).toBeVisible()
  await expect(page.getByText(admin.username, { exact: true })).toBeVisible()
  await expectFits(page, page.getByRole('main'))

  const asking = page.getByRole('alertdialog')
  const cancel = asking.getByRole('button', { name: t.common.cancel })
  await page.getByRole('button', { name: t.projects.edit(project.title) }).click()
  const form = page.getByRole('dialog', { name: t.projectForm.editTitle })
  await expectFits(page, form)
  await writeProject(form, t, { imageUrl: `https://older-site.example/${word(150)}` })
  await expectFits(page, form)
  await page.reload()
  await expect(page.getByText(t.projects.unsavedWaiting(project.title))).toBeVisible()
  await expectFits(page, page.getByRole('main'))
  await page.getByRole('button', { name: t.projects.unsavedDiscard }).click()

  await page.getByRole('button', { name: t.projects.delete(project.title) }).click()
  await expectFits(page, asking)
  for (const width of [320, 390, 1440]) {
    await page.setViewportSize({ width, height: 844 })
    await expect(cancel).toBeInViewport({ ratio: 1 })
  }
  await cancel.click()

  await page.getByRole('button', { name: t.messages.manageAll }).click()
  const contacts = page.getByRole('dialog', { name: t.messages.manageTitle })
  await expect(contacts.getByRole('heading', { name: message.name })).toBeVisible()
  await expectFits(page, contacts)
  await contacts.getByRole('button', { name: t.messages.delete(message.name) }).click()
  await expectFits(page, asking)
  await cancel.click()
  await contacts.getByRole('button', { name: t.common.close, exact: true }).click()

  await page.getByRole('button', { name: t.accounts.delete(admin.username) }).click()
  await expectFits(page, asking)
  await cancel.click()
  await expect(asking).toHaveCount(0)
})
