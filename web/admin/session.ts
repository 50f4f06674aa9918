import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { checkSession, signIn, signOut } from '#contract/accounts.ts'
import type { InputOf } from '#contract/endpoint.ts'
import { CallError, call } from '../api/call.ts'
import { leavePanel } from './leave-panel.ts'

export const sessionQuery = queryOptions({ queryKey: [checkSession.path], queryFn: () => call(checkSession) })

export function useSignIn() {
  return useMutation({ mutationFn: (body: InputOf<typeof signIn>['body']) => call(signIn, { body }) })
}

export function useSignOut() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: () => call(signOut),
    onSuccess: () => cache.invalidateQueries({ queryKey: sessionQuery.queryKey, refetchType: 'none' }),
  })
}

/** The session is over: it expired, or was ended elsewhere. */
export function isSignedOut(error: unknown) {
  return error instanceof CallError && error.problem?.code === 'sign_in_required'
}

/** Leads to the sign-in page once a call is refused for want of a session. */
export function useLeaveWhenSignedOut() {
  const cache = useQueryClient()
  useEffect(() => {
    const judge = (error: unknown) => {
      if (isSignedOut(error)) leavePanel('sessionEnded')
    }
    const stopQueries = cache.getQueryCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'error') judge(event.action.error)
    })
    const stopMutations = cache.getMutationCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'error') judge(event.action.error)
    })
    return () => {
      stopQueries()
      stopMutations()
    }
  }, [cache])
}
