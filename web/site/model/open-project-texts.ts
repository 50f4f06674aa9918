import { type OpenProjectTexts, openProjectEn } from '#content/en/open-project.ts'
import { openProjectEs } from '#content/es/open-project.ts'
import type { Language } from '#contract/languages.ts'
import { useLanguage } from '../../language/language.tsx'

const allTexts: Record<Language, OpenProjectTexts> = { en: openProjectEn, es: openProjectEs }

export function useOpenProjectTexts() {
  return allTexts[useLanguage().language]
}
