import { keepPreviousData, type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  adminContactsKey,
  type Contact,
  type ContactState,
  changeContact,
  contactsPath,
  deleteContact,
  deleteContacts,
  exportContacts,
  listContacts,
  mostNamed,
  readContact,
  readContactPhoto,
  replyToContact,
  searchContacts,
} from '#contract/contacts.admin.ts'
import type { InputOf, ReplyOf } from '#contract/endpoint.ts'
import type { Language } from '#contract/languages.ts'
import { addressOf, CallError, call } from '../../api/call.ts'
import { callConfirmed } from '../confirmation/confirmed.ts'
import { isSignedOut } from '../session.ts'
import { recentCount } from './contact.rules.ts'
import { mailsQuery } from './mail-calls.ts'
import type { Filter } from './news.rules.ts'
import { newsQuery, refreshFigures, refreshLists } from './news-calls.ts'
import { type Selection, toDelete } from './selection.rules.ts'

/** Newest first. */
export const recentQuery = queryOptions({
  queryKey: [contactsPath, 'recent'],
  queryFn: () => call(listContacts, { query: { limit: String(recentCount) } }),
})

/** Which of them are listed, exported or deleted. */
export type Wanted = { state?: ContactState; search?: string }

export function wantedBy(filter: Filter, words: string): Wanted {
  const search = words.trim()
  return { ...(filter !== 'all' && { state: filter }), ...(search && { search }) }
}

export const pageSize = 25

const pagesKey = [adminContactsKey, 'page']
const keyOfOne = (id: string) => [adminContactsKey, 'one', id]

/** The page that begins behind a place. The one that was shown stays until it has arrived. */
export function contactPageQuery(wanted: Wanted, after: string | undefined) {
  return queryOptions({
    queryKey: [...pagesKey, wanted, after],
    queryFn: () => call(searchContacts, { query: { ...wanted, limit: String(pageSize), ...(after && { after }) } }),
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

export function csvAddress(wanted: Wanted, lang: Language) {
  return addressOf(exportContacts, { query: { ...wanted, lang } })
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
function useContactChange<Given>(change: (given: Given) => Promise<Contact>) {
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
export function useDeleteContacts(wanted: Wanted) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async (selection: Selection) => {
      let deleted = 0
      for (const part of toDelete(selection, mostNamed)) {
        const body = 'upTo' in part ? { ...part, ...wanted } : part
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
