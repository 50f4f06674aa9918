import type { Locator, Page } from '@playwright/test'
import { type ContactFormTexts, contactForm as contactFormEn } from '#content/en/contact-form.ts'
import { type OpenProjectTexts, openProject as openProjectEn } from '#content/en/open-project.ts'
import { type SectionTexts, sections as sectionsEn } from '#content/en/sections.ts'
import { site as en, type Texts } from '#content/en/site.ts'
import { contactForm as contactFormEs } from '#content/es/contact-form.ts'
import { openProject as openProjectEs } from '#content/es/open-project.ts'
import { sections as sectionsEs } from '#content/es/sections.ts'
import { site as es } from '#content/es/site.ts'
import type { Language } from '#contract/languages.ts'
import { demoProjects } from '#demo/projects.ts'

/** What depends on the screen or on the length of words is told by a visitor of either language. */
export const visitors: readonly {
  language: Language
  texts: Texts
  sections: SectionTexts
  words: OpenProjectTexts
  formWords: ContactFormTexts
}[] = [
  { language: 'en', texts: en, sections: sectionsEn, words: openProjectEn, formWords: contactFormEn },
  { language: 'es', texts: es, sections: sectionsEs, words: openProjectEs, formWords: contactFormEs },
]

/** The contact form, by its labels. */
export function formOf(page: Page, { contact: { form } }: Texts, { photos }: ContactFormTexts) {
  const whole = page.getByRole('form', { name: form.title })
  return {
    whole,
    name: whole.getByLabel(form.name, { exact: false }).first(),
    email: whole.getByLabel(form.email),
    projectType: whole.getByLabel(form.projectType),
    message: whole.getByLabel(form.message),
    photos: whole.locator('input[type="file"]').and(whole.getByLabel(photos.label)),
    submit: whole.locator('button[type="submit"]'),
  }
}

/** Where the language changes nothing else, a journey is told once: in English on a desktop, in Spanish on a phone. */
export const inEnglish = visitors.filter(({ language }) => language === 'en')
export const inSpanish = visitors.filter(({ language }) => language === 'es')

export function titleOf(photo: string, language: Language) {
  const project = demoProjects.find((each) => each.photo === photo)
  if (!project) throw new Error(`There is no demo project with the photo ${photo}.`)
  return project.translations?.[language]?.title ?? project.title
}

export function gallery(page: Page, texts: Texts): Locator {
  return page.getByRole('region', { name: texts.gallery.title, exact: true })
}

/** The card of a project in the gallery. */
export function card(page: Page, texts: Texts, title: string): Locator {
  return gallery(page, texts).getByRole('link', { name: title })
}

/** Opens the site's menu where the screen is too small to show it. */
export async function openMenu(page: Page, texts: Texts) {
  const toggle = page.getByRole('button', { name: texts.navigation.openMenu })
  if (await toggle.isVisible()) await toggle.click()
}
