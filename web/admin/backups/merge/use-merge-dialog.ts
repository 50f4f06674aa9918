import { useEffect, useState } from 'react'
import type { MergePreview, RestoredReport } from '#contract/restores.ts'
import { CallError } from '../../../api/call.ts'
import { useNotices } from '../../notices.ts'
import { sentenceOf, useAdminTexts, useBackupTexts } from '../../texts.ts'
import type { MergePartProps } from './later-merge.tsx'
import { NotDone } from './outcome.ts'
import { useMerge } from './use-merge.ts'

type Options = { mode: MergePreview['mode']; done(report: RestoredReport): string; failed: string } & Pick<
  MergePartProps,
  'onClose' | 'hold'
>

/** What the dialogs of importing and restoring have in common: what is left out, what is said, and how it ends. */
export function useMergeDialog({ mode, done, failed, onClose, hold }: Options) {
  const t = useBackupTexts()
  const admin = useAdminTexts()
  const notices = useNotices()
  const [without, setWithout] = useState<ReadonlySet<number>>(new Set())
  const fallback = (error: unknown, stage: string) => {
    if (error instanceof NotDone) return t.merge.lostUndone
    if (stage === 'sending') return error instanceof CallError ? failed : t.restore.uploadFailed
    return stage === 'looking' ? t.merge.lookFailed : failed
  }
  const sentence = (error: unknown, stage: string) => {
    const reason = sentenceOf(error, fallback(error, stage), admin)
    return mode === 'import' && stage === 'looking' ? `${failed}\n${reason}` : reason
  }
  const lasting = (error: unknown, stage: string) => notices.lasting(error, failed) && sentence(error, stage)
  const merge = useMerge({ mode, onFailure: (error, stage) => notices.failed(error, sentence(error, stage)) })
  const isHeld = merge.isApplying && !merge.isLost
  useEffect(() => hold(isHeld), [hold, isHeld])
  const apply = async () => {
    const report = await merge.apply([...without])
    if (!report) return
    notices.done(done(report), { note: report.restorePoint ? t.report.site(report.site) : t.report.unchanged })
    onClose()
  }
  return {
    merge,
    without,
    setWithout,
    begin(given: Parameters<typeof merge.begin>[0]) {
      setWithout(new Set())
      merge.begin(given)
    },
    apply: () => void apply(),
    isBusy: merge.isApplying,
    isHeld,
    /** Why it stopped, where it did. */
    problem: merge.isApplying ? undefined : (lasting(merge.error, merge.stage) ?? lasting(merge.applyError, 'applying')),
  }
}
