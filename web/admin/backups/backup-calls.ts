import { type QueryClient, queryOptions, useIsMutating, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { isInBackground, readBackupStatus, readBackupWork } from '#contract/backup-status.ts'
import { listBackups } from '#contract/backups.ts'
import { contactsPath } from '#contract/contacts.admin.ts'
import { showQuarantine } from '#contract/images.ts'
import { readOverview } from '#contract/overview.ts'
import { listTrash, searchProjects } from '#contract/projects.admin.ts'
import type { RestoredReport } from '#contract/restores.ts'
import { listSiteVersions, readSiteContent } from '#contract/site-content.ts'
import { call } from '../../api/call.ts'
import { readAgain, useChange } from '../changes.ts'
import { withOutcome } from './merge/outcome.ts'

/** Newest first. */
export const backupsQuery = queryOptions({ queryKey: [listBackups.path], queryFn: () => call(listBackups) })

export const quarantineQuery = queryOptions({ queryKey: [showQuarantine.path], queryFn: () => call(showQuarantine) })

export const statusQuery = queryOptions({ queryKey: [readBackupStatus.path], queryFn: () => call(readBackupStatus) })

/** The mutation key of calls that wait for a job of the server. */
export const workKey = ['backups', 'work']

// The first steps are read again with the overview.
const afterBackup = [readBackupStatus.path, listBackups.path, readOverview.path, showQuarantine.path]
const afterMerge = [
  ...afterBackup,
  searchProjects.path,
  listTrash.path,
  contactsPath,
  readSiteContent.path,
  listSiteVersions.path,
]

/** The job that runs, as it was last read. */
export const workQuery = queryOptions({
  queryKey: [readBackupWork.path],
  queryFn: () => call(readBackupWork),
  staleTime: 0,
})

/** The status, and the job that runs, which alone is read again a second after each answer. */
export function useBackupStatus() {
  const cache = useQueryClient()
  const isWaiting = useIsMutating({ mutationKey: workKey }) > 0
  const query = useQuery({ ...statusQuery, refetchOnWindowFocus: 'always' })
  const { data: status } = query
  const isWorking = isWaiting || Boolean(status?.working)
  const { data: work } = useQuery({
    ...workQuery,
    enabled: isWorking,
    refetchInterval: !isWaiting && status?.working && isInBackground(status.working) ? 10_000 : 1_000,
  })
  const working = (isWorking && (work ? work.working : status?.working)) || null
  const kind = working?.kind
  useEffect(() => {
    if (!kind) return
    // When it ends: it may have been a job of another tab. Those of this tab read again what they changed.
    return () => {
      if (cache.isMutating({ mutationKey: workKey }) > 0) return
      void readAgain(cache, ['restore', 'import', 'undo'].includes(kind) ? afterMerge : afterBackup)
    }
  }, [cache, kind])
  return { query, working }
}

/** After an event of the server, which sends one for every step of a job. */
export async function refreshBackups(cache: QueryClient) {
  const isWorking = () => [workQuery, statusQuery].some(({ queryKey }) => cache.getQueryData(queryKey)?.working)
  if (isWorking()) return
  await cache.invalidateQueries(statusQuery)
  if (!isWorking()) await readAgain(cache, afterBackup.slice(1))
}

/** A call that changes something about backups; with `workKey`, a job. */
export function useBackupCall<Input, Answer>(mutationFn: (input: Input) => Promise<Answer>, mutationKey?: string[]) {
  return useChange(mutationFn, afterBackup, mutationKey)
}

/** An import, a restore or an undo. When its answer is lost, `isLost` is true until the status has the result. */
export function useMergeCall<Input>(run: (input: Input) => Promise<RestoredReport>) {
  const [isLost, setLost] = useState(false)
  const made = async (input: Input) => {
    setLost(false)
    return withOutcome(() => run(input), { onLost: () => setLost(true), readStatus: () => call(readBackupStatus) })
  }
  const change = useChange(made, afterMerge, workKey)
  return { ...change, isLost: isLost && change.isPending }
}
