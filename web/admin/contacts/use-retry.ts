import { withReason } from '../failures.ts'
import { useNotices } from '../notices.ts'
import { useAdminTexts } from '../texts.ts'
import { useRetryMail } from './mail-calls.ts'

/** Tries a mail again, and says so. */
export function useRetry() {
  const t = useAdminTexts()
  const notices = useNotices()
  const { mutateAsync, isPending } = useRetryMail()
  // Awaited, because what offered it may be gone by then, and an answer to `mutate` with it.
  const retry = async (id: string) => {
    try {
      await mutateAsync(id)
      notices.done(t.contacts.sending.retried)
    } catch (error) {
      notices.failed(error, withReason(t.contacts.sending.retryFailed, error, t))
    }
  }
  return { isRetrying: isPending, retry: (id: string) => void retry(id) }
}
