import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { countProjects } from '#contract/projects.ts'
import {
  bringBackSiteVersion,
  changeSiteDraft,
  discardSiteDraft,
  listSiteVersions,
  publishSite,
  readSiteContent,
  type SiteContent,
} from '#contract/site-content.ts'
import { CallError, call } from '../../api/call.ts'
import { leavePanel } from '../leave-panel.ts'
import { overviewQuery } from '../overview-calls.ts'
import { isSignedOut } from '../session.ts'
import { keepTyped, readTyped } from './kept-typed.ts'
import { Overtaken, openSiteDraft } from './site-draft.ts'

export const versionsQuery = queryOptions({ queryKey: [listSiteVersions.path], queryFn: () => call(listSiteVersions) })

/** How many models each category has. Others may have added some: never taken from an earlier reading. */
export const countsQuery = queryOptions({ queryKey: [countProjects.path], queryFn: () => call(countProjects), staleTime: 0 })

const isRefused = (error: unknown) => error instanceof CallError && error.problem?.code === 'site_changed'
export const isSiteChanged = (error: unknown) => error instanceof Overtaken || isRefused(error)

/** These calls are no queries and no mutations, which would lead to the sign-in page by themselves. */
async function signedIn<T>(made: Promise<T>): Promise<T> {
  try {
    return await made
  } catch (error) {
    if (isSignedOut(error)) leavePanel('sessionEnded')
    throw error
  }
}

/** The draft for as long as the dashboard is open: what was typed is saved also when the editor is closed right afterwards. */
export function useSiteDraft() {
  const cache = useQueryClient()
  const [draft] = useState(() =>
    openSiteDraft({
      read: () => signedIn(call(readSiteContent)),
      save: (body) => signedIn(call(changeSiteDraft, { body })),
      isChanged: isRefused,
      kept: readTyped(),
      keep: keepTyped,
    }),
  )
  const state = useSyncExternalStore(draft.subscribe, draft.state)
  useEffect(() => {
    void draft.open()
    const saveNow = () => void draft.flush()
    const saveWhenLeft = () => document.hidden && saveNow()
    addEventListener('online', saveNow)
    document.addEventListener('visibilitychange', saveWhenLeft)
    return () => {
      removeEventListener('online', saveNow)
      document.removeEventListener('visibilitychange', saveWhenLeft)
      draft.stop()
    }
  }, [draft])

  const acts = useMemo(() => {
    const published = (content: SiteContent) => {
      void cache.invalidateQueries({ queryKey: versionsQuery.queryKey })
      void cache.invalidateQueries({ queryKey: overviewQuery.queryKey })
      return content
    }
    return {
      publish: async () => published(await draft.act((revision) => signedIn(call(publishSite, { body: { revision } })))),
      /** Instead of the one that was seen to be published. */
      bringBack: async (number: number, from: number) => {
        const params = { number: String(number) }
        const run = (revision: string) => signedIn(call(bringBackSiteVersion, { params, body: { revision } }))
        return published(await draft.act(run, { from }))
      },
      discard: () => draft.act((revision) => signedIn(call(discardSiteDraft, { query: { revision } })), { dropTyped: true }),
    }
  }, [cache, draft])
  return { ...state, draft, ...acts }
}

type OpenDraft = ReturnType<typeof useSiteDraft>
/** Once it has been read. */
export type ReadDraft = OpenDraft & { content: SiteContent }
