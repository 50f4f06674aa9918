import {
  keepPreviousData,
  type Query,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import {
  adminContactsKey,
  type Contact,
  type ContactNews,
  type ContactState,
  changeContact,
  contactsPath,
  deleteContact,
  deleteContacts,
  exportContacts,
  listContacts,
  mostNamed,
  readContact,
  readContactNews,
  readContactPhoto,
  replyToContact,
  searchContacts,
} from '#contract/contacts.admin.ts'
import type { InputOf, ReplyOf } from '#contract/endpoint.ts'
import type { Language } from '#contract/languages.ts'
import { readMails } from '#contract/mails.ts'
import { addressOf, call } from '../../api/call.ts'
import { callConfirmed } from '../confirmation/confirmed.ts'
import { useNotices } from '../notices.ts'
import { checksQuery, overviewQuery } from '../overview-calls.ts'
import { isRefusedAs, isSignedOut } from '../session.ts'
import { useAdminTexts } from '../texts.ts'
import { countsAfter, type Filter, hasArrived, isOutdated, recentCount, type StateChange } from './contact.rules.ts'
import { mailsQuery } from './mail-calls.ts'
import { type Selection, toDelete } from './selection.rules.ts'

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
  return queryOptions({ queryKey: keyOfOne(id), queryFn: () => loadContact(id), gcTime: 0 })
}

async function loadContact(id: string) {
  try {
    return await call(readContact, { params: { id } })
  } catch (error) {
    if (isGone(error)) return null
    throw error
  }
}

/** An id from the address bar may not be a valid one. */
function isGone(error: unknown) {
  return isRefusedAs(error, 'message_not_found', 'invalid_input')
}

export const isNoteChanged = (error: unknown) => isRefusedAs(error, 'note_changed')

export const photoAddress = (hash: string, size?: 'small') => addressOf(readContactPhoto, { params: { hash }, query: { size } })

export function csvAddress(criteria: Criteria, lang: Language) {
  return addressOf(exportContacts, { query: { ...criteria, lang } })
}

type Page = ReplyOf<typeof searchContacts>

function stateShown(cache: QueryClient, id: string) {
  const pages = cache.getQueriesData<Page>({ queryKey: pagesKey }).flatMap(([, page]) => page?.contacts ?? [])
  const contact = pages.find((each) => each.id === id) ?? cache.getQueryData<Contact | null>(keyOfOne(id))
  return contact?.state
}

function showChanged(cache: QueryClient, changed: Contact) {
  cache.setQueryData(keyOfOne(changed.id), (shown: Contact | null | undefined) => shown && changed)
  const withChanged = (page: Page | undefined) =>
    page && { ...page, contacts: page.contacts.map((each) => (each.id === changed.id ? changed : each)) }
  cache.setQueriesData<Page>({ queryKey: pagesKey }, withChanged)
}

const followedKey = [adminContactsKey, 'followed']

/** Read again with every event about messages or mails, while a mail of this one is on its way. */
export function contactFollowed(cache: QueryClient, id: string) {
  return queryOptions({
    queryKey: [...followedKey, id],
    queryFn: async () => {
      const contact = await loadContact(id)
      if (contact) showChanged(cache, contact)
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

/** A change of one message. When it fails, the lists are probably out of date and are read again. */
function useContactChange<Input>(change: (input: Input) => Promise<Contact>) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: (changed) => {
      const from = stateShown(cache, changed.id)
      showChanged(cache, changed)
      void refreshFigures(cache, from && { from, to: changed.state })
    },
    onError: (error) => {
      if (!isSignedOut(error)) void refreshLists(cache)
    },
  })
}

type Change = InputOf<typeof changeContact>['body']

export function useChangeContact(id: string) {
  return useContactChange((body: Change) => call(changeContact, { params: { id }, body }))
}

export function useReply(id: string) {
  return useContactChange((body: { id: string; text: string }) => call(replyToContact, { params: { id }, body }))
}

/** The contact leaves the list at once; the list is read again in the background. */
export function useDeleteContact() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => callConfirmed(deleteContact, { params: { id } }),
    onSuccess: (_, id) => {
      const without = (page: Page | undefined) => page && { ...page, contacts: page.contacts.filter((each) => each.id !== id) }
      cache.setQueriesData<Page>({ queryKey: pagesKey }, without)
      cache.setQueriesData({ queryKey: keyOfOne(id) }, null)
    },
    onSettled: (_, error) => {
      if (!isSignedOut(error)) void refreshAll(cache)
    },
  })
}

/** Resolves to how many were deleted, after the list has been read again. */
export function useDeleteContacts(criteria: Criteria) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async (selection: Selection) => {
      let deleted = 0
      for (const part of toDelete(selection, mostNamed)) {
        const body = 'upTo' in part ? { ...part, ...criteria } : part
        deleted += (await callConfirmed(deleteContacts, { body })).deleted
      }
      return deleted
    },
    onSettled: (_, error) => (isSignedOut(error) ? undefined : refreshAll(cache)),
  })
}

function refreshAll(cache: QueryClient) {
  return Promise.all([refreshFigures(cache), refreshLists(cache)])
}

/** `arrivals` counts how often new messages arrived since the panel was opened. */
type News = ContactNews & { arrivals: number }

const newsKey = [readContactNews.path]
/** Read again when the counts have changed. */
const lists = [contactsPath, adminContactsKey, readMails.path, ...overviewQuery.queryKey]

export const newsQuery = queryOptions({
  queryKey: newsKey,
  queryFn: async ({ client, signal }): Promise<News> => {
    const news = await call(readContactNews)
    // Aborted: the answer is older than a change that is already shown.
    signal.throwIfAborted()
    const before = client.getQueryData<News>(newsKey)
    if (before && isOutdated(before, news)) void refreshLists(client)
    return withArrivals(before, news)
  },
})

function withArrivals(before: News | undefined, news: ContactNews): News {
  const arrivals = before?.arrivals ?? 0
  return { ...news, arrivals: before && hasArrived(before, news) ? arrivals + 1 : arrivals }
}

export function refreshLists(cache: QueryClient) {
  // Null: a deleted message is not read again.
  const predicate = ({ state }: Query) => state.data !== null
  return Promise.all(lists.map((key) => cache.invalidateQueries({ queryKey: [key], predicate })))
}

/**
 * After a change in this tab: reads the counts again, and the lists only when something else has changed too. Otherwise the
 * marked message would move away under the pointer.
 */
function refreshFigures(cache: QueryClient, change?: StateChange) {
  cache.setQueryData<News>(newsKey, (shown) => shown && { ...shown, counts: countsAfter(shown.counts, change) })
  const figures = [newsKey, [contactsPath], overviewQuery.queryKey]
  return Promise.all(figures.map((queryKey) => cache.invalidateQueries({ queryKey })))
}

/** Changes the state of a message, says so, and offers to undo it. */
export function useMark({ id, name, state: before }: Contact) {
  const { contacts: t } = useAdminTexts()
  const notices = useNotices()
  const { mutateAsync, isPending } = useChangeContact(id)
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
