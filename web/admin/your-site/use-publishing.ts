import { useState } from 'react'
import { withReason } from '../failures.ts'
import { useNotices } from '../notices.ts'
import { useAdminTexts, useYourSiteTexts } from '../texts.ts'
import { isSiteChanged, type ReadDraft } from './site-calls.ts'

/** Publishes the draft or an earlier version, and offers the way back. */
export function usePublishing({ content, publish, bringBack }: ReadDraft) {
  const t = useYourSiteTexts()
  const admin = useAdminTexts()
  const notices = useNotices()
  /** The number of the version that is being brought back, or the draft. */
  const [busy, setBusy] = useState<number | 'draft'>()

  const failed = (error: unknown, sentence: string, changed = t.publish.publishedSince) =>
    notices.failed(error, isSiteChanged(error) ? changed : withReason(sentence, error, admin))
  /** What offered it may be gone by then. */
  const undo = async (number: number) => {
    const before = number - 1
    try {
      await bringBack(before, number)
      notices.done(t.publish.undone(before))
    } catch (error) {
      failed(error, t.publish.undoFailed)
    }
  }
  const run = async (what: number | 'draft') => {
    if (busy !== undefined) return false
    setBusy(what)
    try {
      const { published } = what === 'draft' ? await publish() : await bringBack(what, content.published.number)
      notices.done(what === 'draft' ? t.publish.done : t.publish.undone(what), {
        action: { label: t.publish.undo, hint: t.publish.undoHint, run: () => void undo(published.number) },
      })
      return true
    } catch (error) {
      if (what === 'draft') failed(error, t.publish.failed, t.publish.changed)
      else failed(error, t.versions.bringBackFailed)
      return false
    } finally {
      setBusy(undefined)
    }
  }
  return { busy, publish: () => run('draft'), bringBack: (number: number) => run(number) }
}
