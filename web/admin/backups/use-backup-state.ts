import { useIsMutating, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { BackupState } from '#contract/backup-care.ts'
import { stateQuery, useRefresh, workKey } from './backup-calls.ts'

const everySecond = 1_000
const everyMinute = 60_000

/** How safe everything is and what is worked at, read every second while something is. In one place of the page. */
export function useBackupState() {
  const isWorkingHere = useIsMutating({ mutationKey: workKey }) > 0
  const query = useQuery({
    ...stateQuery,
    refetchInterval: ({ state }) => (isWorkingHere || state.data?.working ? everySecond : everyMinute),
    refetchOnWindowFocus: 'always',
  })
  useReadAfterWork(query.data)
  return query
}

/** What was made, restored or undone by another tab, another person or the site itself is read when it is finished. */
function useReadAfterWork(state: BackupState | undefined) {
  const { afterMerge } = useRefresh()
  const startedAt = state?.working?.startedAt
  const before = useRef(startedAt)
  useEffect(() => {
    if (before.current && before.current !== startedAt) void afterMerge()
    before.current = startedAt
  })
}

/** Whether what makes or restores backups would be refused now: one thing is done at a time. */
export function isBlocked(state: BackupState | undefined) {
  return Boolean(state?.working)
}
