import type { MouseEvent } from 'react'
import { downloadBackup } from '#contract/backups.ts'
import { addressOf } from '../../api/call.ts'
import { beConfirmed } from '../confirmation/confirmed.ts'
import { leavePanel } from '../leave-panel.ts'
import { useNotices } from '../notices.ts'
import { isSignedOut } from '../session.ts'
import { useBackupTexts } from './backup-texts.ts'

/** Where a backup is downloaded. The browser fetches it by itself, so the password is asked for before. */
export function useDownload(filename: string) {
  const { list: t } = useBackupTexts()
  const notices = useNotices()
  const href = addressOf(downloadBackup, { params: { filename } })
  const onClick = async (event: MouseEvent) => {
    event.preventDefault()
    try {
      await beConfirmed()
      start(href, filename)
    } catch (error) {
      if (isSignedOut(error)) leavePanel('sessionEnded')
      notices.refused(error, t.downloadFailed)
    }
  }
  return { href, onClick }
}

function start(href: string, filename: string) {
  const link = document.createElement('a')
  link.href = href
  link.download = filename
  link.click()
}
