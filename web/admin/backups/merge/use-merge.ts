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
import { useNotices } from '../../notices.ts'
import { isSignedOut, leavePanel } from '../../session.ts'
import { sentenceOf, useAdminTexts, useBackupTexts } from '../../texts.ts'
import { useRefresh, workKey } from '../backup-calls.ts'
import type { MergeDialogProps } from './merge-dialog.tsx'
import { beforehand, NotDone, withOutcome } from './outcome.ts'
import { sendFile } from './send-file.ts'

type MergeInput = { file: File; isPasted?: true } | { source: MergeSource }

type Run = {
  stage: 'choosing' | 'sending' | 'looking' | 'seen'
  input?: MergeInput
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

/** The steps of an import or a restore: send a file, preview it, merge it. */
export function useMerge({ mode, onFailure }: Options) {
  const [run, setRun] = useState(nothingYet)
  const under = useRef(new AbortController())
  /** The id of the upload. */
  const pastedText = useRef<string>(undefined)
  /** A chosen file stays on the server, so that it is not sent twice; a pasted text is small and is removed. */
  const leave = () => {
    under.current.abort()
    if (pastedText.current) dropSent(pastedText.current)
    pastedText.current = undefined
  }
  const leaveAtLast = useEffectEvent(leave)
  useEffect(() => () => leaveAtLast(), [])

  const applying = useApply({ mode, source: run.source, signal: () => under.current.signal })
  const begin = async (input: MergeInput) => {
    leave()
    applying.reset()
    under.current = new AbortController()
    const { signal } = under.current
    let stage: Run['stage'] = 'source' in input ? 'looking' : 'sending'
    const update = (part: Partial<Run>) => !signal.aborted && setRun((before) => ({ ...before, ...part }))
    const onProgress = (sent: number, isResumed: boolean) => update({ sent, isResumed })
    setRun({ ...nothingYet, stage, input })
    try {
      const source = 'source' in input ? input.source : { upload: await sendFile(input.file, { signal, onProgress }) }
      if ('upload' in source && 'isPasted' in input) pastedText.current = source.upload
      stage = 'looking'
      update({ stage, source })
      const preview = await call(previewMerge, { body: { source, mode } }, { signal })
      update({ stage: 'seen', preview })
    } catch (error) {
      if (signal.aborted) return
      // Only mutations lead to the sign-in page by themselves.
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
    // Not removed from now on: the server reads it, even if this page is closed.
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
    begin: (input: MergeInput) => void begin(input),
    /** Where it stopped. */
    goOn: () => run.input && void begin(run.input),
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
  const readStatus = () => call(readBackupStatus)
  const mutation = useMutation({
    mutationKey: workKey,
    mutationFn: (without: number[]): Promise<RestoredReport> => {
      if (!source) throw new Error('There is nothing to restore.')
      setLost(false)
      let before: string | undefined
      const resultIn = ({ lastMerge }: BackupStatus) => (lastMerge && lastMerge.id !== before ? lastMerge : undefined)
      const work = async () => {
        // Otherwise a merge of another tab would be taken for this one.
        before = (await beforehand(readStatus())).lastMerge?.id
        return callAny(applyMerge, { body: { source, mode, without } } satisfies InputOf<typeof applyMerge>)
      }
      return withOutcome(() => confirmed(work), { onLost: () => setLost(true), readStatus, resultIn, signal: signal() })
    },
    onSettled: () => setLost(false),
    onSuccess: afterMerge,
  })
  return { ...mutation, isLost }
}

/** Where this fails, the server sweeps the upload after two days. */
function dropSent(id: string) {
  void call(dropBackupUpload, { params: { id } }).catch(() => {})
}

type DialogOptions = { mode: MergePreview['mode']; done(report: RestoredReport): string; failed: string } & Pick<
  MergeDialogProps,
  'onClose' | 'hold'
>

/** Shared by the dialogs of import and restore: what is left out, messages, and the end. */
export function useMergeDialog({ mode, done, failed, onClose, hold }: DialogOptions) {
  const t = useBackupTexts()
  const admin = useAdminTexts()
  const notices = useNotices()
  const [without, setWithout] = useState<ReadonlySet<number>>(new Set())
  const fallback = (error: unknown, stage: string) => {
    if (error instanceof NotDone) return t.merge.lostUnchanged
    if (stage === 'sending') return error instanceof CallError ? failed : t.restore.uploadFailed
    return stage === 'looking' ? t.merge.previewFailed : failed
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
    begin(input: Parameters<typeof merge.begin>[0]) {
      setWithout(new Set())
      merge.begin(input)
    },
    apply: () => void apply(),
    isBusy: merge.isApplying,
    isHeld,
    /** Why it stopped, where it did. */
    problem: merge.isApplying ? undefined : (lasting(merge.error, merge.stage) ?? lasting(merge.applyError, 'applying')),
  }
}
