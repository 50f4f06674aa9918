import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { backupsEn } from '#content/en.backups.ts'
import { backupsEs } from '#content/es.backups.ts'
import {
  createCompleteBackup,
  createDatabaseBackup,
  exportData,
  importData,
  listBackups,
  restoreComplete,
} from '#contract/backups.ts'
import { createProject } from '#contract/projects.admin.ts'
import { aProject } from '../factories.ts'
import { expect, test } from './fixtures.ts'
import { holdBack } from './hold-back.ts'
import { chooseLanguage, enterPanel, inEnglish, inSpanish, makersOwn, notice, playOlderSite, sendNoticeAway } from './maker.ts'

const words = { en: backupsEn, es: backupsEs }
const ending = (path: string) => new RegExp(`${path}$`)

async function addProject(page: Page, url: string, title: string) {
  const answer = await page.request.post(`${url}${createProject.path}`, {
    data: aProject({ title, imageUrl: 'https://older-site.example/a.jpg' }),
  })
  expect(answer.ok()).toBe(true)
}

/** One of the things to do, by its heading. */
function tile(block: Locator, title: string) {
  return block.getByRole('listitem').filter({ has: block.page().getByRole('heading', { name: title, exact: true }) })
}

/** Why something was not done, where it was tried. */
function reason(place: Locator) {
  return place.locator('[data-slot="action-error"]')
}

/** A file is let go over a part of the page, as the browser tells the page of it. */
async function dropText(page: Page, target: Locator, text: string) {
  const dataTransfer = await page.evaluateHandle((content) => {
    const transfer = new DataTransfer()
    transfer.items.add(new File([content], 'dropped.json', { type: 'application/json' }))
    return transfer
  }, text)
  await target.dispatchEvent('drop', { dataTransfer })
}

for (const { language, t: texts } of inEnglish) {
  const t = words[language]

  test(`in ${language}, the maker keeps every kind of backup, finds them listed, downloads one and restores it into another site`, async ({
    page,
    startSite,
    axe,
    panel,
  }, info) => {
    await playOlderSite(page)
    // Not the shared one: photos of other journeys would be in its backup.
    const { url } = await startSite(makersOwn)
    await chooseLanguage(page, url, language)
    await enterPanel(page, url)
    const block = page.getByRole('region', { name: t.title, exact: true })
    await expect(block.getByText(t.list.empty)).toBeVisible()
    for (const tip of t.info.tips) await expect(block.getByText(tip)).toBeVisible()
    await addProject(page, url, 'Saved from the old site')

    const release = await holdBack(page, `**${createDatabaseBackup.path}`)
    await block.getByRole('button', { name: t.database.action }).click()
    await expect(block.getByRole('button', { name: t.database.busy })).toBeDisabled()
    release()
    await expect(notice(page)).toContainText(t.database.done)

    const exported = page.waitForEvent('download')
    await block.getByRole('button', { name: t.export.action }).click()
    await expect(notice(page)).toContainText(t.export.done)
    const json = await exported
    expect(json.suggestedFilename()).toMatch(/^export_\d{4}-\d\d-\d\dT.*\.json$/)
    expect(JSON.parse(await readFile(await json.path(), 'utf8'))).toMatchObject({ counts: { projects: 1, contacts: 0 } })

    await block.getByRole('button', { name: t.complete.action }).click()
    await expect(notice(page)).toContainText(t.complete.done)

    const rows = block.getByRole('region', { name: t.list.title }).getByRole('listitem')
    await expect(rows).toHaveCount(3)
    for (const type of Object.values(t.types)) await expect(rows.filter({ hasText: type })).toHaveCount(1)
    await expect(rows.first()).toContainText(/\d{4}-\d\d-\d\d/)
    await expect(rows.first()).toContainText(/\d+(\.\d)? ?(kB|MB|byte)/)
    await axe(page, { within: block, atBothSizes: true })

    const downloaded = page.waitForEvent('download')
    await rows
      .filter({ hasText: t.types.complete })
      .getByRole('link', { name: new RegExp(t.list.download) })
      .click()
    const file = await downloaded
    const filename = file.suggestedFilename()
    expect(filename).toMatch(/^complete_backup_.*\.zip$/)
    const archive = info.outputPath(filename)
    await file.saveAs(archive)
    await block.getByRole('button', { name: t.list.refresh }).click()
    await expect(rows).toHaveCount(3)
    await expect(page.getByText(texts.common.error, { exact: true })).toHaveCount(0)

    await test.step('with the texts of a site that has others', async () => {
      await block.getByRole('button', { name: t.import.action }).click()
      const dialog = page.getByRole('dialog', { name: t.import.title })
      await dialog
        .getByLabel(t.import.label)
        .fill('{ "site": { "fields": { "en.hero.title": "Ships", "maker.city": "Xalapa" } } }')
      await dialog.getByRole('button', { name: t.import.submit, exact: true }).click()
      const told = t.report.site({ added: 2, broughtBack: 0 })
      await expect(notice(page)).toContainText(t.import.done(0, 0))
      await expect(notice(page)).toContainText(told)
      await expect(block.getByRole('listitem').filter({ hasText: told })).toBeVisible()
    })

    await test.step('into another site', async () => {
      await panel({ language })
      await block.getByRole('button', { name: t.restore.action }).click()
      const dialog = page.getByRole('dialog', { name: t.restore.title })
      const submit = dialog.getByRole('button', { name: t.restore.submit, exact: true })
      await expect(submit).toBeDisabled()
      const wrong = info.outputPath('photos.rar')
      await writeFile(wrong, 'x')
      await dialog.getByLabel(t.restore.choose).setInputFiles(wrong)
      await expect(notice(page)).toContainText(t.restore.notZip)
      await expect(reason(dialog)).toHaveText(t.restore.notZip)
      await expect(submit).toBeDisabled()

      await dialog.getByLabel(t.restore.choose).setInputFiles(archive)
      await expect(dialog.getByText(filename)).toBeVisible()
      await expect(reason(dialog)).toHaveCount(0)
      await axe(page, { atBothSizes: true })
      const release = await holdBack(page, `**${restoreComplete.path}`)
      await submit.click()
      await expect(dialog.getByRole('button', { name: t.restore.busy })).toBeDisabled()
      await expect(dialog.getByRole('progressbar')).toBeVisible()
      release()
      await expect(notice(page)).toContainText(t.restore.done(1, 0, 0))
      await expect(dialog).toHaveCount(0)
      await expect(page.getByRole('heading', { name: 'Saved from the old site' })).toBeVisible()
      await expect(block.getByRole('heading', { name: t.report.title.restore })).toBeVisible()
      await expect(block.getByText(t.report.added({ projects: 1, contacts: 0, images: 0, inquiryPhotos: 0 }))).toBeVisible()
    })
  })
}

for (const { language, t: texts } of inSpanish) {
  const t = words[language]

  test(`in ${language}, photos that are gone are named by the backup and by the import, and those that lie aside are told of`, async ({
    page,
    startSite,
    axe,
    expectFailure,
  }) => {
    expectFailure(/\/objects\/e+$/, 404)
    const { url, dataDir } = await startSite(makersOwn)
    const aside = path.join(dataDir, 'files/aside')
    await mkdir(aside, { recursive: true })
    await writeFile(path.join(aside, `2026-11-02.objects.${'a'.repeat(64)}`), Buffer.alloc(1_200_000))
    await chooseLanguage(page, url, language)
    await enterPanel(page, url)
    const gone = aProject({ title: 'Galleon', imageUrl: `/objects/${'e'.repeat(64)}` })
    const block = page.getByRole('region', { name: t.title, exact: true })
    const since = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date('2026-11-02'))
    await expect(block.getByText(since)).toBeVisible()

    await block.getByRole('button', { name: t.import.action }).click()
    const dialog = page.getByRole('dialog', { name: t.import.title })
    await dialog.getByLabel(t.import.label).fill(JSON.stringify({ projects: [gone] }))
    await dialog.getByRole('button', { name: t.import.submit, exact: true }).click()
    await expect(block.getByText(t.report.missing(1))).toBeVisible()

    await block.getByRole('button', { name: t.complete.action }).click()
    const missing = t.complete.missing(1, { projects: ['Galleon'], others: 0 }, 0)
    await expect(notice(page)).toContainText(missing)
    await expect(tile(block, t.complete.title)).toContainText(missing)
    const row = block.getByRole('listitem').filter({ hasText: '_without_1_photos.zip' })
    await expect(row.getByText(t.list.missing(1))).toBeVisible()
    await axe(page, { within: block })
  })

  test(`in ${language}, a failure is told in the server's words, else in ours, and stays where it happened; an export is imported once`, async ({
    page,
    expectFailure,
    axe,
    panel,
  }, info) => {
    await panel({ language })
    const block = page.getByRole('region', { name: t.title, exact: true })

    const tiles = [
      [createDatabaseBackup.path, t.database],
      [exportData.path, t.export],
      [createCompleteBackup.path, t.complete],
    ] as const
    for (const [path, each] of tiles) {
      expectFailure(ending(path), 500)
      await page.route(`**${path}`, (route) => route.fulfill({ status: 500, body: 'no words' }))
      await block.getByRole('button', { name: each.action }).click()
      await expect(notice(page)).toContainText(each.failed)
      await expect(reason(tile(block, each.title))).toHaveText(each.failed)
    }
    await axe(page, { within: block })

    await block.getByRole('button', { name: t.restore.action }).click()
    const dialog = page.getByRole('dialog', { name: t.restore.title })
    const spoilt = info.outputPath('spoilt.zip')
    await writeFile(spoilt, 'this is no archive')
    await dialog.getByLabel(t.restore.choose).setInputFiles(spoilt)
    expectFailure(ending(restoreComplete.path), 422)
    await dialog.getByRole('button', { name: t.restore.submit, exact: true }).click()
    const spoiltSentence =
      'Ese archivo no es un respaldo completo que este sitio pueda aceptar. No es un archivo ZIP, o no está completo. No se cambió nada. Elija otro archivo.'
    await expect(notice(page)).toContainText(spoiltSentence)
    await expect(dialog.getByText('spoilt.zip')).toBeVisible()
    await sendNoticeAway(page)
    await expect(reason(dialog)).toHaveText(spoiltSentence)
    await axe(page)

    await page.route(`**${restoreComplete.path}`, (route) => route.abort())
    expectFailure(ending(restoreComplete.path), 0)
    await dialog.getByRole('button', { name: t.restore.submit, exact: true }).click()
    await expect(notice(page)).toContainText(t.restore.uploadFailed)
    await expect(reason(dialog)).toHaveText(t.restore.uploadFailed)
    await dialog.getByRole('button', { name: texts.common.cancel }).click()
    await expect(dialog).toHaveCount(0)

    await block.getByRole('button', { name: t.import.action }).click()
    const importing = page.getByRole('dialog', { name: t.import.title })
    await importing.getByLabel(t.import.label).fill('{"projects": [{"title": "Galleon"}]}')
    expectFailure(ending(importData.path), 422)
    await importing.getByRole('button', { name: t.import.submit, exact: true }).click()
    await expect(reason(importing)).toContainText(
      'Proyecto 1 («Galleon»), descripción: esto falta, está vacío o no es un texto. No se cambió nada.',
    )
    await expect(importing.getByLabel(t.import.label)).toHaveValue('{"projects": [{"title": "Galleon"}]}')
    await importing.getByLabel(t.import.label).fill('[]')
    expectFailure(ending(importData.path), 422)
    await importing.getByRole('button', { name: t.import.submit, exact: true }).click()
    await expect(notice(page)).toContainText('No es un objeto. No se cambió nada.')
    await importing.getByRole('button', { name: texts.common.cancel }).click()

    expectFailure(ending(listBackups.path), 500)
    await page.route(`**${listBackups.path}`, (route) => route.fulfill({ status: 500, body: 'no words' }))
    await page.reload()
    await expect(block.getByText(t.list.failed)).toBeVisible()
    await page.unroute(`**${listBackups.path}`)
    await block.getByRole('region', { name: t.list.title }).getByRole('button', { name: texts.common.retry }).click()
    await expect(block.getByText(t.list.empty)).toBeVisible()

    await page.unroute(`**${createDatabaseBackup.path}`)
    await block.getByRole('button', { name: t.database.action }).click()
    const rows = block.getByRole('region', { name: t.list.title }).getByRole('listitem')
    await expect(rows).toHaveCount(1)
    await page.route(`**${listBackups.path}`, (route) => route.fulfill({ status: 500, body: 'no words' }))
    await block.getByRole('button', { name: t.list.refresh }).click()
    await expect(notice(page)).toContainText(t.list.failed)
    await expect(rows).toHaveCount(1)
    await page.unroute(`**${listBackups.path}`)

    await test.step('an export is imported once, from pasted text, from a file and from a drop', async () => {
      await block.getByRole('button', { name: t.import.action }).click()
      const dialog = page.getByRole('dialog', { name: t.import.title })
      const submit = dialog.getByRole('button', { name: t.import.submit, exact: true })
      const area = dialog.getByLabel(t.import.label)
      await expect(submit).toBeDisabled()
      await area.fill('   ')
      await expect(submit).toBeDisabled()
      await area.fill('{ not json')
      await submit.click()
      await expect(notice(page)).toContainText(t.import.invalid)
      await expect(reason(dialog)).toHaveText(t.import.invalid)
      await expect(area).toHaveValue('{ not json')
      await axe(page, { atBothSizes: true })

      const data = JSON.stringify({
        projects: [aProject({ title: 'From a paste', imageUrl: 'https://older-site.example/a.jpg' })],
      })
      await playOlderSite(page)
      await area.fill(data)
      await expect(reason(dialog)).toHaveCount(0)
      const release = await holdBack(page, `**${importData.path}`)
      await submit.click()
      await expect(dialog.getByRole('button', { name: t.import.busy })).toBeDisabled()
      release()
      await expect(notice(page)).toContainText(t.import.done(1, 0))
      await expect(dialog).toHaveCount(0)
      await expect(page.getByRole('heading', { name: 'From a paste' })).toBeVisible()
      await expect(block.getByRole('heading', { name: t.report.title.import })).toBeVisible()
      await expect(block.getByText(t.report.added({ projects: 1, contacts: 0, images: 0, inquiryPhotos: 0 }))).toBeVisible()

      await block.getByRole('button', { name: t.import.action }).click()
      const file = info.outputPath('again.json')
      await writeFile(file, data)
      await dialog.getByLabel(t.import.choose).setInputFiles(file)
      await expect(area).toHaveValue(data)
      await area.fill('')
      await dropText(page, area, data)
      await expect(area).toHaveValue(data)
      await submit.click()
      await expect(notice(page)).toContainText(t.import.done(0, 0))
      await expect(block.getByText(t.report.unchanged)).toBeVisible()
    })
  })
}
