import { useMemo } from 'react'
import { type Toast, toast } from '../ui/toast-store.ts'
import { NotConfirmed } from './confirmation/confirmed.ts'
import { isSignedOut } from './session.ts'
import { sentenceOf, useAdminTexts } from './texts.ts'

/** Where the session is over, the sign-in page says so instead; who did not give the password knows it. */
const isHandled = (error: unknown) => isSignedOut(error) || error instanceof NotConfirmed

/** How the panel says that something was done or was not. */
export function useNotices() {
  const t = useAdminTexts()
  return useMemo(() => {
    const fail = (description: string) => toast({ tone: 'destructive', title: t.common.error, description })
    return {
      done: (description: string, more: Pick<Toast, 'note' | 'action'> = {}) =>
        toast({ title: t.common.success, description, ...more }),
      fail,
      /** A call that failed. */
      failed(error: unknown, sentence: string) {
        if (!isHandled(error)) fail(sentence)
      },
      /** The same, with the server's own sentence when it has one. */
      refused(error: unknown, fallback: string) {
        if (!isHandled(error)) fail(sentenceOf(error, fallback, t))
      },
      /** The same sentence for the place where it was tried; undefined while nothing has failed. */
      lasting(error: unknown, fallback: string) {
        return error && !isHandled(error) ? sentenceOf(error, fallback, t) : undefined
      },
    }
  }, [t])
}
