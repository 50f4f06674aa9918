import { withReason } from '../failures.ts'
import { useNotices } from '../notices.ts'
import { useAdminTexts } from '../texts.ts'
import { usePutStepsAway } from './first-steps-calls.ts'

export const firstStepsPlace = 'first-steps'

/** Puts the list away or brings it back; the keyboard goes to where it stands or stood. */
export function usePuttingAway() {
  const texts = useAdminTexts()
  const t = texts.firstSteps
  const notices = useNotices()
  const { mutateAsync, isPending } = usePutStepsAway()
  const putAway = async (away: boolean) => {
    try {
      await mutateAsync(away)
    } catch (error) {
      return notices.failed(error, withReason(away ? t.awayFailed : t.showFailed, error, texts))
    }
    const place = document.getElementById(firstStepsPlace)
    place?.focus({ preventScroll: true })
    if (!away) return place?.scrollIntoView()
    const { undo: label, undoHint: hint } = texts.projects
    notices.done(t.isAway, { note: t.whereAway, action: { label, hint, run: () => void putAway(false) } })
  }
  return { putAway: (away: boolean) => void putAway(away), isPending }
}
