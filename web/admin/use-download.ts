import type { MouseEvent } from 'react'
import { beConfirmed } from './confirmation/confirmed.ts'
import { useNotices } from './notices.ts'
import { heedRefusal } from './session.ts'
import { useAdminTexts } from './texts.ts'

/** A link that downloads a file. The browser fetches it, so the password is asked for before. */
export function useDownload(href: string, filename = '') {
  const { common: t } = useAdminTexts()
  const notices = useNotices()
  const onClick = async (event: MouseEvent) => {
    event.preventDefault()
    try {
      await beConfirmed()
      startDownload(href, filename)
    } catch (error) {
      heedRefusal(error)
      notices.refused(error, t.downloadFailed)
    }
  }
  return { href, onClick }
}

/** Without a name the file gets the one from the server's header. */
export function startDownload(href: string, filename: string) {
  const link = document.createElement('a')
  link.href = href
  link.download = filename
  link.click()
}
