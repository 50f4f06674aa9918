import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  changePassword,
  changeRole,
  createAdmin,
  deleteAdmin,
  endOtherSessions,
  endSession,
  listAdmins,
  listSessions,
  type Role,
} from '#contract/accounts.ts'
import type { InputOf } from '#contract/endpoint.ts'
import { readOverview } from '#contract/overview.ts'
import { call } from '../../api/call.ts'
import { useChange } from '../changes.ts'
import { callConfirmed } from '../confirmation/confirmed.ts'
import { sessionQuery } from '../session.ts'

/** Oldest first. */
export const adminsQuery = queryOptions({ queryKey: [listAdmins.path], queryFn: () => call(listAdmins) })

/** The signed-in account; undefined while it is loading. */
export function useOwnAccount() {
  const { data: session } = useQuery(sessionQuery)
  const { data: admins } = useQuery(adminsQuery)
  return admins?.find(({ id }) => id === session?.adminId)
}

/** With the overview the site is checked for the demo password, and for accounts without a second way in. */
export const changedWithAccounts = [listAdmins.path, readOverview.path]

export function useCreateAdmin() {
  return useChange(
    (body: { username: string; password: string; role: Role }) => callConfirmed(createAdmin, { body }),
    changedWithAccounts,
  )
}

export function useChangeRole() {
  return useChange(
    ({ id, role }: { id: string; role: Role }) => callConfirmed(changeRole, { params: { id }, body: { role } }),
    changedWithAccounts,
  )
}

export function useDeleteAdmin() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: { id: string; own: boolean }) => callConfirmed(deleteAdmin, { params: { id } }),
    // With the own account the session is gone: reading the list again would be refused.
    onSuccess: (_, { own }) => (own ? undefined : cache.invalidateQueries({ queryKey: adminsQuery.queryKey })),
    onError: () => cache.invalidateQueries({ queryKey: adminsQuery.queryKey }),
  })
}

export function useChangePassword() {
  return useChange((body: InputOf<typeof changePassword>['body']) => call(changePassword, { body }), changedWithAccounts)
}

export const sessionsQuery = queryOptions({ queryKey: [listSessions.path], queryFn: () => call(listSessions) })

/** Ends one of the own sessions, or all others. The list is read again also when it failed: it may have ended already. */
export function useEndSession() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (id: string | 'others') => (id === 'others' ? call(endOtherSessions) : call(endSession, { params: { id } })),
    onSettled: () => cache.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  })
}
