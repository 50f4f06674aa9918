import { type Mutation, type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { readOverview, type Topic, topics, watchChanges } from '#contract/overview.ts'
import { listTrash, searchProjects } from '#contract/projects.admin.ts'
import { listSiteVersions } from '#contract/site-content.ts'
import { refreshBackups, workKey } from '../backups/backup-calls.ts'
import { readAgain } from '../changes.ts'
import { newsQuery, refreshContacts } from '../contacts/contact-calls.ts'

const refreshed: Record<Topic, (cache: QueryClient) => Promise<unknown>> = {
  content: (cache) => readAgain(cache, [searchProjects.path, listTrash.path, listSiteVersions.path, readOverview.path]),
  contacts: refreshContacts,
  backups: refreshBackups,
}

/** Backups and restores take minutes; changes by others are shown meanwhile. */
const isShort = ({ options }: Mutation) => options.mutationKey?.[0] !== workKey[0]

/** Reads again what the server's events say has changed. The browser reconnects; the panel also works without events. */
export function useServerEvents(isSignedIn: boolean) {
  const cache = useQueryClient()
  useEffect(() => {
    if (!isSignedIn) return
    const changed = new Set<Topic>()
    const refresh = () => {
      // Changes of this tab cause events too: their own replies update the cache first.
      if (cache.isMutating({ predicate: isShort }) > 0) return
      const now = [...changed]
      changed.clear()
      for (const topic of now) void refreshed[topic](cache)
    }
    const note = (...names: readonly Topic[]) => {
      for (const topic of names) changed.add(topic)
      refresh()
    }
    const source = new EventSource(watchChanges.path)
    let wasOpen = false
    source.onopen = () => {
      // Events were missed while disconnected.
      if (wasOpen) note(...topics)
      wasOpen = true
    }
    source.onmessage = ({ data }) => note(...topics.filter((topic) => topic === data))
    // Refused: if the session has ended, this query's 401 leads to the sign-in page.
    source.onerror = () => source.readyState === EventSource.CLOSED && void cache.invalidateQueries(newsQuery)
    const unsubscribe = cache.getMutationCache().subscribe(refresh)
    return () => {
      unsubscribe()
      source.close()
    }
  }, [cache, isSignedIn])
}
