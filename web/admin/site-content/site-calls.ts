import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { readOverview } from '#contract/overview.ts'
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
import { call } from '../../api/call.ts'
import { keptInTab, unsaved } from '../../kept.ts'
import { useStore } from '../../ui/store.ts'
import { withReason } from '../action-error.tsx'
import { readAgain } from '../changes.ts'
import { useNotices } from '../notices.ts'
import { heedRefusal, isRefusedAs } from '../session.ts'
import { useAdminTexts, useYourSiteTexts } from '../texts.ts'
import { onlyExistingFields, openFields, type Typed } from './site-draft.rules.ts'
import { ConflictError, openSiteDraft } from './site-draft.ts'

export const versionsQuery = queryOptions({ queryKey: [listSiteVersions.path], queryFn: () => call(listSiteVersions) })

/** How many models each category has. Never cached: others may have added some. */
export const countsQuery = queryOptions({ queryKey: [countProjects.path], queryFn: () => call(countProjects), staleTime: 0 })

const isRefused = (error: unknown) => isRefusedAs(error, 'site_changed')
export const isSiteChanged = (error: unknown) => error instanceof ConflictError || isRefused(error)

/** For calls outside the query client. */
async function signedIn<T>(made: Promise<T>): Promise<T> {
  try {
    return await made
  } catch (error) {
    heedRefusal(error)
    throw error
  }
}

/** Lives as long as the dashboard: edits are saved even if the editor is closed right afterwards. */
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
  const state = useStore(draft)
  useEffect(() => {
    void draft.open()
    const saveNow = () => void draft.flush()
    const saveWhenLeft = () => document.hidden && saveNow()
    const closed = new AbortController()
    addEventListener('online', saveNow, closed)
    document.addEventListener('visibilitychange', saveWhenLeft, closed)
    return () => {
      closed.abort()
      draft.stop()
    }
  }, [draft])

  const publishing = async (made: Promise<SiteContent>) => {
    const content = await made
    void readAgain(cache, [listSiteVersions.path, readOverview.path])
    return content
  }
  return {
    ...state,
    draft,
    /** The fields that differ from what visitors see. */
    unpublished: state.content ? openFields(state.content, state.typed) : [],
    publish: () => publishing(draft.act((revision) => signedIn(call(publishSite, { body: { revision } })))),
    /** `from` is the version that is published now. */
    bringBack(number: number, from: number) {
      const params = { number: String(number) }
      const run = (revision: string) => signedIn(call(bringBackSiteVersion, { params, body: { revision } }))
      return publishing(draft.act(run, { from }))
    },
    discard: () => draft.act((revision) => signedIn(call(discardSiteDraft, { query: { revision } })), { dropTyped: true }),
  }
}

type OpenDraft = ReturnType<typeof useSiteDraft>
export type ReadDraft = OpenDraft & { content: SiteContent }

export function usePublishing({ content, publish, bringBack }: ReadDraft) {
  const t = useYourSiteTexts()
  const admin = useAdminTexts()
  const notices = useNotices()
  /** The version that is being published, or the draft. */
  const [busy, setBusy] = useState<number | 'draft'>()

  const attempt = (made: Promise<SiteContent>, failed: string, changed = t.publish.publishedSince) =>
    notices.attempt(made, (error) => (isSiteChanged(error) ? changed : withReason(failed, error, admin)))
  /** Runs from a notice, after the dialog may be unmounted. */
  const undo = async (number: number) => {
    const before = number - 1
    if (await attempt(bringBack(before, number), t.publish.undoFailed)) notices.done(t.publish.undone(before))
  }
  const run = async (what: number | 'draft') => {
    if (busy !== undefined) return false
    setBusy(what)
    const made =
      what === 'draft'
        ? await attempt(publish(), t.publish.failed, t.publish.changed)
        : await attempt(bringBack(what, content.published.number), t.versions.restoreFailed)
    setBusy(undefined)
    if (!made) return false
    const { number } = made.published
    notices.done(what === 'draft' ? t.publish.done : t.publish.undone(what), { undo: () => undo(number) })
    return true
  }
  return { busy, publish: () => run('draft'), bringBack: (number: number) => run(number) }
}

const typedInTab = keptInTab<Record<string, unknown>>(`${unsaved}site`)

const readTyped = () => onlyExistingFields(typedInTab.read() ?? {})

function keepTyped(typed: Typed) {
  if (Object.keys(typed).length === 0) typedInTab.drop()
  else typedInTab.keep(typed)
}

export const isTypedKept = () => Object.keys(readTyped()).length > 0
