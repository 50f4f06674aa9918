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
import { withReason } from '../action-error.tsx'
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

function usePutStepsAway() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (putAway: boolean) => call(putFirstStepsAway, { body: { putAway } }),
    onSuccess: (steps) => cache.setQueryData(firstStepsQuery.queryKey, keepLast(steps)),
  })
}

function useRemoveDemoProjects() {
  return useProjectChange((_: undefined) => call(removeDemoProjects))
}

function useBringBackDemoProjects() {
  return useProjectChange((ids: string[]) => call(bringBackDemoProjects, { body: { ids } }))
}

export const firstStepsPlace = 'first-steps'

/** Hides or shows the list, and moves the focus to its place. */
export function usePuttingAway() {
  const texts = useAdminTexts()
  const t = texts.firstSteps
  const notices = useNotices()
  const { mutateAsync, isPending } = usePutStepsAway()
  const putAway = async (away: boolean) => {
    try {
      await mutateAsync(away)
    } catch (error) {
      return notices.failed(error, withReason(away ? t.hideFailed : t.showFailed, error, texts))
    }
    const place = document.getElementById(firstStepsPlace)
    place?.focus({ preventScroll: true })
    if (!away) return place?.scrollIntoView()
    const { undo: label, undoHint: hint } = texts.projects
    notices.done(t.hidden, { note: t.whereHidden, action: { label, hint, run: () => void putAway(false) } })
  }
  return { putAway: (away: boolean) => void putAway(away), isPending }
}

/** Opens the site to visitors; undo closes it again. */
export function useOpening() {
  const texts = useAdminTexts()
  const t = texts.firstSteps.opening
  const notices = useNotices()
  const cache = useQueryClient()
  const opening = useMutation({
    mutationFn: (opened: boolean) => call(setSiteOpened, { body: { opened } }),
    onSuccess: () => cache.invalidateQueries({ queryKey: firstStepsQuery.queryKey }),
  })
  const undo = () =>
    opening.mutateAsync(false).then(
      () => notices.done(t.undone),
      (error: unknown) => notices.failed(error, withReason(t.undoFailed, error, texts)),
    )
  const { undo: label, undoHint: hint } = texts.projects
  return { ...opening, done: () => notices.done(t.done, { action: { label, hint, run: () => void undo() } }) }
}

/** Moves the demo's models to the trash; undo restores exactly those. */
export function useDemoRemoval() {
  const texts = useAdminTexts()
  const { demo: t } = texts.firstSteps
  const notices = useNotices()
  const removal = useRemoveDemoProjects()
  const { mutateAsync: bringBack } = useBringBackDemoProjects()
  const undo = async (ids: string[]) => {
    try {
      const { broughtBack } = await bringBack(ids)
      if (broughtBack > 0) notices.done(t.restored(broughtBack))
      else notices.fail(t.notInTrash)
    } catch (error) {
      notices.failed(error, withReason(t.restoreFailed, error, texts))
    }
  }
  const remove = async () => {
    try {
      const { removed } = await removal.mutateAsync(undefined)
      const { undo: label, undoHint: hint } = texts.projects
      if (removed.length === 0) notices.done(t.noneLeft)
      else notices.done(t.removed(removed.length), { action: { label, hint, run: () => void undo(removed) } })
    } catch (error) {
      notices.failed(error, withReason(t.removeFailed, error, texts))
    }
  }
  return { remove: () => void remove(), isPending: removal.isPending }
}
