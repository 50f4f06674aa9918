import { withReason } from '../failures.ts'
import { useNotices } from '../notices.ts'
import { useAdminTexts } from '../texts.ts'
import { useBringBackDemoProjects, useRemoveDemoProjects } from './first-steps-calls.ts'

/** Puts the models of the demo into the trash, and exactly those back when that is undone. */
export function useDemoRemoval() {
  const texts = useAdminTexts()
  const { demo: t } = texts.firstSteps
  const notices = useNotices()
  const removal = useRemoveDemoProjects()
  const { mutateAsync: bringBack } = useBringBackDemoProjects()
  const undo = async (ids: string[]) => {
    try {
      const { broughtBack } = await bringBack(ids)
      if (broughtBack > 0) notices.done(t.back(broughtBack))
      else notices.fail(t.notInTrash)
    } catch (error) {
      notices.failed(error, withReason(t.backFailed, error, texts))
    }
  }
  const remove = async () => {
    try {
      const { removed } = await removal.mutateAsync(undefined)
      const { undo: label, undoHint: hint } = texts.projects
      if (removed.length === 0) notices.done(t.noneLeft)
      else notices.done(t.removed(removed.length), { action: { label, hint, run: () => void undo(removed) } })
    } catch (error) {
      notices.failed(error, withReason(t.removeFailed, error, texts))
    }
  }
  return { remove: () => void remove(), isPending: removal.isPending }
}
