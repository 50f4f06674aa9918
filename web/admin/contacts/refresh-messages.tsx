import { useIsFetching, useQueryClient } from '@tanstack/react-query'
import { RefreshButton } from '../../ui/icon-button.tsx'
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
    await Promise.all([cache.invalidateQueries(newsQuery), refreshLists(cache)])
    // The lists keep their data and show no error.
    if (cache.getQueryState(newsQuery.queryKey)?.status === 'error') notices.fail(t.failed)
  }
  return (
    <RefreshButton label={t.refresh} tip={t.refreshTip} isFetching={isFetching} onRefresh={refresh} className={className} />
  )
}
