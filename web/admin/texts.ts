import { type AdminTexts, adminEn } from '#content/en/admin.ts'
import { adminEs } from '#content/es/admin.ts'
import type { Language } from '#contract/languages.ts'
import { CallError } from '../api/call.ts'
import { useLanguage } from '../language/language.tsx'

const allTexts: Record<Language, AdminTexts> = { en: adminEn, es: adminEs }

/** The words of the panel in the chosen language. */
export function useAdminTexts() {
  return allTexts[useLanguage().language]
}

/** The beginnings of letters, in the language of the one they are to. */
export function letterIn(language: Language, brand: string) {
  return allTexts[language].contacts.letter(brand)
}

/** What the server said, else the given sentence. */
export function sentenceOf(error: unknown, fallback: string, t: AdminTexts) {
  const said = error instanceof CallError && error.problem ? t.problem(error.problem) : undefined
  return said ?? fallback
}

export function dateIn(t: AdminTexts, moment: string, style: 'day' | 'minute' = 'day') {
  const format: Intl.DateTimeFormatOptions =
    style === 'day' ? { dateStyle: 'medium' } : { dateStyle: 'medium', timeStyle: 'short' }
  return new Intl.DateTimeFormat(t.locale, format).format(new Date(moment))
}
