import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { BackupState } from '#contract/backup-care.ts'
import {
  applyMerge,
  dropBackupUpload,
  type MergePreview,
  type MergeSource,
  previewMerge,
  type RestoredReport,
} from '#contract/restores.ts'
import { call } from '../../../api/call.ts'
import { callConfirmed } from '../../confirmation/confirmed.ts'
import { stateQuery, useRefresh, workKey } from '../backup-calls.ts'
import { withOutcome } from './outcome.ts'
import { sendFile } from './send-file.ts'

type Given = { file: File } | { source: MergeSource }

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
  const pasted = useRef<MergeSource>(undefined)
  /** An archive stays, so that the same file is not sent twice; a text that was pasted is sent again in no time. */
  const leave = () => {
    under.current.abort()
    dropSent(pasted.current)
    pasted.current = undefined
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
      if (mode === 'import') pasted.current = source
      stage = 'looking'
      update({ stage, source })
      const preview = await call(previewMerge, { body: { source, mode } }, { signal })
      update({ stage: 'seen', preview })
    } catch (error) {
      if (signal.aborted) return
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
    try {
      const report = await applying.mutateAsync(without)
      pasted.current = undefined
      return report
    } catch (error) {
      if (!under.current.signal.aborted) onFailure(error, 'applying')
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
  const cache = useQueryClient()
  const { afterMerge } = useRefresh()
  const [isLost, setLost] = useState(false)
  const readState = () => cache.fetchQuery({ ...stateQuery, staleTime: 0 })
  const mutation = useMutation({
    mutationKey: workKey,
    mutationFn: (without: number[]): Promise<RestoredReport> => {
      if (!source) throw new Error('There is nothing to restore.')
      setLost(false)
      const before = cache.getQueryData(stateQuery.queryKey)?.lastMerge?.id
      const endIn = ({ lastMerge }: BackupState) => (lastMerge && lastMerge.id !== before ? lastMerge : undefined)
      const work = () => callConfirmed(applyMerge, { body: { source, mode, without } })
      return withOutcome(work, { onLost: () => setLost(true), readState, endIn, signal: signal() })
    },
    onSettled: () => setLost(false),
    onSuccess: afterMerge,
  })
  return { ...mutation, isLost }
}

/** A file that nobody wants any more. Where that fails, the server lets it go by itself some time later. */
function dropSent(source: MergeSource | undefined) {
  if (source && 'upload' in source) void call(dropBackupUpload, { params: { id: source.upload } }).catch(() => {})
}
