import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { changeBackupSettings, readBackupStatus } from '#contract/backup-status.ts'
import { createCompleteBackup, createDatabaseBackup, deleteBackup, exportData, listBackups } from '#contract/backups.ts'
import { contactsPath } from '#contract/contacts.admin.ts'
import type { InputOf } from '#contract/endpoint.ts'
import { showQuarantine } from '#contract/images.ts'
import { readOverview } from '#contract/overview.ts'
import { listTrash, searchProjects } from '#contract/projects.admin.ts'
import { putReportAway } from '#contract/restores.ts'
import { listSiteVersions, readSiteContent } from '#contract/site-content.ts'
import { call } from '../../api/call.ts'
import { callConfirmed } from '../confirmation/confirmed.ts'

/** Newest first. */
export const backupsQuery = queryOptions({ queryKey: [listBackups.path], queryFn: () => call(listBackups) })

export const quarantineQuery = queryOptions({ queryKey: [showQuarantine.path], queryFn: () => call(showQuarantine) })

export const statusQuery = queryOptions({ queryKey: [readBackupStatus.path], queryFn: () => call(readBackupStatus) })

/** The mutation key of long work, which the site shows as running. */
export const workKey = ['backups', 'work']

// The first steps are read again with the overview.
const afterBackup = [readBackupStatus.path, listBackups.path, readOverview.path]
const afterMerge = [
  ...afterBackup,
  showQuarantine.path,
  searchProjects.path,
  listTrash.path,
  contactsPath,
  readSiteContent.path,
  listSiteVersions.path,
]

/** Reads the progress; when the work is done, also what it may have changed. */
export async function refreshWork(cache: QueryClient) {
  const isWorking = () => Boolean(cache.getQueryData(statusQuery.queryKey)?.working)
  const wasWorking = isWorking()
  await cache.invalidateQueries(statusQuery)
  if (isWorking()) return
  // It may have been a restore in another tab.
  for (const path of wasWorking ? afterMerge : [...afterBackup, showQuarantine.path]) {
    void cache.invalidateQueries({ queryKey: [path] })
  }
}

/** A backup changes lists of backups; an import, a restore or an undo nearly everything. */
export function useRefresh() {
  const cache = useQueryClient()
  const read = (paths: readonly string[]) =>
    Promise.all(paths.map((path) => cache.invalidateQueries({ queryKey: [path] }))).then(() => {})
  return { afterBackup: () => read(afterBackup), afterMerge: () => read(afterMerge) }
}

function useBackupCall<Input, Answer>(work: (input: Input) => Promise<Answer>) {
  const { afterBackup } = useRefresh()
  return useMutation({ mutationKey: workKey, mutationFn: work, onSettled: afterBackup })
}

export const useDatabaseBackup = () => useBackupCall((_: undefined) => call(createDatabaseBackup))
export const useExportData = () => useBackupCall((_: undefined) => callConfirmed(exportData))
export const useCompleteBackup = () => useBackupCall((_: undefined) => call(createCompleteBackup))

export function useDeleteBackup() {
  const { afterBackup } = useRefresh()
  return useMutation({
    mutationFn: ({ filename, last }: { filename: string; last: boolean }) =>
      callConfirmed(deleteBackup, { params: { filename }, query: { last: last ? 'yes' : undefined } }),
    // Also when it failed: another tab may have deleted it.
    onSettled: afterBackup,
  })
}

export function useChangeSettings() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: InputOf<typeof changeBackupSettings>['body']) => callConfirmed(changeBackupSettings, { body }),
    onSuccess: (state) => {
      cache.setQueryData(statusQuery.queryKey, state)
      return cache.invalidateQueries({ queryKey: [readOverview.path] })
    },
  })
}

export function usePutReportAway() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(putReportAway, { params: { id } }),
    onSuccess: () => cache.invalidateQueries(statusQuery),
  })
}
