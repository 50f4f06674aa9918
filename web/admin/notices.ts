import { useMemo } from 'react'
import { type Toast, toast } from '../ui/toast-store.ts'
import { NotConfirmed } from './confirmation/confirmed.ts'
import { isSignedOut } from './session.ts'
import { sentenceOf, useAdminTexts } from './texts.ts'

/** The sign-in page reports an ended session; a cancelled password dialog needs no report. */
const isHandled = (error: unknown) => isSignedOut(error) || error instanceof NotConfirmed

export function useNotices() {
  const t = useAdminTexts()
  return useMemo(() => {
    const fail = (description: string) => toast({ tone: 'destructive', title: t.common.error, description })
    return {
      done: (description: string, more: Pick<Toast, 'note' | 'action'> = {}) =>
        toast({ title: t.common.success, description, ...more }),
      fail,
      /** A failed call, with a sentence of the panel. */
      failed(error: unknown, sentence: string) {
        if (!isHandled(error)) fail(sentence)
      },
      /** A failed call, with the server's sentence when it has one. */
      refused(error: unknown, fallback: string) {
        if (!isHandled(error)) fail(sentenceOf(error, fallback, t))
      },
      /** The same sentence for an ActionError; undefined while there is no error. */
      lasting(error: unknown, fallback: string) {
        return error && !isHandled(error) ? sentenceOf(error, fallback, t) : undefined
      },
    }
  }, [t])
}
