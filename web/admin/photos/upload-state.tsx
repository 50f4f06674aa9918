import { CallError } from '../../api/call.ts'
import { cn } from '../../ui/cn.ts'
import { sentenceOf, useAdminTexts, useUploadTexts } from '../texts.ts'
import type { Upload } from './photo-uploads.ts'
import { causeOf } from './send-photo.ts'

/** Why a photo was refused or did not arrive; undefined for one on its way. */
export function useUploadFault() {
  const texts = useUploadTexts()
  const admin = useAdminTexts()
  return ({ name, refusal, error }: Pick<Upload, 'name' | 'refusal' | 'error'>) => {
    if (refusal) return refusal === 'tooLarge' ? texts.tooLarge(name) : texts.refusals[refusal]
    if (error === undefined) return undefined
    const cause = causeOf(error)
    return sentenceOf(cause, cause instanceof CallError ? texts.unanswered : texts.interrupted, admin)
  }
}

const progressLooks = cn(
  'h-1.5 w-28 max-w-full appearance-none sm:w-40 bg-(--line) [&::-webkit-progress-bar]:bg-(--line)',
  '[&::-webkit-progress-value]:bg-brass-deep [&::-moz-progress-bar]:bg-brass-deep',
)

/** How far a photo is on its way; why it did not arrive is said beside it. */
export function UploadState({ upload: { name, state, sent }, sending }: { upload: Upload; sending?: string }) {
  const texts = useUploadTexts()
  const t = texts.photos
  if (state === 'refused' || state === 'failed') return <p className="text-sm text-(--danger)">{texts.failed}</p>
  const percent = t.sending(Math.round(sent * 100))
  return (
    <p className="flex items-center gap-3 text-sm text-(--quiet)">
      {state === 'sending' && <progress value={sent} aria-label={name} className={progressLooks} />}
      {state === 'waiting' ? t.waiting : sent === 1 ? t.checking : [sending, percent].filter(Boolean).join(' · ')}
    </p>
  )
}
