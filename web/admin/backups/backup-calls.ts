import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { showAside } from '#contract/aside.ts'
import {
  createCompleteBackup,
  createDatabaseBackup,
  downloadBackup,
  exportData,
  importData,
  listBackups,
} from '#contract/backups.ts'
import { contactsPath } from '#contract/contacts.fields.ts'
import { readOverview } from '#contract/overview.ts'
import { listTrash, searchProjects } from '#contract/projects.admin.ts'
import { listSiteVersions, readSiteContent } from '#contract/site-content.ts'
import { call } from '../../api/call.ts'
import { callConfirmed, confirmed } from '../confirmation/confirmed.ts'
import { uploadBackup } from './upload-backup.ts'

/** Newest first. */
export const backupsQuery = queryOptions({ queryKey: [listBackups.path], queryFn: () => call(listBackups) })

export const asideQuery = queryOptions({ queryKey: [showAside.path], queryFn: () => call(showAside) })

export function downloadAddress(filename: string) {
  return downloadBackup.path.replace(':filename', encodeURIComponent(filename))
}

function useBackupCall<Given, Answer>(work: (given: Given) => Promise<Answer>, changed: readonly string[]) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: work,
    onSuccess: () => Promise.all(changed.map((path) => cache.invalidateQueries({ queryKey: [path] }))),
  })
}

// With the overview the first steps are read again.
const afterBackup = [listBackups.path, readOverview.path]
const everything = [
  ...afterBackup,
  showAside.path,
  searchProjects.path,
  listTrash.path,
  contactsPath,
  readSiteContent.path,
  listSiteVersions.path,
]

export const useDatabaseBackup = () => useBackupCall((_: undefined) => call(createDatabaseBackup), afterBackup)
export const useExportData = () => useBackupCall((_: undefined) => callConfirmed(exportData), afterBackup)
export const useCompleteBackup = () => useBackupCall((_: undefined) => call(createCompleteBackup), afterBackup)
export const useImportData = () => useBackupCall((body: Record<string, unknown>) => call(importData, { body }), everything)
export const useRestoreComplete = () =>
  useBackupCall(
    ({ file, onProgress }: Parameters<typeof uploadBackup>[0]) => confirmed(() => uploadBackup({ file, onProgress })),
    everything,
  )
