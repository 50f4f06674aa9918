import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { adminContactsKey, deleteContact, deleteContacts, listContacts, mostNamed } from '#contract/contacts.admin.ts'
import { contactsPath } from '#contract/contacts.fields.ts'
import { placeOf } from '#contract/places.ts'
import { call } from '../../api/call.ts'
import { overviewQuery } from '../overview-calls.ts'
import { isSignedOut } from '../session.ts'
import { recentCount } from './contact.rules.ts'
import { type Selection, toDelete } from './selection.rules.ts'

/** Newest first. */
export const recentQuery = queryOptions({
  queryKey: [contactsPath, 'recent'],
  queryFn: () => call(listContacts, { query: { limit: String(recentCount) } }),
})

const pageSize = 60

/** All of them, page by page. */
export const contactPagesQuery = infiniteQueryOptions({
  queryKey: [contactsPath, 'all'],
  queryFn: ({ pageParam }) =>
    call(listContacts, { query: { limit: String(pageSize), ...(pageParam && { after: pageParam }) } }),
  initialPageParam: '',
  getNextPageParam: (page) => {
    const last = page.length === pageSize ? page.at(-1) : undefined
    return last && placeOf(last)
  },
})

function useRefresh() {
  const cache = useQueryClient()
  const keys = [contactsPath, adminContactsKey, ...overviewQuery.queryKey]
  return async (failure: unknown) => {
    if (!isSignedOut(failure)) await Promise.all(keys.map((key) => cache.invalidateQueries({ queryKey: [key] })))
  }
}

/** The contact leaves the list at once; it is read again in the background. */
export function useDeleteContact() {
  const cache = useQueryClient()
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (id: string) => call(deleteContact, { params: { id } }),
    onSuccess: (_, id) => {
      cache.setQueryData(
        contactPagesQuery.queryKey,
        (list) => list && { ...list, pages: list.pages.map((page) => page.filter((contact) => contact.id !== id)) },
      )
    },
    onSettled: (_, error) => void refresh(error),
  })
}

/** Answers how many were deleted. Counts as finished when the list has been read again. */
export function useDeleteContacts() {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: async (selection: Selection) => {
      let deleted = 0
      for (const body of toDelete(selection, mostNamed)) deleted += (await call(deleteContacts, { body })).deleted
      return deleted
    },
    onSettled: (_, error) => refresh(error),
  })
}
