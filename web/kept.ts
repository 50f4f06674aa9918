/** sessionStorage can be forbidden or full: then nothing is stored. */
function withTabStorage<T>(use: (storage: Storage) => T): T | undefined {
  try {
    return use(sessionStorage)
  } catch {
    return undefined
  }
}

/**
 * Values in the tab's storage, by their ids. What is typed is copied there with every change: a reload, the end of the session
 * or a lost connection loses nothing, and no other tab overwrites it.
 */
export function keptInTab<T>(prefix: string) {
  return {
    read: (id = '') => withTabStorage((storage) => JSON.parse(storage.getItem(prefix + id) ?? 'null') as T | null) ?? undefined,
    keep: (value: T, id = '') => withTabStorage((storage) => storage.setItem(prefix + id, JSON.stringify(value))),
    drop: (id = '') => withTabStorage((storage) => storage.removeItem(prefix + id)),
    ids: () =>
      withTabStorage((storage) =>
        Object.keys(storage).flatMap((key) => (key.startsWith(prefix) ? key.slice(prefix.length) : [])),
      ) ?? [],
  }
}

/** What all names of unsaved edits in the panel begin with. */
export const unsaved = 'unsaved-'

/** Signing out must leave nothing behind. */
export function dropAllUnsaved() {
  const { ids, drop } = keptInTab(unsaved)
  for (const id of ids()) drop(id)
}
