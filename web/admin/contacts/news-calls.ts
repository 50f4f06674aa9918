import { type Query, type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { adminContactsKey, type InquiryNews, readInquiryNews } from '#contract/contacts.admin.ts'
import { contactsPath } from '#contract/contacts.fields.ts'
import { readMails } from '#contract/mails.ts'
import { call } from '../../api/call.ts'
import { overviewQuery } from '../overview-calls.ts'
import { countsAfter, hasArrived, hasSameCounts, isOutdated, type StateChange } from './news.rules.ts'

/** `arrivals` counts the times that something had arrived since the panel was opened. */
type News = InquiryNews & { arrivals: number }

const newsKey = [readInquiryNews.path]
/** What else is read again when there are news. */
const lists = [contactsPath, adminContactsKey, readMails.path, ...overviewQuery.queryKey]

export const newsQuery = queryOptions({
  queryKey: newsKey,
  queryFn: async ({ client }): Promise<News> => {
    const news = await call(readInquiryNews)
    const before = client.getQueryData<News>(newsKey)
    if (before && isOutdated(before, news)) void refreshLists(client)
    return withArrivals(before, news)
  },
})

function withArrivals(before: News | undefined, news: InquiryNews): News {
  const arrivals = before?.arrivals ?? 0
  return { ...news, arrivals: before && hasArrived(before, news) ? arrivals + 1 : arrivals }
}

/** In one place of the page: each would ask by itself. */
export function useEveryMinutesNews() {
  return useQuery({ ...newsQuery, refetchInterval: 60_000, refetchOnWindowFocus: 'always' })
}

export function refreshLists(cache: QueryClient) {
  // Null is an inquiry that is gone, and stays so.
  const predicate = ({ state }: Query) => state.data !== null
  return Promise.all(lists.map((key) => cache.invalidateQueries({ queryKey: [key], predicate })))
}

/**
 * After a change made here: the figures are read again, and the pages in view only when something else has happened too.
 * What has just been marked would otherwise move away under the pointer.
 */
export async function refreshFigures(cache: QueryClient, change?: StateChange) {
  void cache.invalidateQueries({ queryKey: [contactsPath] })
  void cache.invalidateQueries(overviewQuery)
  const shown = cache.getQueryData<News>(newsKey)
  // Where it fails, the next minute brings it.
  const news = await call(readInquiryNews).catch(() => undefined)
  if (!news) return
  const expected = shown && { ...shown, counts: countsAfter(shown.counts, change) }
  cache.setQueryData<News>(newsKey, withArrivals(expected, news))
  if (expected && !hasSameCounts(expected, news)) void refreshLists(cache)
}
