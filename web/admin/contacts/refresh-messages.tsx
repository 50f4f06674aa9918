import { useIsFetching, useQueryClient } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { cn } from '../../ui/cn.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { useNotices } from '../notices.ts'
import { useAdminTexts } from '../texts.ts'
import { newsQuery, refreshLists } from './contact-calls.ts'

/** For sites behind a proxy that buffers the server's events. */
export function RefreshMessages({ className }: { className?: string }) {
  const { messages: t } = useAdminTexts()
  const cache = useQueryClient()
  const notices = useNotices()
  const isFetching = useIsFetching(newsQuery) > 0
  const refresh = async () => {
    if (isFetching) return
    await Promise.all([cache.invalidateQueries(newsQuery), refreshLists(cache)])
    // The lists keep their data and show no error.
    if (cache.getQueryState(newsQuery.queryKey)?.status === 'error') notices.fail(t.failed)
  }
  return (
    <IconButton
      label={t.refresh}
      tip={t.refreshTip}
      aria-disabled={isFetching}
      onClick={() => void refresh()}
      className={className}
    >
      <RefreshCw aria-hidden className={cn(isFetching && 'motion-safe:animate-spin')} />
    </IconButton>
  )
}
