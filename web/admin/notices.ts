import { toast } from '../ui/toast-store.ts'
import { withReason } from './action-error.tsx'
import { NotConfirmed } from './confirmation/confirmed.ts'
import { isSignedOut } from './session.ts'
import { sentenceOf, useAdminTexts } from './texts.ts'

/** The sign-in page reports an ended session; a cancelled password dialog needs no report. */
const isHandled = (error: unknown) => isSignedOut(error) || error instanceof NotConfirmed

export function useNotices() {
  const t = useAdminTexts()
  const fail = (description: string) => toast({ tone: 'destructive', title: t.common.error, description })
  return {
    /** `note` is a second line; `undo` gets a button. */
    done(description: string, { note, undo }: { note?: string | undefined; undo?: () => unknown } = {}) {
      const action = undo && { label: t.common.undo, hint: t.common.undoHint, run: () => void undo() }
      toast({ title: t.common.success, description, ...(note && { note }), ...(action && { action }) })
    },
    fail,
    /**
     * Resolves to the answer of a call; to undefined when it failed, which is told. Not the callbacks of `mutate`: they do not
     * run once their component is unmounted.
     */
    async attempt<Answer>(made: Promise<Answer>, failed: string | ((error: unknown) => string)) {
      try {
        return await made
      } catch (error) {
        if (!isHandled(error)) fail(typeof failed === 'string' ? withReason(failed, error, t) : failed(error))
        return undefined
      }
    },
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
}
