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
import { addressOf, CallError, call } from '../../api/call.ts'
import { withReason } from '../action-error.tsx'
import { callConfirmed } from '../confirmation/confirmed.ts'
import { useNotices } from '../notices.ts'
import { overviewQuery } from '../overview-calls.ts'
import { isSignedOut } from '../session.ts'
import { useAdminTexts } from '../texts.ts'
import { countsAfter, type Filter, hasArrived, isOutdated, recentCount, type StateChange } from './contact.rules.ts'
import { mailsQuery } from './mail-calls.ts'
import { type Selection, toDelete } from './selection.rules.ts'

/** Newest first. */
export const recentQuery = queryOptions({
  queryKey: [contactsPath, 'recent'],
  queryFn: () => call(listContacts, { query: { limit: String(recentCount) } }),
})

/** Which of them are listed, exported or deleted. */
export type Criteria = { state?: ContactState; search?: string }

export function criteriaOf(filter: Filter, words: string): Criteria {
  const search = words.trim()
  return { ...(filter !== 'all' && { state: filter }), ...(search && { search }) }
}

export const pageSize = 25

const pagesKey = [adminContactsKey, 'page']
const keyOfOne = (id: string) => [adminContactsKey, 'one', id]

/** The page that begins behind a place. The one that was shown stays until it has arrived. */
export function contactPageQuery(criteria: Criteria, after: string | undefined) {
  return queryOptions({
    queryKey: [...pagesKey, criteria, after],
    queryFn: () => call(searchContacts, { query: { ...criteria, limit: String(pageSize), ...(after && { after }) } }),
    placeholderData: keepPreviousData,
    // There may be thousands: a page that is left is forgotten.
    gcTime: 0,
  })
}

/** Null when it is gone. */
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

/** An id out of an address may be none at all. */
function isGone(error: unknown) {
  return error instanceof CallError && ['message_not_found', 'invalid_input'].includes(error.problem?.code ?? '')
}

export const isNoteChanged = (error: unknown) => error instanceof CallError && error.problem?.code === 'note_changed'

export const photoAddress = (hash: string) => addressOf(readContactPhoto, { params: { hash } })

export function csvAddress(criteria: Criteria, lang: Language) {
  return addressOf(exportContacts, { query: { ...criteria, lang } })
}

type Page = ReplyOf<typeof searchContacts>

function stateShown(cache: QueryClient, id: string) {
  const pages = cache.getQueriesData<Page>({ queryKey: pagesKey }).flatMap(([, page]) => page?.contacts ?? [])
  const contact = pages.find((each) => each.id === id) ?? cache.getQueryData<Contact | null>(keyOfOne(id))
  return contact?.state
}

/** Shows a message as it is now at the place where it stood. */
function showChanged(cache: QueryClient, changed: Contact) {
  cache.setQueryData(keyOfOne(changed.id), (shown: Contact | null | undefined) => shown && changed)
  const withChanged = (page: Page | undefined) =>
    page && { ...page, contacts: page.contacts.map((each) => (each.id === changed.id ? changed : each)) }
  cache.setQueriesData<Page>({ queryKey: pagesKey }, withChanged)
}

const followedKey = [adminContactsKey, 'followed']

/** Read again whenever a message or a mail has changed, for as long as something about this one is under way. */
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

/** The lists follow where the figures say that they are out of date. */
export function refreshContacts(cache: QueryClient) {
  const changed = [newsQuery.queryKey, mailsQuery.queryKey, followedKey]
  return Promise.all(changed.map((queryKey) => cache.invalidateQueries({ queryKey })))
}

/** A change of one message. Where it failed, the lists here are most likely out of date. */
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

/** The contact leaves the list at once; it is read again in the background. */
export function useDeleteContact() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(deleteContact, { params: { id } }),
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

/** Answers how many were deleted. Counts as finished when the list has been read again. */
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

/** `arrivals` counts the times that something had arrived since the panel was opened. */
type News = ContactNews & { arrivals: number }

const newsKey = [readContactNews.path]
/** What else is read again when there are news. */
const lists = [contactsPath, adminContactsKey, readMails.path, ...overviewQuery.queryKey]

export const newsQuery = queryOptions({
  queryKey: newsKey,
  queryFn: async ({ client, signal }): Promise<News> => {
    const news = await call(readContactNews)
    // Read before a change that is shown by now.
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
  // Null is a message that is gone, and stays so.
  const predicate = ({ state }: Query) => state.data !== null
  return Promise.all(lists.map((key) => cache.invalidateQueries({ queryKey: [key], predicate })))
}

/**
 * After a change made here: the figures are read again, and the pages in view only when something else has happened too.
 * What has just been marked would otherwise move away under the pointer.
 */
function refreshFigures(cache: QueryClient, change?: StateChange) {
  cache.setQueryData<News>(newsKey, (shown) => shown && { ...shown, counts: countsAfter(shown.counts, change) })
  const figures = [newsKey, [contactsPath], overviewQuery.queryKey]
  return Promise.all(figures.map((queryKey) => cache.invalidateQueries({ queryKey })))
}

/** Gives a message another state, says so with the given sentence or its own, and offers to undo it. */
export function useMark({ id, name, state: before }: Contact) {
  const t = useAdminTexts()
  const notices = useNotices()
  const { mutateAsync, isPending } = useChangeContact(id)
  const marked = (state: ContactState) => t.contacts.marked(name, t.contacts.states[state])
  // Awaited, because the row may be gone by then, and an answer to `mutate` with it.
  const change = async (state: ContactState) => {
    try {
      await mutateAsync({ state })
      return true
    } catch (error) {
      notices.failed(error, withReason(t.contacts.markFailed, error, t))
      return false
    }
  }
  const undo = async () => {
    if (await change(before)) notices.done(marked(before))
  }
  const mark = async (state: ContactState, sentence = marked(state)) => {
    if (isPending || state === before) return
    const action = { label: t.contacts.undo, hint: t.contacts.undoHint, run: () => void undo() }
    if (await change(state)) notices.done(sentence, { action })
  }
  return { isMarking: isPending, mark: (state: ContactState, sentence?: string) => void mark(state, sentence) }
}
