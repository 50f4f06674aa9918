import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { checkSession, signOut } from '#contract/accounts.ts'
import { contactKey } from '#contract/contacts.admin.ts'
import { signInPath } from '#contract/first-visit.ts'
import { CallError, call } from '../api/call.ts'
import { keptInTab } from '../kept.ts'
import { leavePage } from '../ui/use-layer.ts'

export const sessionQuery = queryOptions({ queryKey: [checkSession.path], queryFn: () => call(checkSession) })

/** Why there are no passkeys here; undefined where there are. */
export function passkeysMissing() {
  if (!isSecureContext) return 'insecure'
  return 'PublicKeyCredential' in window ? undefined : 'unsupported'
}

export function useSignOut() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: () => call(signOut),
    onSuccess: () => cache.invalidateQueries({ queryKey: sessionQuery.queryKey, refetchType: 'none' }),
  })
}

/** The session has expired, or was ended in another tab. */
export function isSignedOut(error: unknown) {
  return error instanceof CallError && error.problem?.code === 'sign_in_required'
}

/** For every call of the panel: when the session has ended, the sign-in page follows. */
export function leaveWhenSignedOut(error: unknown) {
  if (isSignedOut(error) && location.pathname !== signInPath) leavePanel('sessionEnded')
}

const reasons = ['signedOut', 'sessionEnded', 'accountDeleted'] as const
type LeaveReason = (typeof reasons)[number]
const leaveReason = keptInTab<LeaveReason>('admin-farewell')

/**
 * Loads the sign-in page as a new document: no data stays in memory, and the server says whether the demo account still
 * exists. The sign-in page reads the reason from the tab's storage.
 */
export function leavePanel(reason: LeaveReason) {
  leaveReason.keep(reason)
  // Keeps the query: the language and the message to open.
  leavePage(`${signInPath}${location.search}`)
}

export function readLeaveReason(): LeaveReason | undefined {
  return reasons.find((each) => each === leaveReason.read())
}

export function forgetLeaveReason() {
  leaveReason.drop()
}

/** The id of the message that a link in a mail opens. */
export function openedContact() {
  return new URLSearchParams(location.search).get(contactKey) ?? undefined
}

/** The same as a query, to keep it across the sign-in page. */
export function openedContactQuery() {
  const id = openedContact()
  return id ? { [contactKey]: id } : {}
}

/** Otherwise a reload opens the message again. */
export function forgetOpenedContact() {
  const address = new URL(location.href)
  address.searchParams.delete(contactKey)
  history.replaceState(history.state, '', address)
}
