import type { AdminTexts } from '#content/en/admin.ts'
import { type UploadTexts, uploadEn } from '#content/en/upload.ts'
import { uploadEs } from '#content/es/upload.ts'
import type { Language } from '#contract/languages.ts'
import { CallError } from '../../api/call.ts'
import { useLanguage } from '../../language/language.tsx'
import { sentenceOf } from '../texts.ts'
import { causeOf } from './send-photo.ts'

const allTexts: Record<Language, UploadTexts> = { en: uploadEn, es: uploadEs }

export function useUploadTexts() {
  return allTexts[useLanguage().language]
}

/** Why a photo did not arrive. */
export function failureSentence(error: unknown, texts: UploadTexts, admin: AdminTexts) {
  const cause = causeOf(error)
  return sentenceOf(cause, cause instanceof CallError ? texts.unanswered : texts.interrupted, admin)
}
