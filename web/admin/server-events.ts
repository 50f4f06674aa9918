import { type Mutation, type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type Topic, topics, watchChanges } from '#contract/overview.ts'
import { listTrash, searchProjects } from '#contract/projects.admin.ts'
import { refreshWork, workKey } from './backups/backup-calls.ts'
import { newsQuery, refreshContacts } from './contacts/contact-calls.ts'
import { overviewQuery } from './overview-calls.ts'
import { versionsQuery } from './site-content/site-calls.ts'

const readAgain: Record<Topic, (cache: QueryClient) => Promise<unknown>> = {
  content: (cache) => {
    const changed = [[searchProjects.path], [listTrash.path], versionsQuery.queryKey, overviewQuery.queryKey]
    return Promise.all(changed.map((queryKey) => cache.invalidateQueries({ queryKey })))
  },
  contacts: refreshContacts,
  backups: refreshWork,
}

/** Long work goes on for minutes, and what others do meanwhile is shown. */
const isShort = ({ options }: Mutation) => options.mutationKey !== workKey

/** Reads again what the server says has changed. The browser connects again by itself; without events the panel works as well. */
export function useServerEvents(isSignedIn: boolean) {
  const cache = useQueryClient()
  useEffect(() => {
    if (!isSignedIn) return
    const changed = new Set<Topic>()
    const refresh = () => {
      // A change made in this tab is an event as well: its own answer shows it first.
      if (cache.isMutating({ predicate: isShort }) > 0) return
      const now = [...changed]
      changed.clear()
      for (const topic of now) void readAgain[topic](cache)
    }
    const note = (...names: readonly Topic[]) => {
      for (const topic of names) changed.add(topic)
      refresh()
    }
    const source = new EventSource(watchChanges.path)
    let wasOpen = false
    source.onopen = () => {
      // Changes made while it was not connected were missed.
      if (wasOpen) note(...topics)
      wasOpen = true
    }
    source.onmessage = ({ data }) => note(...topics.filter((topic) => topic === data))
    // Refused: where the session is over, this leads to the sign-in page.
    source.onerror = () => source.readyState === EventSource.CLOSED && void cache.invalidateQueries(newsQuery)
    const unsubscribe = cache.getMutationCache().subscribe(refresh)
    return () => {
      unsubscribe()
      source.close()
    }
  }, [cache, isSignedIn])
}
