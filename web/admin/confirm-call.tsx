import type { UseMutationResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ActionError, withReason } from './action-error.tsx'
import { ConfirmDialog } from './dialog.tsx'
import { useNotices } from './notices.ts'
import { useAdminTexts } from './texts.ts'

type Props<Input, Answer> = {
  call: UseMutationResult<Answer, Error, Input>
  input: Input
  title: string
  text: string
  /** The labels of the button, before and while it runs. */
  action?: string
  busy?: string
  /** False while required input is missing. */
  ready?: boolean
  /** Can be closed while it runs: its answer may never come. */
  isLost?: boolean
  failed: string | ((error: unknown) => string)
  /** `failed` is only for failures without a sentence of the server. */
  inServersWords?: boolean
  /** Before it closes. A sentence that it returns is told. */
  onDone(answer: Answer): unknown
  onFailed?(error: unknown): void
  onClose(): void
  children?: ReactNode
}

/** Asks before a call, and stays open with the reason when it fails. Mounted per question. */
export function ConfirmCall<Input, Answer>(props: Props<Input, Answer>) {
  const t = useAdminTexts()
  const { call, input, title, text, onDone, onFailed, onClose, inServersWords = false, isLost = false } = props
  const { action = t.common.delete, busy = t.common.deleting, ready = true, failed, children } = props
  const notices = useNotices()
  const { isPending, error } = call
  const sentenceFor = (failure: unknown) => (typeof failed === 'string' ? failed : failed(failure))
  const lasting = inServersWords
    ? notices.lasting(error, sentenceFor(error))
    : error && withReason(sentenceFor(error), error, t)
  const confirm = () =>
    call.mutate(input, {
      onSuccess: (answer) => {
        const done = onDone(answer)
        if (typeof done === 'string') notices.done(done)
        onClose()
      },
      onError: (failure) => {
        notices[inServersWords ? 'refused' : 'failed'](failure, sentenceFor(failure))
        onFailed?.(failure)
      },
    })
  return (
    <ConfirmDialog
      onCancel={onClose}
      onConfirm={confirm}
      title={title}
      text={text}
      confirmLabel={isPending ? busy : action}
      busy={isPending && !isLost}
      ready={ready && !isPending}
    >
      {children}
      <ActionError>{lasting}</ActionError>
    </ConfirmDialog>
  )
}

export function Asked({ children }: { children: ReactNode }) {
  return <p className="border-l-2 border-(--line) pl-4 wrap-anywhere">{children}</p>
}
