import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { isSignedOut } from './session.ts'

/** Reads again what was read at these paths. */
export async function readAgain(cache: QueryClient, paths: readonly string[]) {
  await Promise.all(paths.map((path) => cache.invalidateQueries({ queryKey: [path] })))
}

/**
 * A call that changes what is read at these paths. They are read again, also after a failure: what is shown was probably out of
 * date. Not without a session: every call would be refused again.
 */
export function useChange<Input, Answer>(
  mutationFn: (input: Input) => Promise<Answer>,
  paths: readonly string[],
  mutationKey?: string[],
) {
  const cache = useQueryClient()
  const onSettled = (_: unknown, error: Error | null) => (isSignedOut(error) ? undefined : readAgain(cache, paths))
  return useMutation({ mutationFn, onSettled, ...(mutationKey && { mutationKey }) })
}
