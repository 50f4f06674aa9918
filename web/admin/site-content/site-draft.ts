import type { SiteContent } from '#contract/site-content.ts'
import type { FieldChanges, SiteField } from '#contract/site-fields.ts'
import { openStore } from '../../ui/store.ts'
import { afterSave, looksSame, type Typed, toSend, withMine, without, withTyped } from './site-draft.rules.ts'

type DraftState = {
  content?: SiteContent
  typed: Typed
  isSaving: boolean
  /** The last failure to read or save, until one succeeds. */
  error?: unknown
}

type Options = {
  read(): Promise<SiteContent>
  save(body: { revision: string; changes: FieldChanges }): Promise<SiteContent>
  /** Whether a call was refused because of a newer revision. */
  isChanged(error: unknown): boolean
  kept: Typed
  keep(typed: Typed): void
}

/** Milliseconds after the last keystroke until edits are saved. */
const pause = 800

/** Another tab has changed what was to be published, discarded or undone, and this screen did not show it yet. */
export class ConflictError extends Error {}

type Act = {
  /** Drops unsaved edits too. */
  dropTyped?: boolean
  /** For undo: the version to take back. Refused when another one is published; the draft is not compared. */
  from?: number
}

/** The draft of the site: saved while typing, one request at a time. Unsaved edits are kept in the tab. */
export function openSiteDraft({ read, save, isChanged, kept, keep }: Options) {
  const { get, set: replace, subscribe } = openStore<DraftState>({ typed: kept, isSaving: false })
  let timer: ReturnType<typeof setTimeout> | undefined
  let last: Promise<unknown> = Promise.resolve()
  /** Counts the readings that contained changes of others. */
  let news = 0

  const set = (change: Partial<DraftState>) => {
    replace({ ...get(), ...change })
    if (change.typed) keep(change.typed)
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
      const before = get()
      if (before.content && !looksSame(before.content, content, before.typed)) news += 1
      set({ content, error: undefined })
    } catch (error) {
      set({ error })
    }
  }
  const saveOnce = async () => {
    const { content, typed } = get()
    const changes = content ? toSend(content, typed) : {}
    if (!content || Object.keys(changes).length === 0) return
    set({ isSaving: true })
    try {
      const saved = await save({ revision: content.revision, changes })
      set({ content: saved, typed: afterSave(get().typed, changes, saved), error: undefined, isSaving: false })
    } catch (error) {
      if (!isChanged(error)) return set({ error, isSaving: false })
      await load()
      set({ isSaving: false })
      if (!get().error) await saveOnce()
    }
  }
  const readAndSave = async () => {
    await load()
    if (!get().error) await saveOnce()
  }
  /** After a failure the draft is read first: it may have changed meanwhile. */
  const saveAll = () => (get().error ? readAndSave() : saveOnce())
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
    get,
    subscribe,
    /** Reads the draft, and saves edits left in the tab. */
    open: () => inTurn(readAndSave),
    type(field: SiteField, value: string | null) {
      const { content, typed } = get()
      if (content) change(withTyped(content, typed, field, value))
    },
    keepMine(field: SiteField) {
      const { content, typed } = get()
      if (content) change(withMine(content, typed, field))
    },
    takeSaved: (field: SiteField) => change(without(get().typed, field)),
    flush,
    /**
     * Publishes, discards or restores a version after all edits are saved, and only what was on screen: after a change of
     * another tab the draft is read, and the call refused.
     */
    act(run: (revision: string) => Promise<SiteContent>, { dropTyped = false, from }: Act = {}) {
      clearTimeout(timer)
      const seen = news
      return inTurn(async () => {
        if (!dropTyped) await saveAll()
        if (dropTyped ? get().error : from !== undefined && !get().error) await load()
        const { content, error } = get()
        if (error || !content) throw error
        if (from === undefined ? news !== seen : content.published.number !== from) throw new ConflictError()
        try {
          const changed = await run(content.revision)
          set({ content: changed, ...(dropTyped && { typed: {} }) })
          return changed
        } catch (error) {
          if (isChanged(error)) await load()
          throw error
        }
      })
    },
    stop: () => clearTimeout(timer),
  }
}
