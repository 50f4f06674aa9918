import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { backups as backupsEn } from '#content/en/backups.ts'
import { backups as backupsEs } from '#content/es/backups.ts'
import { problemTexts } from '#content/es/problems.ts'
import { problemSentence } from '#content/problem-sentence.ts'
import { type BackupStatus, readBackupStatus, readBackupWork } from '#contract/backup-status.ts'
import { createCompleteBackup, createDatabaseBackup, exportData, importData, listBackups } from '#contract/backups.ts'
import type { AnyEndpoint } from '#contract/endpoint.ts'
import { createProject, deleteProject, emptyTrash, searchProjects, updateProject } from '#contract/projects.admin.ts'
import { applyMerge, previewMerge, sendBackup, undoMerge } from '#contract/restores.ts'
import { aProject } from '../factories.ts'
import { expect, test } from './fixtures.ts'
import { holdBack } from './hold-back.ts'
import { bring, chooseLanguage, enterPanel, goToPlace, inEnglish, inSpanish, makerAccount, makersOwn, notice } from './maker.ts'

const words = { en: backupsEn, es: backupsEs }
const ending = (path: string) => new RegExp(`${path.replace(/:\w+/g, '[^/]+')}$`)
const oldPhoto = 'https://older-site.example/a.jpg'
const noFailure = { reason: '', nextTry: '' }

/** A call of the one who is signed in, beside the page. */
async function ask(page: Page, { method, path }: AnyEndpoint, { id = '', data }: { id?: string; data?: unknown } = {}) {
  const answer = await page.request.fetch(`${new URL(page.url()).origin}${path.replace(':id', id)}`, { method, data })
  expect(answer.ok(), await answer.text()).toBe(true)
  return answer.json()
}

function partsOf(page: Page, t: typeof backupsEn) {
  const block = page.getByRole('region', { name: t.title, exact: true })
  const list = block.getByRole('region', { name: t.list.title })
  const heading = (name: string) => page.getByRole('heading', { name, exact: true })
  const tile = ({ title }: { title: string }) => block.getByRole('listitem').filter({ has: heading(title) })
  const open = async ({ action, title }: { action: string; title: string }) => {
    await block.getByRole('button', { name: action }).click()
    return page.getByRole('dialog', { name: title })
  }
  return { block, line: block.locator('[data-slot="backup-status"]'), tile, open, list, rows: list.getByRole('listitem') }
}

const aFile = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })
const reason = (place: Locator) => place.locator('[data-slot="action-error"]')

/** In the notice, and where it was tried. */
async function expectReason(place: Locator, sentence: string) {
  await expect(notice(place.page())).toContainText(sentence)
  await expect(reason(place)).toHaveText(sentence)
}

const answerNothing = (page: Page, path: string) =>
  page.route(`**${path}`, (route) => route.fulfill({ status: 500, body: 'no words' }))

/** What the panel says in Spanish to the refusal of a preview. */
async function refusalOf(page: Page) {
  const answer = await page.waitForResponse((response) => response.url().endsWith(previewMerge.path))
  return problemSentence(problemTexts, await answer.json()) ?? ''
}

for (const { language, t: texts } of inEnglish) {
  const t = words[language]
  test(`in ${language}, backups are made, downloaded, deleted and restored`, async ({ page, startSite, axe, panel }, info) => {
    // Not the shared one: photos of other journeys would be in its backup.
    const { url } = await startSite(makersOwn)
    await chooseLanguage(page, url, language)
    await enterPanel(page, url)
    const { block, line, open, rows } = partsOf(page, t)
    await expect(block.getByText(t.list.empty)).toBeVisible()
    await expect(line.getByRole('status')).toContainText(t.line.warnings.nothing_yet(noFailure))
    for (const tip of t.info.tips) await expect(block.getByText(tip)).toBeVisible()
    await ask(page, createProject, { data: aProject({ title: 'Saved from the old site', imageUrl: oldPhoto }) })
    const release = await holdBack(page, `**${createDatabaseBackup.path}`)
    await block.getByRole('button', { name: t.database.action }).click()
    await expect(block.getByRole('button', { name: t.database.busy })).toBeDisabled()
    release()
    await expect(notice(page)).toContainText(t.database.done)
    const exported = page.waitForEvent('download')
    await block.getByRole('button', { name: t.export.action }).click()
    await expect(notice(page)).toContainText(t.export.done)
    expect((await exported).suggestedFilename()).toMatch(/^export_\d{4}-\d\d-\d\dT.*\.json$/)
    await line.getByRole('button', { name: t.line.makeOne }).click()
    await expect(notice(page)).toContainText(t.complete.done)
    await expect(line).toHaveAttribute('data-tone', 'safe')
    await expect(line.getByRole('status')).toContainText(/^Everything is safe: today \d\d:\d\d, checked/)
    await expect(rows).toHaveCount(3)
    for (const type of Object.values(t.types)) await expect(rows.filter({ hasText: type })).toHaveCount(1)
    await expect(rows.first().getByRole('heading')).toHaveText(
      new RegExp(`^\\w+ \\d+, \\d{4}, \\d\\d:\\d\\d · ${t.list.makers.person}$`),
    )
    await expect(rows.first()).toContainText(/complete_backup_\d{4}-\d\d-\d\dT.*[\d.]+ ?(kB|MB|bytes)/)
    await axe(page, { within: block, atBothSizes: true })
    const downloaded = page.waitForEvent('download')
    const complete = rows.filter({ hasText: t.types.complete })
    await complete.getByRole('link', { name: new RegExp(t.list.download) }).click()
    const file = await downloaded
    const filename = file.suggestedFilename()
    expect(filename).toMatch(/^complete_backup_.*\.zip$/)
    const archive = info.outputPath(filename)
    await file.saveAs(archive)

    await test.step('every night is set, and what is wrong is said beside its field', async () => {
      await line.getByRole('button', { name: t.schedule.open }).click()
      const dialog = page.getByRole('dialog', { name: t.schedule.title })
      await dialog.getByLabel(t.schedule.daily).fill('0')
      await dialog.getByRole('button', { name: t.schedule.save }).click()
      await expect(dialog.getByLabel(t.schedule.daily)).toHaveAccessibleDescription(t.schedule.between(1, 90))
      await axe(page)
      await dialog.getByLabel(t.schedule.daily).fill('9')
      await dialog.getByLabel(t.schedule.nightly).uncheck()
      await dialog.getByRole('button', { name: t.schedule.save }).click()
      await expect(notice(page)).toContainText(t.schedule.done)
      await expect(line).toHaveAttribute('data-tone', 'missing')
      await expect(line).toContainText(t.line.warnings.nightly_off(noFailure))
    })

    await test.step('a backup is deleted, and the last whole one only when that is said', async () => {
      const database = rows.filter({ hasText: t.types.database })
      await database.getByRole('button', { name: new RegExp(`^${t.list.delete} `) }).click()
      const asking = page.getByRole('alertdialog', { name: t.list.deleteTitle })
      await asking.getByRole('button', { name: texts.common.delete }).click()
      await expect(notice(page)).toContainText(t.list.deleted)
      await complete.getByRole('button', { name: t.list.deleteOf(filename) }).click()
      await expect(asking).toContainText(t.list.lastText)
      await expect(asking.getByRole('button', { name: texts.common.delete })).toBeDisabled()
      await axe(page)
      await asking.getByLabel(t.list.lastBox).check()
      await asking.getByRole('button', { name: texts.common.delete }).click()
      await expect(complete).toHaveCount(0)
      await expect(line).toContainText(t.line.warnings.nothing_yet(noFailure))
    })

    await test.step('into another site', async () => {
      // Both have the same cookie: what the first still reads would be refused.
      await page.goto('about:blank')
      await panel({ language })
      const dialog = await open(t.restore)
      const submit = dialog.getByRole('button', { name: t.restore.submit, exact: true })
      await dialog.locator('input[type=file]').setInputFiles(aFile('photos.rar', 'x'))
      await expectReason(dialog, t.restore.notZip)
      await expect(submit).toBeDisabled()
      await dialog.locator('input[type=file]').setInputFiles(archive)
      await expect(dialog.getByRole('checkbox', { name: t.preview.include('Saved from the old site') })).toBeChecked()
      const release = await holdBack(page, `**${applyMerge.path}`)
      await submit.click()
      await expect(dialog.getByRole('button', { name: t.restore.busy })).toBeDisabled()
      await expect(dialog.getByRole('progressbar')).toBeVisible()
      release()
      await expect(notice(page)).toContainText(t.restore.done(1, 0, 0))
      await expect(dialog).toHaveCount(0)
      await expect(page.getByRole('heading', { name: 'Saved from the old site' })).toBeVisible()
      await expect(block.getByText(t.report.added({ projects: 1, contacts: 0, images: 0, inquiryPhotos: 0 }))).toBeVisible()
    })
  })
}

for (const { language, t: texts } of inSpanish) {
  const t = words[language]
  test(`in ${language}, a restore is previewed and undone`, async ({ page, panel, makersSite, axe, expectFailure }) => {
    const titles = ['Galleon', 'Locomotive', 'Sloop', 'Tug']
    await panel({ language, projects: titles.map((title) => aProject({ title, imageUrl: oldPhoto })) })
    const { block } = partsOf(page, t)
    await ask(page, createCompleteBackup)
    const { projects } = (await ask(page, searchProjects)) as { projects: { id: string; title: string }[] }
    const idOf = (title: string) => projects.find((project) => project.title === title)?.id ?? ''
    await ask(page, updateProject, { id: idOf('Galleon'), data: { description: 'Spoilt by mistake.' } })
    await ask(page, updateProject, { id: idOf('Tug'), data: { title: 'Tug, on purpose' } })
    for (const title of ['Locomotive', 'Sloop']) await ask(page, deleteProject, { id: idOf(title) })
    await ask(page, emptyTrash)
    await makersSite.forgetPasswords()
    await page.reload()
    // From the newest one.
    await block.getByRole('button', { name: t.line.bringBack }).click()
    const dialog = page.getByRole('dialog', { name: t.restore.title, includeHidden: true })
    const take = (title: string) => dialog.getByRole('checkbox', { name: t.preview.include(title) })

    await test.step('the page shows what would happen, and nothing has happened', async () => {
      await expect(dialog.getByText(t.preview.changed(2))).toBeVisible()
      for (const text of ['Spoilt by mistake.', aProject().description ?? ''])
        await expect(dialog.getByText(text)).toBeVisible()
      await expect(take('Locomotive')).toBeChecked()
      await take('Tug').uncheck()
      await expect(dialog.getByText(t.preview.chosen(3, 4))).toBeVisible()
      await axe(page, { atBothSizes: true })
    })

    await test.step('it asks for the password, restores, and tells what it has done, also after a reload', async () => {
      expectFailure(ending(applyMerge.path), 403)
      await dialog.getByRole('button', { name: t.restore.submit, exact: true }).click()
      const question = page.getByRole('dialog', { name: texts.confirmation.title })
      await question.getByLabel(texts.confirmation.password).fill(makerAccount.password)
      await question.getByRole('button', { name: texts.confirmation.confirm }).click()
      await expect(notice(page)).toContainText(t.restore.done(3, 0, 0))
      await ask(page, updateProject, { id: idOf('Sloop'), data: { title: 'Sloop, changed since' } })
      await page.reload()
      await expect(block.getByRole('heading', { name: t.report.title.restore })).toBeVisible()
      for (const name of ['Locomotive', 'Tug, on purpose']) await expect(page.getByRole('heading', { name })).toBeVisible()
    })

    await test.step('it is undone though the answer is lost on its way, but for what was changed since, and the report is put away', async () => {
      await page.route(ending(undoMerge.path), async (route) => {
        await route.fetch()
        await page.route(`**${readBackupStatus.path}`, (state) => state.abort())
        await route.abort()
      })
      for (const { path } of [undoMerge, readBackupStatus]) expectFailure(ending(path), 0)
      await block.getByRole('button', { name: t.report.undo, exact: true }).click()
      const asking = page.getByRole('alertdialog', { name: t.report.undoTitle })
      await expect(asking).toContainText(t.report.undoText(2, 1, 0))
      await asking.getByRole('button', { name: t.report.undo }).click()
      await expect(asking.getByText(t.merge.lost)).toBeVisible()
      await expect(asking.getByRole('button', { name: texts.common.cancel })).toBeEnabled()
      await page.unroute(`**${readBackupStatus.path}`)
      await expect(notice(page)).toContainText(t.report.left(1))
      await expect(page.getByRole('heading', { name: 'Locomotive' })).toHaveCount(0)
      await expect(page.getByRole('heading', { name: 'Sloop, changed since' })).toBeVisible()
      await expect(block.getByText(t.report.undone('').trim())).toBeVisible()
      await axe(page, { within: block, atBothSizes: true })
      await block.getByRole('button', { name: t.report.dismiss }).click()
      await expect(block.getByRole('heading', { name: t.report.title.restore })).toHaveCount(0)
    })
  })
}

for (const { language, t: texts } of inSpanish) {
  const t = words[language]
  test(`in ${language}, failures are told and tried again, and an export is imported once, without a photo that is gone`, async ({
    page,
    expectFailure,
    axe,
    panel,
    makersSite,
  }, info) => {
    await panel({ language })
    const aside = path.join(makersSite.dataDir, 'files/aside')
    await mkdir(aside, { recursive: true })
    await writeFile(path.join(aside, `2026-11-02.objects.${'a'.repeat(64)}`), Buffer.alloc(1_200_000))
    const { block, line, tile, open, list, rows } = partsOf(page, t)
    await goToPlace(page, texts, '05')
    for (const [{ path }, each] of [
      [createDatabaseBackup, t.database],
      [exportData, t.export],
      [createCompleteBackup, t.complete],
    ] as const) {
      expectFailure(ending(path), 500)
      await answerNothing(page, path)
      await block.getByRole('button', { name: each.action }).click()
      await expectReason(tile(each), each.failed)
    }
    await axe(page, { within: block })

    await test.step('a job of another tab is shown, and what has to wait for it says so; nothing waits for a copy', async () => {
      const state = (await ask(page, readBackupStatus)) as BackupStatus
      let kind: 'night' | 'copy' = 'night'
      const working = () => ({ kind, step: 'writing', done: 12, total: 48, startedAt: state.now })
      await page.route(`**${readBackupStatus.path}`, (route) => route.fulfill({ json: { ...state, working: working() } }))
      await page.route(`**${readBackupWork.path}`, (route) => route.fulfill({ json: { working: working() } }))
      await page.reload()
      await goToPlace(page, texts, '05')
      const progress = block.getByRole('progressbar', { name: t.working.line(t.working.kinds.night, t.working.steps.writing) })
      await expect(progress).toHaveAttribute('value', '12')
      const restore = block.getByRole('button', { name: t.restore.action })
      await expect(restore).toHaveAccessibleDescription(new RegExp(t.working.others))
      await restore.press('Enter')
      await expect(notice(page)).toContainText(t.working.refused)
      // Read again by itself.
      kind = 'copy'
      await expect(block.getByText(t.working.kinds.copy)).toBeVisible()
      await expect(restore).not.toHaveAttribute('aria-disabled')
      for (const { path } of [readBackupStatus, readBackupWork]) await page.unroute(`**${path}`)
    })

    await test.step('an upload that was cut off is tried again', async () => {
      const spoilt = info.outputPath('spoilt.zip')
      await writeFile(spoilt, 'no archive')
      const sending = ending(sendBackup.path)
      expectFailure(sending, 0)
      await page.route(sending, (route) => route.abort())
      const dialog = await open(t.restore)
      await dialog.locator('input[type=file]').setInputFiles(spoilt)
      await expect(reason(dialog)).toHaveText(t.restore.uploadFailed)
      await axe(page)
      await page.unroute(sending)
      expectFailure(ending(previewMerge.path), 422)
      const refusal = refusalOf(page)
      await dialog.getByRole('button', { name: t.merge.retry }).click()
      await expectReason(dialog, await refusal)
      await dialog.getByRole('button', { name: texts.common.cancel }).click()
    })

    await test.step('a list and a status that cannot be read are tried again', async () => {
      for (const { path } of [listBackups, readBackupStatus]) {
        expectFailure(ending(path), 500)
        await answerNothing(page, path)
      }
      await page.reload()
      await goToPlace(page, texts, '05')
      for (const sentence of [t.list.failed, t.line.failed]) await expect(block.getByText(sentence)).toBeVisible()
      await page.unrouteAll()
      await line.getByRole('button', { name: texts.common.retry }).click()
      await expect(line).toHaveAttribute('data-tone', 'missing')
      await expect(block.getByText('2 de noviembre de 2026')).toBeVisible()
      await list.getByRole('button', { name: texts.common.retry }).click()
      await expect(block.getByText(t.list.empty)).toBeVisible()
      await block.getByRole('button', { name: t.database.action }).click()
      await expect(rows).toHaveCount(1)
      await answerNothing(page, listBackups.path)
      await block.getByRole('button', { name: t.list.refresh }).click()
      await expect(notice(page)).toContainText(t.list.failed)
      await expect(rows).toHaveCount(1)
      await page.unrouteAll()
    })

    await test.step('an export is imported once, from pasted text, from a file and from a drop', async () => {
      const dialog = await open(t.import)
      const submit = dialog.getByRole('button', { name: t.import.submit, exact: true })
      const area = dialog.getByLabel(t.import.label)
      await area.fill('   ')
      await expect(submit).toBeDisabled()
      await area.fill('{ not json')
      await submit.click()
      await expectReason(dialog, t.import.invalid)
      await axe(page, { atBothSizes: true })
      const refusal = refusalOf(page)
      await area.fill('{"projects": [{"title": "Galleon"}]}')
      await expect(reason(dialog)).toHaveText(`${t.import.failed} ${await refusal}`)
      await expect(area).toHaveValue('{"projects": [{"title": "Galleon"}]}')
      expectFailure(/\/objects\/e+$/, 404)
      const projects = [aProject({ title: 'Galleon', imageUrl: `/objects/${'e'.repeat(64)}` })]
      const data = JSON.stringify({ projects, site: { fields: { 'en.hero.title': 'Ships', 'maker.city': 'Xalapa' } } })
      await area.fill(data)
      await expect(dialog.getByRole('checkbox', { name: t.preview.include('Galleon') })).toBeChecked()
      await expect(dialog.getByText(t.preview.missing(1))).toBeVisible()
      await expect(dialog.getByRole('region', { name: t.preview.site })).toContainText('Xalapa')
      // What another tab has imported meanwhile does not pass for this import, which never arrived.
      await ask(page, importData, { data: { projects: [aProject({ title: 'From another tab', imageUrl: oldPhoto })] } })
      expectFailure(ending(applyMerge.path), 0)
      await page.route(`**${applyMerge.path}`, (route) => route.abort())
      await submit.click()
      await expect(reason(dialog)).toHaveText(t.merge.lostUnchanged)
      await page.unroute(`**${applyMerge.path}`)
      const release = await holdBack(page, `**${applyMerge.path}`)
      // The second half of a double click.
      await submit.dispatchEvent('click', { detail: 2 })
      await submit.click()
      await expect(dialog.getByRole('button', { name: t.import.busy })).toBeDisabled()
      release()
      const told = t.report.site({ added: 2, broughtBack: 0 })
      await expect(notice(page)).toContainText(`${t.import.done(1, 0)}${told}`)
      for (const sentence of [t.report.missing(1), told]) await expect(block.getByText(sentence)).toBeVisible()
      await block.getByRole('button', { name: t.import.action }).click()
      await dialog.locator('input[type=file]').setInputFiles(aFile('again.txt', data))
      await expect(dialog.getByText(/^again\.txt \(/)).toBeVisible()
      await expect(dialog.getByText(t.preview.nothing)).toBeVisible()
      await dialog.getByRole('button', { name: t.import.another }).click()
      await bring(page, area, 'drop', Buffer.from(data))
      await expect(dialog.getByText(/^brought\.jpg \(/)).toBeVisible()
      await submit.click()
      await expect(notice(page)).toContainText(`${t.import.done(0, 0)}${t.report.unchanged}`)
    })

    await test.step('a backup without the photo is marked', async () => {
      await block.getByRole('button', { name: t.complete.action }).click()
      await expectReason(
        tile(t.complete),
        t.complete.missing(1, { projects: ['Galleon'], senders: [], others: 0, site: false }),
      )
      await expect(rows.filter({ hasText: '_without_1_photos.zip' }).getByText(t.list.missing(1))).toBeVisible()
      await expect(line).toContainText(t.line.warnings.not_whole(noFailure))
      await axe(page, { within: block })
    })
  })
}
