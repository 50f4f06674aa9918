import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { ReplyOf } from '#contract/endpoint.ts'
import {
  applyMerge,
  type MergePreview,
  type MergeSource,
  previewMerge,
  type RestoredReport,
  sendBackup,
} from '#contract/restores.ts'
import { addressOf, call, callAny } from '../../../api/call.ts'
import { sendBytes } from '../../../api/send-bytes.ts'
import { useNotices } from '../../notices.ts'
import { useBackupTexts } from '../../texts.ts'
import { useMergeCall, workKey } from '../backup-calls.ts'
import { NotDone } from './outcome.ts'

async function sendFile(file: File, how: { signal: AbortSignal; onProgress(sent: number): void }): Promise<MergeSource> {
  const answer = await sendBytes(file, { method: 'POST', url: addressOf(sendBackup), ...how })
  return { upload: (JSON.parse(answer) as ReplyOf<typeof sendBackup>).id, filename: file.name }
}

/** The steps of an import or a restore: send a file, preview it, merge it. */
export function useMerge(mode: MergePreview['mode']) {
  const t = useBackupTexts()
  const notices = useNotices()
  const [sent, setSent] = useState(0)
  const [without, setWithout] = useState<ReadonlySet<number>>(new Set())
  const shown = useRef(new AbortController())
  useEffect(() => () => shown.current.abort(), [])

  const send = useMutation({
    mutationKey: [workKey[0], 'send'],
    mutationFn: (file: File) => sendFile(file, { signal: shown.current.signal, onProgress: setSent }),
  })
  const preview = useMutation({
    mutationKey: workKey,
    mutationFn: (source: MergeSource) => call(previewMerge, { body: { source, mode } }, { signal: shown.current.signal }),
  })
  const merge = useMergeCall(
    (source: MergeSource): Promise<RestoredReport> => callAny(applyMerge, { body: { source, mode, without: [...without] } }),
  )

  const { failed } = t[mode]
  const previewProblem = (error: unknown) => {
    const reason = notices.lasting(error, t.merge.previewFailed)
    return reason && mode === 'import' ? `${failed}\n${reason}` : reason
  }
  const sendProblem = (error: unknown) => notices.lasting(error, t.restore.uploadFailed)
  const mergeProblem = (error: unknown) => notices.lasting(error, error instanceof NotDone ? t.merge.lostUnchanged : failed)
  const report = (sentence: string | undefined) => sentence && notices.fail(sentence)

  const look = (source: MergeSource) => preview.mutate(source, { onError: (error) => report(previewProblem(error)) })
  const forget = () => {
    for (const step of [send, preview, merge]) step.reset()
    shown.current.abort()
    shown.current = new AbortController()
    setWithout(new Set())
    setSent(0)
  }
  const begin = (input: File | MergeSource) => {
    forget()
    if (!(input instanceof File)) return look(input)
    send.mutate(input, { onSuccess: look, onError: (error) => report(sendProblem(error)) })
  }
  return {
    /** Sends a file unless it is on the server, and previews it. */
    begin,
    forget,
    /** After a failure, from where it stopped. */
    goOn: () => (send.error ? begin(send.variables) : preview.variables && look(preview.variables)),
    merge: (onDone: (report: RestoredReport) => void) =>
      preview.variables &&
      merge.mutate(preview.variables, { onSuccess: onDone, onError: (error) => report(mergeProblem(error)) }),
    isIdle: send.isIdle && preview.isIdle,
    step: send.isPending ? 'sending' : preview.isPending ? 'previewing' : merge.isPending ? 'merging' : undefined,
    /** Of the file, from 0 to 1. */
    sent,
    preview: preview.data,
    without,
    setWithout,
    isLost: merge.isLost,
    stopped: send.error ? 'sending' : preview.error ? 'previewing' : undefined,
    problem: sendProblem(send.error) ?? previewProblem(preview.error) ?? mergeProblem(merge.error),
  }
}
