import { type ContactFormTexts, contactFormEn } from '#content/en/contact-form.ts'
import { contactFormEs } from '#content/es/contact-form.ts'
import type { Language } from '#contract/languages.ts'
import { useLanguage } from '../../language/language.tsx'

const allTexts: Record<Language, ContactFormTexts> = { en: contactFormEn, es: contactFormEs }

export function useContactFormTexts() {
  return allTexts[useLanguage().language]
}
