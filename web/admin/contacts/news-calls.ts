import { type Query, type QueryClient, queryOptions } from '@tanstack/react-query'
import { adminContactsKey, type ContactNews, contactsPath, readContactNews } from '#contract/contacts.admin.ts'
import { readMails } from '#contract/mails.ts'
import { call } from '../../api/call.ts'
import { overviewQuery } from '../overview-calls.ts'
import { countsAfter, hasArrived, isOutdated, type StateChange } from './news.rules.ts'

/** `arrivals` counts the times that something had arrived since the panel was opened. */
type News = ContactNews & { arrivals: number }

const newsKey = [readContactNews.path]
/** What else is read again when there are news. */
const lists = [contactsPath, adminContactsKey, readMails.path, ...overviewQuery.queryKey]

export const newsQuery = queryOptions({
  queryKey: newsKey,
  queryFn: async ({ client, signal }): Promise<News> => {
    const news = await call(readContactNews)
    // Read before a change that is shown by now.
    signal.throwIfAborted()
    const before = client.getQueryData<News>(newsKey)
    if (before && isOutdated(before, news)) void refreshLists(client)
    return withArrivals(before, news)
  },
})

function withArrivals(before: News | undefined, news: ContactNews): News {
  const arrivals = before?.arrivals ?? 0
  return { ...news, arrivals: before && hasArrived(before, news) ? arrivals + 1 : arrivals }
}

export function refreshLists(cache: QueryClient) {
  // Null is a message that is gone, and stays so.
  const predicate = ({ state }: Query) => state.data !== null
  return Promise.all(lists.map((key) => cache.invalidateQueries({ queryKey: [key], predicate })))
}

/**
 * After a change made here: the figures are read again, and the pages in view only when something else has happened too.
 * What has just been marked would otherwise move away under the pointer.
 */
export function refreshFigures(cache: QueryClient, change?: StateChange) {
  cache.setQueryData<News>(newsKey, (shown) => shown && { ...shown, counts: countsAfter(shown.counts, change) })
  const figures = [newsKey, [contactsPath], overviewQuery.queryKey]
  return Promise.all(figures.map((queryKey) => cache.invalidateQueries({ queryKey })))
}
