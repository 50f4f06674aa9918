import type { Locator } from '@playwright/test'
import { firstSteps as firstStepsEn } from '#content/en/first-steps.ts'
import { server as serverEn } from '#content/en/server.ts'
import { upload as uploadEn } from '#content/en/upload.ts'
import { yourSite as yourSiteEn } from '#content/en/your-site.ts'
import { firstSteps as firstStepsEs } from '#content/es/first-steps.ts'
import { server as serverEs } from '#content/es/server.ts'
import { upload as uploadEs } from '#content/es/upload.ts'
import { yourSite as yourSiteEs } from '#content/es/your-site.ts'
import { sendContact } from '#contract/contacts.ts'
import { languageTitle } from '#contract/languages.ts'
import { post } from '../calls.ts'
import { aContact } from '../factories.ts'
import { aPhoto } from '../photos.ts'
import { expect, test } from './fixtures.ts'
import { aWrittenProject, keepNotice, makers, notice, photoFiles, writeProject } from './maker.ts'

const words = {
  en: { steps: firstStepsEn, site: yourSiteEn, upload: uploadEn, server: serverEn },
  es: { steps: firstStepsEs, site: yourSiteEs, upload: uploadEs, server: serverEs },
}

/** Presses, without what is typed. */
const mostPresses = 25

for (const { language, t } of makers) {
  test(`in ${language}, a maker's first hour leads from an empty site to an answered message in ${mostPresses} presses, and no save fails`, async ({
    page,
    panel,
  }) => {
    const url = await panel({ language, firstSteps: true, opened: false })
    const { steps, site: s, upload, server } = words[language]
    const { brand, phone } = { brand: 'Taller Ana', phone: '+52 442 555 0199' }
    // That of signing in.
    let presses = 1
    const press = async (button: Locator) => {
      presses += 1
      await button.click()
    }
    const step = (name: keyof typeof steps.steps) =>
      page.getByRole('region', { name: steps.title }).getByText(steps.steps[name].name)
    const editor = page.getByRole('dialog', { name: s.title, exact: true })
    const inEditor = (name: string) => editor.getByRole('textbox', { name, exact: true })
    const publish = async () => {
      await expect(editor.getByText(s.saving.saved)).toBeVisible()
      await press(editor.getByRole('button', { name: new RegExp(`^${s.publish.action(0)} `) }))
    }

    await press(step('contact'))
    await inEditor(s.labels['maker.brand']).fill(brand)
    await inEditor(s.labels['maker.email']).fill('ana@example.com')
    await inEditor(s.labels['maker.phones.0']).fill(phone)
    await publish()
    await press(editor.getByRole('button', { name: t.common.close }))

    await press(step('hero'))
    await press(
      editor.getByRole('group', { name: s.labels['photos.hero.image'] }).getByRole('button', { name: s.photo.replace }),
    )
    const sending = page.getByRole('dialog', { name: upload.title })
    presses += 1
    await sending
      .locator('input[type="file"]')
      .first()
      .setInputFiles({ name: 'car.jpg', mimeType: 'image/jpeg', buffer: await aPhoto({ width: 800, height: 500 }) })
    await press(sending.getByRole('button', { name: upload.one.send }))
    await inEditor(`${s.labels['hero.photo']}: ${languageTitle(language, language)}`).fill('Un coche azul.')
    await inEditor(s.labels['maker.heroScale']).fill('1:12')
    await publish()
    // What the photo shows is told in one language only.
    await press(page.getByRole('button', { name: s.publish.half.anyway }))
    await keepNotice(page)
    await press(editor.getByRole('button', { name: t.common.close }))

    await press(step('model'))
    await expect(notice(page)).toBeHidden()
    await press(page.getByRole('button', { name: t.projects.add }))
    const form = page.getByRole('dialog', { name: t.projectForm.createTitle })
    presses += 1
    await form
      .locator('input[type="file"]')
      .first()
      .setInputFiles(await photoFiles(3))
    const { imageUrl: _none, ...project } = aWrittenProject
    await writeProject(form, t, project)
    await press(form.getByRole('button', { name: t.projectForm.save }))
    await expect(form).toBeHidden()

    const shown = async () => (await fetch(`${url}/?lang=${language}`)).text()
    expect(await shown()).toContain(server.opening.soon)
    // On a phone the steps are on another screen than the models.
    await press(
      page.getByRole('navigation', { name: t.dashboard.blocks }).getByRole('link', { name: t.dashboard.blockNames.today }),
    )
    await press(page.getByRole('button', { name: steps.opening.action }))
    await press(page.getByRole('alertdialog').getByRole('button', { name: steps.opening.action }))

    await expect.poll(shown).toContain(project.title.split(' ')[0])
    expect(await shown()).toContain(brand)
    const { status } = await post(url, sendContact.path, aContact({ name: 'Lucía' }))
    expect(status).toBe(200)
    await press(page.getByRole('list', { name: t.contacts.states.new, exact: true }).getByRole('button', { name: 'Lucía' }))
    await press(page.getByRole('button', { name: t.messages.reply('Lucía') }))
    await press(page.getByRole('button', { name: t.contacts.reply.copy }))
    await press(page.getByRole('button', { name: t.contacts.reply.iSentIt }))
    await expect(page.getByText(t.contacts.states.answered).first()).toBeVisible()
    expect(presses).toBeLessThanOrEqual(mostPresses)
  })
}
