import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  bringBackDemoProjects,
  type FirstSteps,
  putFirstStepsAway,
  readFirstSteps,
  removeDemoProjects,
} from '#contract/overview.ts'
import { setSiteOpened } from '#contract/site-content.ts'
import { call } from '../../api/call.ts'
import { keptInTab } from '../../kept.ts'
import { useNotices } from '../notices.ts'
import { overviewQuery } from '../overview-calls.ts'
import { useProjectChange } from '../projects/project-calls.ts'
import { useAdminTexts } from '../texts.ts'

const firstStepsQuery = queryOptions({
  // Under the overview's key, so that invalidating the overview reads the steps again.
  queryKey: [...overviewQuery.queryKey, readFirstSteps.path],
  queryFn: async () => keepLast(await call(readFirstSteps)),
  // The last known steps: otherwise the page below moves down after a reload.
  placeholderData: () => last.read(),
})

const last = keptInTab<FirstSteps>('first-steps')

function keepLast(steps: FirstSteps) {
  last.keep(steps)
  return steps
}

export function useFirstSteps() {
  return useQuery(firstStepsQuery)
}

export const firstStepsPlace = 'first-steps'

/** Hides or shows the list, and moves the focus to its place. */
export function usePuttingAway() {
  const { firstSteps: t } = useAdminTexts()
  const notices = useNotices()
  const cache = useQueryClient()
  const { mutateAsync, isPending } = useMutation({
    mutationFn: (putAway: boolean) => call(putFirstStepsAway, { body: { putAway } }),
    onSuccess: (steps) => cache.setQueryData(firstStepsQuery.queryKey, keepLast(steps)),
  })
  const putAway = async (away: boolean) => {
    if (!(await notices.attempt(mutateAsync(away), away ? t.hideFailed : t.showFailed))) return
    const place = document.getElementById(firstStepsPlace)
    place?.focus({ preventScroll: true })
    if (away) notices.done(t.hidden, { note: t.whereHidden, undo: () => putAway(false) })
    else place?.scrollIntoView()
  }
  return { putAway: (away: boolean) => void putAway(away), isPending }
}

/** Opens the site to visitors; undo closes it again. */
export function useOpening() {
  const { opening: t } = useAdminTexts().firstSteps
  const notices = useNotices()
  const cache = useQueryClient()
  const opening = useMutation({
    mutationFn: (opened: boolean) => call(setSiteOpened, { body: { opened } }),
    onSuccess: () => cache.invalidateQueries({ queryKey: firstStepsQuery.queryKey }),
  })
  const undo = async () => {
    if (await notices.attempt(opening.mutateAsync(false), t.undoFailed)) notices.done(t.undone)
  }
  return { ...opening, done: () => notices.done(t.done, { undo }) }
}

/** Moves the demo's models to the trash; undo restores exactly those. */
export function useDemoRemoval() {
  const { demo: t } = useAdminTexts().firstSteps
  const notices = useNotices()
  const removal = useProjectChange((_: undefined) => call(removeDemoProjects))
  const { mutateAsync: bringBack } = useProjectChange((ids: string[]) => call(bringBackDemoProjects, { body: { ids } }))
  const undo = async (ids: string[]) => {
    const answer = await notices.attempt(bringBack(ids), t.restoreFailed)
    if (answer?.broughtBack) notices.done(t.restored(answer.broughtBack))
    else if (answer) notices.fail(t.notInTrash)
  }
  const remove = async () => {
    const { removed } = (await notices.attempt(removal.mutateAsync(undefined), t.removeFailed)) ?? {}
    if (removed?.length) notices.done(t.removed(removed.length), { undo: () => undo(removed) })
    else if (removed) notices.done(t.noneLeft)
  }
  return { remove: () => void remove(), isPending: removal.isPending }
}
