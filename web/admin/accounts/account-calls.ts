import { queryOptions, useQuery } from '@tanstack/react-query'
import { listAdmins, listSessions } from '#contract/accounts.ts'
import { readOverview } from '#contract/overview.ts'
import { call } from '../../api/call.ts'
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

export const sessionsQuery = queryOptions({ queryKey: [listSessions.path], queryFn: () => call(listSessions) })
