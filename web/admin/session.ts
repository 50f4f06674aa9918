import { MutationCache, QueryCache, QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { checkSession, type Role } from '#contract/accounts.ts'
import { signInPath } from '#contract/first-visit.ts'
import type { ProblemCode } from '#contract/problems.ts'
import { CallError, call } from '../api/call.ts'
import { keptInTab } from '../kept.ts'
import { leavePage } from '../ui/use-layer.ts'

export const sessionQuery = queryOptions({ queryKey: [checkSession.path], queryFn: () => call(checkSession) })

/** Why there are no passkeys here; undefined where there are. */
export function passkeysMissing() {
  if (!isSecureContext) return 'insecure'
  return 'PublicKeyCredential' in window ? undefined : 'unsupported'
}

/** The role as the page was served, until the session is read. */
export const RoleContext = createContext<Role | undefined>(undefined)

/** Helpers do not see what would be refused. */
export function useIsOwner() {
  const served = useContext(RoleContext)
  const { data: session } = useQuery(sessionQuery)
  return (session?.role ?? served) !== 'helper'
}

export function isRefusedAs(error: unknown, ...codes: ProblemCode[]) {
  return error instanceof CallError && codes.some((code) => code === error.problem?.code)
}

/** The session has expired, or was ended in another tab. */
export const isSignedOut = (error: unknown) => isRefusedAs(error, 'sign_in_required')

/** For every call of the panel: when the session has ended, the sign-in page follows; the role may be another one by now. */
export function heedRefusal(error: unknown) {
  if (isSignedOut(error) && location.pathname !== signInPath) leavePanel('sessionEnded')
  if (isRefusedAs(error, 'owner_needed')) void queryClient.invalidateQueries(sessionQuery)
}

/** Nothing is fetched twice unless it was invalidated: no retries, no polling, no refetching on focus. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: heedRefusal }),
  mutationCache: new MutationCache({ onError: heedRefusal }),
  defaultOptions: {
    queries: {
      // Otherwise a call made offline waits for the connection instead of failing.
      networkMode: 'always',
      retry: false,
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnWindowFocus: false,
      refetchInterval: false,
    },
    mutations: { networkMode: 'always', retry: false },
  },
})

type LeaveReason = 'signedOut' | 'sessionEnded' | 'accountDeleted'
/** Why the sign-in page follows, which reads it. */
export const leaveReason = keptInTab<LeaveReason>('admin-farewell')

/**
 * Loads the sign-in page as a new document: no data stays in memory, and the server says whether the demo account still
 * exists.
 */
export function leavePanel(reason: LeaveReason) {
  leaveReason.keep(reason)
  // Keeps the query: the language and the message to open.
  leavePage(`${signInPath}${location.search}`)
}

/** Otherwise a reload opens the same again. */
export function forgetInAddress(...keys: string[]) {
  const address = new URL(location.href)
  for (const key of keys) address.searchParams.delete(key)
  history.replaceState(history.state, '', address)
}
