import { useState } from 'react'
import { withReason } from '../failures.ts'
import { useNotices } from '../notices.ts'
import { useAdminTexts } from '../texts.ts'
import { isSiteChanged, type ReadDraft } from './site-calls.ts'
import { useYourSiteTexts } from './your-site-texts.ts'

/** Publishes the draft or an earlier version, and offers the way back. */
export function usePublishing({ publish, bringBack }: ReadDraft) {
  const t = useYourSiteTexts()
  const admin = useAdminTexts()
  const notices = useNotices()
  /** The number of the version that is being brought back, or the draft. */
  const [busy, setBusy] = useState<number | 'draft'>()

  const failed = (error: unknown, sentence: string) =>
    notices.failed(error, isSiteChanged(error) ? t.publish.changed : withReason(sentence, error, admin))
  /** What offered it may be gone by then. */
  const undo = async (before: number) => {
    try {
      await bringBack(before)
      notices.done(t.publish.undone(before))
    } catch (error) {
      failed(error, t.publish.undoFailed)
    }
  }
  const run = async (what: number | 'draft') => {
    if (busy !== undefined) return false
    setBusy(what)
    try {
      const { published } = what === 'draft' ? await publish() : await bringBack(what)
      notices.done(what === 'draft' ? t.publish.done : t.publish.undone(what), {
        action: { label: t.publish.undo, hint: t.publish.undoHint, run: () => void undo(published.number - 1) },
      })
      return true
    } catch (error) {
      failed(error, what === 'draft' ? t.publish.failed : t.versions.bringBackFailed)
      return false
    } finally {
      setBusy(undefined)
    }
  }
  return { busy, publish: () => run('draft'), bringBack: (number: number) => run(number) }
}
