import type { AboutProject } from '../page.ts'

/** What was typed and is not sent yet. In the tab's storage: a reload or a crash costs nothing, and no other tab overwrites it. */
export type ContactDraft = {
  entries: Partial<Record<string, string>>
  about?: AboutProject | undefined
}

const key = 'inquiry'

export function readContactDraft(): ContactDraft | undefined {
  const kept = withStorage((storage) => JSON.parse(storage.getItem(key) ?? 'null') as Partial<ContactDraft> | null)
  return typeof kept?.entries === 'object' ? { ...kept, entries: kept.entries } : undefined
}

export function keepContactDraft(draft: ContactDraft) {
  const isEmpty = !draft.about && Object.values(draft.entries).every((entry) => !entry)
  withStorage((storage) => (isEmpty ? storage.removeItem(key) : storage.setItem(key, JSON.stringify(draft))))
}

/** Storage can be forbidden or full; then nothing is kept. */
function withStorage<T>(use: (storage: Storage) => T): T | undefined {
  try {
    return use(sessionStorage)
  } catch {
    return undefined
  }
}
