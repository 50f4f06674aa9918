import { QueryClient } from '@tanstack/react-query'

/** Nothing is fetched twice unless it was invalidated: no retries, no polling, no refetching on focus. */
export function createQueryClient() {
  return new QueryClient({
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
}
