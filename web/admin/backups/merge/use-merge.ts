import { useMutation } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { type BackupStatus, readBackupStatus } from '#contract/backup-status.ts'
import type { InputOf } from '#contract/endpoint.ts'
import {
  applyMerge,
  dropBackupUpload,
  type MergePreview,
  type MergeSource,
  previewMerge,
  type RestoredReport,
} from '#contract/restores.ts'
import { CallError, call, callAny } from '../../../api/call.ts'
import { confirmed } from '../../confirmation/confirmed.ts'
import { leavePanel } from '../../leave-panel.ts'
import { useNotices } from '../../notices.ts'
import { isSignedOut } from '../../session.ts'
import { sentenceOf, useAdminTexts } from '../../texts.ts'
import { useRefresh, workKey } from '../backup-calls.ts'
import { useBackupTexts } from '../backup-texts.ts'
import type { MergeDialogProps } from './merge-dialog.tsx'
import { beforehand, NotDone, withOutcome } from './outcome.ts'
import { sendFile } from './send-file.ts'

type Given = { file: File; isPasted?: true } | { source: MergeSource }

type Run = {
  stage: 'choosing' | 'sending' | 'looking' | 'seen'
  given?: Given
  /** From 0 to 1. */
  sent: number
  isResumed: boolean
  source?: MergeSource
  preview?: MergePreview
  /** Why it stopped where it is. */
  error?: unknown
}

const nothingYet: Run = { stage: 'choosing', sent: 0, isResumed: false }

type Options = { mode: MergePreview['mode']; onFailure(error: unknown, stage: Run['stage'] | 'applying'): void }

/** An import or a restore on its way: a file is sent, looked at, and then done. */
export function useMerge({ mode, onFailure }: Options) {
  const [run, setRun] = useState(nothingYet)
  const under = useRef(new AbortController())
  /** What the server calls it. */
  const pastedText = useRef<string>(undefined)
  /** A file that was chosen stays, so that it is not sent twice; a text that was pasted is sent again in no time. */
  const leave = () => {
    under.current.abort()
    if (pastedText.current) dropSent(pastedText.current)
    pastedText.current = undefined
  }
  const leaveAtLast = useEffectEvent(leave)
  useEffect(() => () => leaveAtLast(), [])

  const applying = useApply({ mode, source: run.source, signal: () => under.current.signal })
  const begin = async (given: Given) => {
    leave()
    applying.reset()
    under.current = new AbortController()
    const { signal } = under.current
    let stage: Run['stage'] = 'source' in given ? 'looking' : 'sending'
    const update = (part: Partial<Run>) => !signal.aborted && setRun((before) => ({ ...before, ...part }))
    const onProgress = (sent: number, isResumed: boolean) => update({ sent, isResumed })
    setRun({ ...nothingYet, stage, given })
    try {
      const source = 'source' in given ? given.source : { upload: await sendFile(given.file, { signal, onProgress }) }
      if ('upload' in source && 'isPasted' in given) pastedText.current = source.upload
      stage = 'looking'
      update({ stage, source })
      const preview = await call(previewMerge, { body: { source, mode } }, { signal })
      update({ stage: 'seen', preview })
    } catch (error) {
      if (signal.aborted) return
      // These calls are no mutations, which would lead to the sign-in page by themselves.
      if (isSignedOut(error)) leavePanel('sessionEnded')
      update({ error })
      onFailure(error, stage)
    }
  }
  const forget = () => {
    leave()
    applying.reset()
    setRun(nothingYet)
  }
  const apply = async (without: number[]) => {
    const { signal } = under.current
    // The server reads it from now on, also when the answer is not waited for.
    const upload = pastedText.current
    pastedText.current = undefined
    try {
      return await applying.mutateAsync(without)
    } catch (error) {
      if (signal.aborted) return undefined
      pastedText.current = upload
      onFailure(error, 'applying')
      return undefined
    }
  }
  return {
    ...run,
    begin: (given: Given) => void begin(given),
    /** Where it stopped. */
    goOn: () => run.given && void begin(run.given),
    forget,
    apply,
    isApplying: applying.isPending,
    isLost: applying.isLost,
    applyError: applying.error,
  }
}

type Apply = { mode: MergePreview['mode']; source: MergeSource | undefined; signal(): AbortSignal }

function useApply({ mode, source, signal }: Apply) {
  const { afterMerge } = useRefresh()
  const [isLost, setLost] = useState(false)
  const readState = () => call(readBackupStatus)
  const mutation = useMutation({
    mutationKey: workKey,
    mutationFn: (without: number[]): Promise<RestoredReport> => {
      if (!source) throw new Error('There is nothing to restore.')
      setLost(false)
      let before: string | undefined
      const endIn = ({ lastMerge }: BackupStatus) => (lastMerge && lastMerge.id !== before ? lastMerge : undefined)
      const work = async () => {
        // Read anew: what another tab has restored meanwhile is not the end of this one.
        before = (await beforehand(readState())).lastMerge?.id
        return callAny(applyMerge, { body: { source, mode, without } } satisfies InputOf<typeof applyMerge>)
      }
      return withOutcome(() => confirmed(work), { onLost: () => setLost(true), readState, endIn, signal: signal() })
    },
    onSettled: () => setLost(false),
    onSuccess: afterMerge,
  })
  return { ...mutation, isLost }
}

/** A file that nobody wants any more. Where that fails, the server lets it go by itself some time later. */
function dropSent(id: string) {
  void call(dropBackupUpload, { params: { id } }).catch(() => {})
}

type DialogOptions = { mode: MergePreview['mode']; done(report: RestoredReport): string; failed: string } & Pick<
  MergeDialogProps,
  'onClose' | 'hold'
>

/** What the dialogs of importing and restoring have in common: what is left out, what is said, and how it ends. */
export function useMergeDialog({ mode, done, failed, onClose, hold }: DialogOptions) {
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
