import type { ProjectValues } from './project-form.rules.ts'

/**
 * A project form that is being written is copied into the tab's storage with every change, so that neither a session that
 * ends nor a reload costs the maker what was typed. `id` is undefined for a project that does not exist yet.
 */
export type Draft = { id: string | undefined; values: ProjectValues }

const prefix = 'project-draft:'
const keyOf = (id: string | undefined) => `${prefix}${id ?? 'new'}`

export function readDraft(id: string | undefined): ProjectValues | undefined {
  return withStorage((storage) => {
    const kept = storage.getItem(keyOf(id))
    return kept ? (JSON.parse(kept) as ProjectValues) : undefined
  })
}

export function keepDraft(id: string | undefined, values: ProjectValues) {
  withStorage((storage) => storage.setItem(keyOf(id), JSON.stringify(values)))
}

export function dropDraft(id: string | undefined) {
  withStorage((storage) => storage.removeItem(keyOf(id)))
}

export function dropAllDrafts() {
  withStorage((storage) => {
    for (const key of draftKeys(storage)) storage.removeItem(key)
  })
}

/** One that was left behind, if there is any. */
export function waitingDraft(): Draft | undefined {
  const key = withStorage((storage) => draftKeys(storage)[0])
  if (!key) return undefined
  const id = key === keyOf(undefined) ? undefined : key.slice(prefix.length)
  const values = readDraft(id)
  return values && { id, values }
}

function draftKeys(storage: Storage) {
  return Object.keys(storage).filter((key) => key.startsWith(prefix))
}

/** Storage can be forbidden or full; then there are simply no drafts. */
function withStorage<T>(use: (storage: Storage) => T): T | undefined {
  try {
    return use(sessionStorage)
  } catch {
    return undefined
  }
}
