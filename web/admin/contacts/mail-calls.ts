import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { adminContactsKey, readContactNews } from '#contract/contacts.admin.ts'
import type { InputOf } from '#contract/endpoint.ts'
import { changeMailSettings, dismissMail, type Mails, readMails, retryMail } from '#contract/mails.ts'
import { readOverview } from '#contract/overview.ts'
import { call } from '../../api/call.ts'
import { useChange } from '../changes.ts'
import { useNotices } from '../notices.ts'
import { useAdminTexts } from '../texts.ts'

export const mailsQuery = queryOptions({ queryKey: [readMails.path], queryFn: () => call(readMails) })

const changedWithMails = [readMails.path, readContactNews.path, readOverview.path, adminContactsKey]

function useMailChange<Input, Answer>(change: (input: Input) => Promise<Answer>) {
  return useChange(change, changedWithMails)
}

export function useChangeMailSettings() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: InputOf<typeof changeMailSettings>['body']) => call(changeMailSettings, { body }),
    onSuccess: async (settings) => {
      // A read in progress may be older than this change.
      await cache.cancelQueries(mailsQuery)
      cache.setQueryData(mailsQuery.queryKey, (mails: Mails | undefined) => mails && { ...mails, settings })
      void cache.invalidateQueries(mailsQuery)
    },
  })
}

export function useDismissMail() {
  return useMailChange((id: string) => call(dismissMail, { params: { id } }))
}

export function useRetry() {
  const { sending: t } = useAdminTexts().contacts
  const notices = useNotices()
  const { mutateAsync, isPending } = useMailChange((id: string) => call(retryMail, { params: { id } }))
  const retry = async (id: string) => {
    if (await notices.attempt(mutateAsync(id), t.retryFailed)) notices.done(t.retrying)
  }
  return { isRetrying: isPending, retry: (id: string) => void retry(id) }
}
