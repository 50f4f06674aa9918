import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { adminContactsKey, readInquiryNews } from '#contract/contacts.admin.ts'
import type { InputOf } from '#contract/endpoint.ts'
import { changeMailSettings, dismissMail, type Mail, type Mails, readMails, retryMail, sendTestMail } from '#contract/mails.ts'
import { call } from '../../api/call.ts'
import { isSignedOut } from '../session.ts'

type OnItsWay = Pick<Mail, 'state' | 'lastError'> & Partial<Pick<Mail, 'attempts'>>

/** How soon it is worth asking again what became of these mails. The first try, or another one asked for here, is soon over. */
export function askAgainAbout(mails: readonly OnItsWay[]) {
  const waiting = mails.filter(({ state }) => state === 'waiting')
  if (waiting.length === 0) return false
  return waiting.some(({ lastError, attempts }) => lastError === null || attempts === 0) ? 2_000 : 5_000
}

export const mailsQuery = queryOptions({
  queryKey: [readMails.path],
  queryFn: () => call(readMails),
  refetchInterval: ({ state: { data } }) => {
    const triedNow = data?.troubled.filter(({ attempts }) => attempts === 0) ?? []
    return askAgainAbout(data?.test ? [data.test, ...triedNow] : triedNow)
  },
})

function useMailChange<Given, Answer>(change: (given: Given) => Promise<Answer>) {
  const cache = useQueryClient()
  const changed = [readMails.path, readInquiryNews.path, adminContactsKey]
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
