import { demoProjects } from '#demo/projects.ts'
import { expect, test } from './fixtures.ts'

test('a first start shows the demo projects to a visitor', async ({ page }) => {
  await page.goto('/')
  for (const { title } of demoProjects) await expect(page.getByText(title).first()).toBeAttached()
})
