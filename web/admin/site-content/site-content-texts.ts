import { type YourSiteTexts, yourSiteEn } from '#content/en/your-site.ts'
import { yourSiteEs } from '#content/es/your-site.ts'
import type { Language } from '#contract/languages.ts'
import { useLanguage } from '../../language/language.tsx'

const allTexts: Record<Language, YourSiteTexts> = { en: yourSiteEn, es: yourSiteEs }

export function useYourSiteTexts() {
  return allTexts[useLanguage().language]
}
