import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { checks as checksEn } from '#content/en/checks.ts'
import { problemTexts as problemsEn } from '#content/en/problems.ts'
import { settings as settingsEn } from '#content/en/settings.ts'
import { checks as checksEs } from '#content/es/checks.ts'
import { problemTexts as problemsEs } from '#content/es/problems.ts'
import { settings as settingsEs } from '#content/es/settings.ts'
import { readSettings, type Settings } from '#contract/settings.ts'
import { startSmtp } from '../smtp.ts'
import { expect, test } from './fixtures.ts'
import { chooseLanguage, enterPanel, field, makers, makersOwn, notice, sendNoticeAway } from './maker.ts'

const texts = {
  en: { t: settingsEn, checks: checksEn, problems: problemsEn },
  es: { t: settingsEs, checks: checksEs, problems: problemsEs },
}
const account = { user: 'ana@example.com', pass: 'an app password' }

for (const { language, t: admin } of makers) {
  test(`in ${language}, the maker sets up mail, copies, time zone and passphrase without a terminal, and is told what is wrong`, async ({
    page,
    axe,
    startSite,
    expectFailure,
  }) => {
    const { t, checks, problems } = texts[language]
    const smtp = await startSmtp({ account })
    const folder = await mkdtemp(path.join(tmpdir(), 'vitrina-copies-'))
    const { url } = await startSite(makersOwn)
    await chooseLanguage(page, url, language)
    await enterPanel(page, url)
    const settings = page.getByRole('dialog', { name: t.title })
    const formOf = (name: keyof typeof t & ('mail' | 'timeZone' | 'offsite' | 'passphrase' | 'address')) =>
      page.getByRole('dialog', { name: t[name].name })
    const change = async (name: Parameters<typeof formOf>[0]) => {
      await settings.getByRole('button', { name: t.changeOf(t[name].name) }).click()
      return formOf(name)
    }

    await test.step('mail: from the first step, with a wrong password first', async () => {
      const step = page.getByRole('button', { name: admin.firstSteps.steps.mail.name })
      await step.click()
      await expect(settings.getByRole('button', { name: t.changeOf(t.mail.name) })).toBeFocused()
      await axe(page, { atBothSizes: true })
      const form = await change('mail')
      await expect(form).toContainText(t.mail.appPassword)
      await field(form, t.mail.provider).selectOption('')
      await field(form, t.mail.host).fill('127.0.0.1')
      await field(form, t.mail.secure).selectOption('false')
      await expect(field(form, t.mail.port)).toHaveValue('587')
      await field(form, t.mail.port).fill(new URL(smtp.url.replace('smtp', 'http')).port)
      await field(form, t.mail.user).fill(account.user)
      await field(form, t.mail.password).fill('wrong')
      await expect(field(form, t.mail.from)).toHaveValue(account.user)
      await expect(field(form, t.mail.to)).toHaveValue(account.user)
      expectFailure(/settings\/mail\/try$/, 422)
      await form.getByRole('button', { name: t.mail.test }).click()
      await expect(form).toContainText(problems.detailed.mail_refused({ step: 'password', said: '535 5.7.8' }))
      await axe(page, { atBothSizes: true })
      await field(form, t.mail.password).fill(account.pass)
      await form.getByRole('button', { name: t.mail.test }).click()
      await expect(form).toContainText(t.mail.tested(account.user))
      expect(smtp.received).toHaveLength(1)
      await form.getByRole('button', { name: t.save, exact: true }).click()
      await expect(notice(page)).toContainText(t.saved(t.mail.name))
      await expect(settings).toContainText(t.mail.on(account.user, '127.0.0.1'))
    })

    await test.step('off-site copies: a folder that is not there, then one on the same disk', async () => {
      const form = await change('offsite')
      await field(form, t.offsite.folderLabel).fill(`${folder}/not-there`)
      expectFailure(/settings\/offsite$/, 422)
      await form.getByRole('button', { name: t.offsite.save }).click()
      await expect(form).toContainText(problems.detailed.offsite_refused({ why: 'missing', said: 'ENOENT' }))
      await field(form, t.offsite.folderLabel).fill(folder)
      await form.getByRole('button', { name: t.offsite.save }).click()
      await expect(settings).toContainText(t.offsite.folder(folder))
    })

    await test.step('the passphrase is shown once, and kept before it counts', async () => {
      const form = await change('passphrase')
      const shown = await field(form, t.passphrase.label).inputValue()
      expect(shown).toMatch(/^([0-9a-z]{5}-){3}[0-9a-z]{5}$/)
      await form.getByRole('button', { name: t.save, exact: true }).click()
      await expect(form.getByRole('checkbox', { name: t.passphrase.kept })).toBeFocused()
      await form.getByRole('checkbox', { name: t.passphrase.kept }).check()
      await axe(page)
      await form.getByRole('button', { name: t.save, exact: true }).click()
      await expect(notice(page)).toContainText(t.saved(t.passphrase.name))
      await expect(page.locator('body')).not.toContainText(shown)
      const again = await change('passphrase')
      await expect(field(again, t.passphrase.label)).not.toHaveValue(shown)
      await again.getByRole('button', { name: t.remove }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: t.remove }).click()
      await expect(settings).toContainText(t.passphrase.off)
    })

    await test.step('a passphrase that cannot be read any more is asked for, and no new one suggested', async () => {
      await page.route(`**${readSettings.path}`, async (route) => {
        const read = (await (await route.fetch()).json()) as Settings
        await route.fulfill({ json: { ...read, passphrase: { ...read.passphrase, source: 'panel', isLost: true } } })
      })
      await page.keyboard.press('Escape')
      await sendNoticeAway(page)
      await page.getByRole('button', { name: t.title, exact: true }).click()
      await expect(settings).toContainText(t.lost)
      const form = await change('passphrase')
      await expect(field(form, t.passphrase.label)).toHaveValue('')
      await expect(field(form, t.passphrase.label)).toHaveAccessibleDescription(t.passphrase.again)
      await expect(form.getByRole('button', { name: t.passphrase.copy })).toHaveCount(0)
      await axe(page)
      await page.keyboard.press('Escape')
      await page.unrouteAll()
    })

    await test.step('the address: one that is none is marked, this one is taken', async () => {
      const form = await change('address')
      await expect(field(form, t.address.label)).toHaveValue(url)
      expectFailure(/settings\/address$/, 400)
      await field(form, t.address.label).fill('my site')
      await form.getByRole('button', { name: t.save, exact: true }).click()
      await expect(field(form, t.address.label)).toBeFocused()
      await expect(field(form, t.address.label)).toHaveAttribute('aria-invalid', 'true')
      await field(form, t.address.label).fill(url)
      await form.getByRole('button', { name: t.save, exact: true }).click()
      await expect(settings).toContainText(url)
    })

    await test.step('the time zone: the panel shows the new one, and the first step is done', async () => {
      const form = await change('timeZone')
      await field(form, t.timeZone.label).selectOption('Pacific/Auckland')
      await form.getByRole('button', { name: t.save, exact: true }).click()
      await expect(notice(page)).toContainText(t.saved(t.timeZone.name))
      await expect(settings).toContainText('Pacific/Auckland')
      await page.keyboard.press('Escape')
      await expect(page.getByRole('button', { name: admin.firstSteps.steps.mail.name })).toHaveCount(0)
      await page.getByRole('button', { name: checks.title }).click()
      await expect(page.getByRole('dialog', { name: checks.title })).toContainText(
        checks.findings.mail_works({ to: account.user }, '')[0],
      )
    })
    smtp.stop()
    await rm(folder, { recursive: true, force: true })
  })
}
