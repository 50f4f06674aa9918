import { QueryClient } from '@tanstack/react-query'

/** Nothing is asked twice unless something has changed: no retries, no polling, no refetching on focus. */
export function createQueryClient() {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // Otherwise a call without a signal waits for one, and the screen with it, instead of failing.
        networkMode: 'always',
        retry: false,
        staleTime: Number.POSITIVE_INFINITY,
        refetchOnWindowFocus: false,
        refetchInterval: false,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
}
