import type { Locator, Page } from '@playwright/test'
import { type AdminTexts, admin as adminEn } from '#content/en/admin.ts'
import { admin as adminEs } from '#content/es/admin.ts'
import { signIn } from '#contract/accounts.ts'
import { type Language, languageKey, languageTitle } from '#contract/languages.ts'
import { aGrainyPhoto } from '../photos.ts'
import { alive } from './alive.ts'

/** The maker works in either language. */
export const makers: readonly { language: Language; t: AdminTexts }[] = [
  { language: 'en', t: adminEn },
  { language: 'es', t: adminEs },
]

/** Most journeys are told once, and where the language changes nothing else: in English on a desktop, in Spanish on a phone. */
export const inEnglish = makers.filter(({ language }) => language === 'en')
export const inSpanish = makers.filter(({ language }) => language === 'es')

export const makerAccount = { username: 'maker', password: 'a long password' } as const
/** Settings of a site that has this account and nothing else: no demo, no projects. */
export const makersOwn = { ADMIN_USERNAME: makerAccount.username, ADMIN_PASSWORD: makerAccount.password } as const

export async function chooseLanguage(page: Page, url: string, language: Language) {
  await page.context().addCookies([{ name: languageKey, value: language, url }])
}

/** Signed in without the page: for every test that is about something else. */
export async function enterPanel(page: Page, url: string, account: { username: string; password: string } = makerAccount) {
  const answer = await page.request.post(`${url}${signIn.path}`, { data: account })
  if (!answer.ok()) throw new Error(`Could not sign in: ${await answer.text()}`)
  await page.goto(`${url}/admin`)
}

/** The sign-in page, as somebody fills it in. */
export async function signInByHand(page: Page, t: AdminTexts, account: { username: string; password: string }) {
  await page.getByLabel(t.signIn.username).fill(account.username)
  await page.getByLabel(t.signIn.password, { exact: true }).fill(account.password)
  await page.getByRole('button', { name: t.signIn.submit }).click()
}

/** Signed in by hand, and the dashboard is there with its lists. */
export async function arriveAtDashboard(page: Page, t: AdminTexts) {
  await page.getByRole('heading', { level: 1, name: t.dashboard.title }).waitFor()
  await alive(page)
}

/** What the panel still reads at that moment is refused. */
export async function signOutByHand(page: Page, t: AdminTexts, expectFailure: (path: RegExp, status: number) => void) {
  expectFailure(/\/api\/(admin\/(?!login)|contacts)/, 401)
  await page.getByRole('button', { name: t.dashboard.logout }).click()
}

/** By the bar that stays: on a phone a part of the dashboard is alone then. */
export async function goToPlace(page: Page, t: AdminTexts, place: keyof AdminTexts['dashboard']['blockNames']) {
  const bar = page.getByRole('navigation', { name: t.dashboard.blocks })
  await bar.getByRole('link', { name: t.dashboard.blockNames[place] }).click()
}

/** The notice that is shown now. */
export function notice(page: Page): Locator {
  return page.getByRole('region', { name: /Notifications|Notificaciones/ }).getByRole('listitem')
}

/** Waits for a notice and makes it stay: its five seconds do not pass while the window is in the background. */
export async function keepNotice(page: Page) {
  await notice(page).waitFor()
  await page.evaluate(() => dispatchEvent(new Event('blur')))
}

/** Closes the notice that is shown, unless its five seconds have passed already. */
export async function sendNoticeAway(page: Page) {
  const close = notice(page).getByRole('button')
  await close.evaluateAll((buttons: HTMLElement[]) => buttons.at(-1)?.click())
  await notice(page).waitFor({ state: 'detached' })
}

/** The row of a list that has this heading. */
export function row(place: Page | Locator, heading: string): Locator {
  const page = 'page' in place ? place.page() : place
  return place.getByRole('listitem').filter({ has: page.getByRole('heading', { name: heading, exact: true }) })
}

export const aWrittenProject = {
  title: 'Paddle steamer "Usumacinta"',
  category: 'ships',
  imageUrl: 'https://older-site.example/steamer.jpg',
  description: 'A river steamer with her awnings down.',
  scale: '1:75',
  timeSpent: '480',
  materials: 'Pear wood, brass',
  techniques: 'Planking, soldering',
} as const

/** As many different photos, for a field that takes several. */
export function photoFiles(count: number) {
  return Promise.all(
    Array.from({ length: count }, async (_, index) => ({
      name: `rivets-${index + 1}.jpg`,
      mimeType: 'image/jpeg',
      buffer: await aGrainyPhoto({ width: 60, height: 40 }),
    })),
  )
}

/** A drop or a paste of a photo, beside a text if one is given, as the browser tells the page of it. */
export async function bring(page: Page, target: Locator, how: 'drop' | 'paste', photo: Buffer, text = '') {
  const files = await page.evaluateHandle(
    ({ bytes, text }) => {
      const transfer = new DataTransfer()
      if (text) transfer.setData('text/plain', text)
      transfer.items.add(new File([new Uint8Array(bytes)], 'brought.jpg', { type: 'image/jpeg' }))
      return transfer
    },
    { bytes: [...photo], text },
  )
  await target.evaluate(
    (element, { how, files }) => {
      const options = { bubbles: true, cancelable: true }
      const event =
        how === 'drop'
          ? new DragEvent('drop', { ...options, dataTransfer: files })
          : new ClipboardEvent('paste', { ...options, clipboardData: files })
      element.dispatchEvent(event)
    },
    { how, files },
  )
}

export async function writeProject(
  form: Locator,
  t: AdminTexts,
  project: Partial<Record<keyof typeof aWrittenProject, string>>,
) {
  const f = t.projectForm
  const { title, category, imageUrl, description, scale, timeSpent, materials, techniques } = project
  if (title !== undefined) await field(form, f.labels.title).fill(title)
  if (category !== undefined) await field(form, f.labels.category).selectOption(category)
  if (imageUrl !== undefined) {
    await photosPart(form)
      .getByRole('button', { name: /https:/ })
      .click()
    await form.getByLabel(t.photo.address).fill(imageUrl)
    await form.getByLabel(t.photo.address).press('Enter')
  }
  if (description !== undefined) await field(form, f.labels.description).fill(description)
  if (scale !== undefined) await field(form, f.labels.scale).fill(scale)
  if (timeSpent !== undefined) await field(form, f.labels.timeSpent).fill(timeSpent)
  if (materials !== undefined) await field(form, f.labels.materials).fill(materials)
  if (techniques !== undefined) await field(form, f.labels.techniques).fill(techniques)
}

/** The cover and the other photos, where they are added and put in order. */
export function photosPart(form: Locator): Locator {
  return form.getByRole('group', { name: /^(Photos|Fotos) / })
}

/** The texts of the form in this language. */
export async function showTextsIn(form: Locator, language: Language, panelLanguage: Language) {
  await form.getByRole('radio', { name: new RegExp(`^${languageTitle(language, panelLanguage)}`) }).check()
}

/** A field by its label, whose asterisk is read out as a word. */
export function field(form: Locator, label: string): Locator {
  return form.getByLabel(new RegExp(`^${label}( \\*)? ?\\((required|obligatorio)\\)$|^${label}$`))
}
