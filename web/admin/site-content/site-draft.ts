import type { SiteContent } from '#contract/site-content.ts'
import type { FieldChanges, SiteField } from '#contract/site-fields.ts'
import { afterSave, looksSame, type Typed, toSend, withMine, without, withTyped } from './site-draft.rules.ts'

export type DraftState = {
  content: SiteContent | undefined
  typed: Typed
  isSaving: boolean
  /** The last failure to read or save, until one succeeds. */
  error: unknown
}

type Options = {
  read(): Promise<SiteContent>
  save(body: { revision: string; changes: FieldChanges }): Promise<SiteContent>
  /** Whether a call was refused because of a newer revision. */
  isChanged(error: unknown): boolean
  kept: Typed
  keep(typed: Typed): void
  /** Milliseconds after the last keystroke until edits are saved. */
  pause?: number
}

/** Another tab has changed what was to be published, discarded or undone, and this screen did not show it yet. */
export class ConflictError extends Error {}

type Act = {
  /** Drops unsaved edits too. */
  dropTyped?: boolean
  /** For undo: the version to take back. Refused when another one is published; the draft is not compared. */
  from?: number
}

/** The draft of the site: saved while typing, one request at a time. Unsaved edits are kept in the tab. */
export function openSiteDraft({ read, save, isChanged, kept, keep, pause = 800 }: Options) {
  let state: DraftState = { content: undefined, typed: kept, isSaving: false, error: undefined }
  const listeners = new Set<() => void>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let last: Promise<unknown> = Promise.resolve()
  /** Counts the readings that contained changes of others. */
  let news = 0

  const set = (change: Partial<DraftState>) => {
    const isTyped = change.typed !== undefined && change.typed !== state.typed
    state = { ...state, ...change }
    if (isTyped) keep(state.typed)
    for (const listener of listeners) listener()
  }
  /** One at a time, so that each sends the revision of the previous one. */
  const inTurn = <T>(run: () => Promise<T>): Promise<T> => {
    const turn = last.then(run, run)
    last = turn.catch(() => {})
    return turn
  }

  const load = async () => {
    try {
      const content = await read()
      if (state.content && !looksSame(state.content, content, state.typed)) news += 1
      set({ content, error: undefined })
    } catch (error) {
      set({ error })
    }
  }
  const saveOnce = async () => {
    const { content, typed } = state
    const changes = content ? toSend(content, typed) : {}
    if (!content || Object.keys(changes).length === 0) return
    set({ isSaving: true })
    try {
      const saved = await save({ revision: content.revision, changes })
      set({ content: saved, typed: afterSave(state.typed, changes, saved), error: undefined, isSaving: false })
    } catch (error) {
      if (!isChanged(error)) return set({ error, isSaving: false })
      await load()
      set({ isSaving: false })
      if (!state.error) await saveOnce()
    }
  }
  /** After a failure the draft is read first: it may have changed meanwhile. */
  const saveAll = async () => {
    if (state.error) await load()
    if (!state.error) await saveOnce()
  }
  const flush = () => {
    clearTimeout(timer)
    return inTurn(saveAll)
  }
  const change = (typed: Typed) => {
    set({ typed })
    clearTimeout(timer)
    timer = setTimeout(flush, pause)
  }

  return {
    state: () => state,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** Reads the draft, and saves edits left in the tab. */
    open: () =>
      inTurn(async () => {
        await load()
        if (!state.error) await saveOnce()
      }),
    type(field: SiteField, value: string | null) {
      if (state.content) change(withTyped(state.content, state.typed, field, value))
    },
    keepMine(field: SiteField) {
      if (state.content) change(withMine(state.content, state.typed, field))
    },
    takeSaved: (field: SiteField) => change(without(state.typed, field)),
    flush,
    /**
     * Publishes, discards or restores a version after all edits are saved, and only the state that was on screen: a newer
     * revision on the server is refused and read again.
     */
    act(run: (revision: string) => Promise<SiteContent>, { dropTyped = false, from }: Act = {}) {
      clearTimeout(timer)
      const seen = news
      const refuseUnseen = () => {
        const isSeen = from === undefined ? news === seen : state.content?.published.number === from
        if (!isSeen) throw new ConflictError()
      }
      return inTurn(async () => {
        if (!dropTyped) await saveAll()
        else if (state.error) await load()
        if (state.error || !state.content) throw state.error
        refuseUnseen()
        const attempt = async ({ revision }: SiteContent) => {
          const content = await run(revision)
          set({ content, ...(dropTyped && { typed: {} }) })
          return content
        }
        try {
          return await attempt(state.content)
        } catch (error) {
          if (!isChanged(error)) throw error
          await load()
          if (state.error) throw error
          refuseUnseen()
          return attempt(state.content)
        }
      })
    },
    stop: () => clearTimeout(timer),
  }
}
