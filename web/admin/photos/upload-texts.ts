import { type UploadTexts, uploadEn } from '#content/en.upload.ts'
import { uploadEs } from '#content/es.upload.ts'
import type { Language } from '#contract/languages.ts'
import { useLanguage } from '../../language/language.tsx'

const allTexts: Record<Language, UploadTexts> = { en: uploadEn, es: uploadEs }

export function useUploadTexts() {
  return allTexts[useLanguage().language]
}
