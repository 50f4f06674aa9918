import { queryOptions } from '@tanstack/react-query'
import { readBackupStatus } from '#contract/backup-status.ts'
import { readMails } from '#contract/mails.ts'
import { readOverview } from '#contract/overview.ts'
import { readLinkNeeds } from '#contract/recovery.ts'
import { readSettings, type SettingName } from '#contract/settings.ts'
import { readStatistics } from '#contract/statistics.ts'
import { call } from '../../api/call.ts'
import { openStore } from '../../ui/store.ts'
import { useChange } from '../changes.ts'

export const settingsQuery = queryOptions({ queryKey: [readSettings.path], queryFn: () => call(readSettings) })

const changedWithSettings = [
  ...[readSettings.path, readMails.path, readOverview.path],
  ...[readLinkNeeds.path, readBackupStatus.path, readStatistics.path],
]

export function useSettingCall<Input, Answer>(made: (input: Input) => Promise<Answer>) {
  return useChange(made, changedWithSettings)
}

/** Where the settings are opened, and which of them gets the focus. */
export const openedSettings = openStore<SettingName | 'all' | undefined>(undefined)

export function openSettings(at: SettingName | 'all' = 'all') {
  openedSettings.set(at)
}
