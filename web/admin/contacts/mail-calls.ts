import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { adminContactsKey, readContactNews } from '#contract/contacts.admin.ts'
import type { InputOf } from '#contract/endpoint.ts'
import { changeMailSettings, dismissMail, type Mails, readMails, retryMail, sendTestMail } from '#contract/mails.ts'
import { call } from '../../api/call.ts'
import { isSignedOut } from '../session.ts'

export const mailsQuery = queryOptions({ queryKey: [readMails.path], queryFn: () => call(readMails) })

function useMailChange<Given, Answer>(change: (given: Given) => Promise<Answer>) {
  const cache = useQueryClient()
  const changed = [readMails.path, readContactNews.path, adminContactsKey]
  return useMutation({
    mutationFn: change,
    onSettled: (_, error) =>
      isSignedOut(error) ? undefined : Promise.all(changed.map((path) => cache.invalidateQueries({ queryKey: [path] }))),
  })
}

export function useChangeMailSettings() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: InputOf<typeof changeMailSettings>['body']) => call(changeMailSettings, { body }),
    onSuccess: (settings) => {
      cache.setQueryData(mailsQuery.queryKey, (mails: Mails | undefined) => mails && { ...mails, settings })
    },
  })
}

export function useSendTestMail() {
  return useMailChange(() => call(sendTestMail))
}

export function useRetryMail() {
  return useMailChange((id: string) => call(retryMail, { params: { id } }))
}

export function useDismissMail() {
  return useMailChange((id: string) => call(dismissMail, { params: { id } }))
}
