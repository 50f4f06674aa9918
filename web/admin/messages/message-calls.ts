import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { adminContactsKey, deleteContact, listContacts } from '#contract/contacts.admin.ts'
import { call } from '../../api/call.ts'

/** Newest first. */
export const contactsQuery = queryOptions({ queryKey: [listContacts.path], queryFn: () => call(listContacts, { query: {} }) })

/** The message leaves the list at once; ten thousand others are read again behind the scenes. */
export function useDeleteMessage() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(deleteContact, { params: { id } }),
    onSuccess: (_, id) => {
      cache.setQueryData(contactsQuery.queryKey, (messages) => messages?.filter((message) => message.id !== id))
    },
    onSettled: () => {
      void cache.invalidateQueries({ queryKey: contactsQuery.queryKey })
      void cache.invalidateQueries({ queryKey: [adminContactsKey] })
    },
  })
}
