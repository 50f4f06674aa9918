import { QueryClient } from '@tanstack/react-query'

/** Nothing is asked twice unless something has changed: no retries, no polling, no refetching on focus. */
export function createQueryClient() {
  return new QueryClient({
    defaultOptions: {
      queries: { retry: false, staleTime: Number.POSITIVE_INFINITY, refetchOnWindowFocus: false, refetchInterval: false },
      mutations: { retry: false },
    },
  })
}
