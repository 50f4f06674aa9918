import type { AdminTexts } from '#content/en/admin.ts'
import type { UploadTexts } from '#content/en/upload.ts'
import { CallError } from '../../api/call.ts'
import { sentenceOf } from '../texts.ts'
import { causeOf } from './send-photo.ts'

/** Why a photo did not arrive. */
export function failureSentence(error: unknown, texts: UploadTexts, admin: AdminTexts) {
  const cause = causeOf(error)
  return sentenceOf(cause, cause instanceof CallError ? texts.unanswered : texts.interrupted, admin)
}
