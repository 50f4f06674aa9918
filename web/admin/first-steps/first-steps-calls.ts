import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  bringBackDemoProjects,
  type FirstSteps,
  putFirstStepsAway,
  readFirstSteps,
  removeDemoProjects,
} from '#contract/overview.ts'
import { call } from '../../api/call.ts'
import { withTabStorage } from '../../tab-storage.ts'
import { overviewQuery } from '../overview-calls.ts'
import { useProjectChange } from '../projects/project-calls.ts'

const firstStepsQuery = queryOptions({
  // Below the overview's, and so read again with it: most changes that it counts are steps.
  queryKey: [...overviewQuery.queryKey, readFirstSteps.path],
  queryFn: async () => keepLast(await call(readFirstSteps)),
  // As they were the last time: nothing moves down when the page is loaded again.
  placeholderData: readLast,
})

const lastKey = 'first-steps'

function keepLast(steps: FirstSteps) {
  withTabStorage((storage) => storage.setItem(lastKey, JSON.stringify(steps)))
  return steps
}

function readLast() {
  return withTabStorage((storage) => JSON.parse(storage.getItem(lastKey) ?? 'null') as FirstSteps | null) ?? undefined
}

export function useFirstSteps() {
  return useQuery(firstStepsQuery)
}

export function usePutStepsAway() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (putAway: boolean) => call(putFirstStepsAway, { body: { putAway } }),
    onSuccess: (steps) => cache.setQueryData(firstStepsQuery.queryKey, keepLast(steps)),
  })
}

export function useRemoveDemoProjects() {
  return useProjectChange((_: undefined) => call(removeDemoProjects))
}

export function useBringBackDemoProjects() {
  return useProjectChange((ids: string[]) => call(bringBackDemoProjects, { body: { ids } }))
}
