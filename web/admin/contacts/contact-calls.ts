import { keepPreviousData, type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  adminContactsKey,
  type Contact,
  type ContactNews,
  type ContactState,
  changeContact,
  contactsPath,
  deleteContact,
  deleteContacts,
  listContacts,
  mostNamed,
  readContact,
  readContactNews,
  readContactPhoto,
  replyToContact,
  searchContacts,
} from '#contract/contacts.admin.ts'
import type { InputOf, ReplyOf } from '#contract/endpoint.ts'
import { changeMailSettings, dismissMail, readMails, retryMail } from '#contract/mails.ts'
import { readOverview } from '#contract/overview.ts'
import { addressOf, call } from '../../api/call.ts'
import { readAgain, useChange } from '../changes.ts'
import { callConfirmed } from '../confirmation/confirmed.ts'
import { useNotices } from '../notices.ts'
import { checksQuery } from '../overview-calls.ts'
import { isRefusedAs, isSignedOut } from '../session.ts'
import { useAdminTexts } from '../texts.ts'
import { countsAfter, type Filter, hasArrived, isOutdated, recentCount } from './contact.rules.ts'
import { type Selection, toDelete } from './selection.rules.ts'

export const mailsQuery = queryOptions({ queryKey: [readMails.path], queryFn: () => call(readMails) })

/** Newest first. */
export const recentQuery = queryOptions({
  queryKey: [contactsPath, 'recent'],
  queryFn: () => call(listContacts, { query: { limit: String(recentCount), with: 'state' } }),
})

/** Which contacts are listed, exported or deleted. */
export type Criteria = { state?: ContactState; search?: string }

export function criteriaOf(filter: Filter, words: string): Criteria {
  const search = words.trim()
  return { ...(filter !== 'all' && { state: filter }), ...(search && { search }) }
}

export const pageSize = 25

const pagesKey = [adminContactsKey, 'page']
const keyOfOne = (id: string) => [adminContactsKey, 'one', id]

/** The page that begins after a cursor. The previous one stays on screen until it has loaded. */
export function contactPageQuery(criteria: Criteria, after: string | undefined) {
  return queryOptions({
    queryKey: [...pagesKey, criteria, after],
    queryFn: () => call(searchContacts, { query: { ...criteria, limit: String(pageSize), ...(after && { after }) } }),
    placeholderData: keepPreviousData,
    // There may be thousands of contacts: pages out of view are not cached.
    gcTime: 0,
  })
}

/** Null when it does not exist any more. */
export function contactQuery(id: string) {
  return queryOptions({
    queryKey: keyOfOne(id),
    queryFn: () => loadContact(id),
    enabled: ({ state }) => state.data !== null,
    gcTime: 0,
  })
}

async function loadContact(id: string) {
  try {
    return await call(readContact, { params: { id } })
  } catch (error) {
    // An id from the address bar may not be a valid one.
    if (isRefusedAs(error, 'message_not_found', 'invalid_input')) return null
    throw error
  }
}

export const isNoteChanged = (error: unknown) => isRefusedAs(error, 'note_changed')

export const photoAddress = (hash: string, size?: 'small') => addressOf(readContactPhoto, { params: { hash }, query: { size } })

type Page = ReplyOf<typeof searchContacts>

function showChanged(cache: QueryClient, changed: Contact) {
  cache.setQueryData(keyOfOne(changed.id), (shown: Contact | null | undefined) => shown && changed)
  const withChanged = (page: Page | undefined) =>
    page && { ...page, contacts: page.contacts.map((each) => (each.id === changed.id ? changed : each)) }
  cache.setQueriesData<Page>({ queryKey: pagesKey }, withChanged)
}

const followedKey = [adminContactsKey, 'followed']

/** Read again with every event about messages or mails, while a mail of this one is on its way. */
export function contactFollowed(id: string) {
  return queryOptions({
    queryKey: [...followedKey, id],
    queryFn: async ({ client, signal }) => {
      const contact = await loadContact(id)
      // Aborted: it is read anew, and this may be from before a change.
      signal.throwIfAborted()
      if (contact) showChanged(client, contact)
      return contact
    },
    gcTime: 0,
  })
}

/** Reads the counts again, and the lists only when the counts say that they are out of date. */
export function refreshContacts(cache: QueryClient) {
  const changed = [newsQuery.queryKey, mailsQuery.queryKey, checksQuery.queryKey, followedKey]
  return Promise.all(changed.map((queryKey) => cache.invalidateQueries({ queryKey })))
}

/**
 * A change of one message, which stays where it is in the list: the counts are read again, and the lists only when something
 * else has changed too. When it fails, they are probably out of date.
 */
function useContactChange<Input>({ state: from }: Contact, change: (input: Input) => Promise<Contact>) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: (changed) => {
      showChanged(cache, changed)
      const counted = (news: News) => ({ ...news, counts: countsAfter(news.counts, from, changed.state) })
      cache.setQueryData<News>(newsKey, (news) => news && counted(news))
      void readAgain(cache, [readContactNews.path, contactsPath, readOverview.path])
    },
    onError: (error) => {
      if (!isSignedOut(error)) void readAgain(cache, lists)
    },
  })
}

type Change = InputOf<typeof changeContact>['body']

export function useChangeContact(contact: Contact) {
  return useContactChange(contact, (body: Change) => call(changeContact, { params: { id: contact.id }, body }))
}

export function useReply(contact: Contact) {
  const params = { id: contact.id }
  return useContactChange(contact, (body: { id: string; text: string }) => call(replyToContact, { params, body }))
}

export function useDeleteContact() {
  const cache = useQueryClient()
  return useChange(async (id: string) => {
    await callConfirmed(deleteContact, { params: { id } })
    cache.setQueryData(keyOfOne(id), null)
  }, countsAndLists)
}

/** Resolves to how many were deleted. */
export function useDeleteContacts(criteria: Criteria) {
  return useChange(async (selection: Selection) => {
    let deleted = 0
    for (const part of toDelete(selection, mostNamed)) {
      const body = 'upTo' in part ? { ...part, ...criteria } : part
      deleted += (await callConfirmed(deleteContacts, { body })).deleted
    }
    return deleted
  }, countsAndLists)
}

export function useDismissMail() {
  return useChange((id: string) => call(dismissMail, { params: { id } }), countsAndLists)
}

export function useRetry() {
  const { sending: t } = useAdminTexts().contacts
  const notices = useNotices()
  const { mutateAsync, isPending } = useChange((id: string) => call(retryMail, { params: { id } }), countsAndLists)
  const retry = async (id: string) => {
    if (await notices.attempt(mutateAsync(id), t.retryFailed)) notices.done(t.retrying)
  }
  return { isRetrying: isPending, retry: (id: string) => void retry(id) }
}

export function useChangeMailSettings() {
  const change = (body: InputOf<typeof changeMailSettings>['body']) => call(changeMailSettings, { body })
  return useChange(change, [readMails.path])
}

/** `arrivals` counts how often new messages arrived since the panel was opened. */
type News = ContactNews & { arrivals: number }

/** Read again when the counts have changed. */
const lists = [contactsPath, adminContactsKey, readMails.path, readOverview.path]
export const countsAndLists = [readContactNews.path, ...lists]

const newsKey = [readContactNews.path]

export const newsQuery = queryOptions({
  queryKey: newsKey,
  queryFn: async ({ client, signal }): Promise<News> => {
    const news = await call(readContactNews)
    // Aborted: the answer is older than a change that is already shown.
    signal.throwIfAborted()
    const before = client.getQueryData<News>(newsKey)
    if (!before) return { ...news, arrivals: 0 }
    if (isOutdated(before, news)) void readAgain(client, lists)
    return { ...news, arrivals: before.arrivals + (hasArrived(before, news) ? 1 : 0) }
  },
})

/** Changes the state of a message, says so, and offers to undo it. */
export function useMark(contact: Contact) {
  const { name, state: before } = contact
  const { contacts: t } = useAdminTexts()
  const notices = useNotices()
  const { mutateAsync, isPending } = useChangeContact(contact)
  const marked = (state: ContactState) => t.marked(name, t.states[state])
  const change = (state: ContactState) => notices.attempt(mutateAsync({ state }), t.markFailed)
  const undo = async () => {
    if (await change(before)) notices.done(marked(before))
  }
  const mark = async (state: ContactState, sentence = marked(state)) => {
    if (isPending || state === before) return
    if (await change(state)) notices.done(sentence, { undo })
  }
  return { isMarking: isPending, mark: (state: ContactState, sentence?: string) => void mark(state, sentence) }
}
