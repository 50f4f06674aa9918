import type { AboutProject } from '../../page.ts'
import { withTabStorage } from '../../tab-storage.ts'

/** The unsent form. In the tab's storage: it survives a reload, and no other tab overwrites it. */
export type ContactDraft = {
  entries: Partial<Record<string, string>>
  about?: AboutProject | undefined
}

const key = 'inquiry'

export function readContactDraft(): ContactDraft | undefined {
  const kept = withTabStorage((storage) => JSON.parse(storage.getItem(key) ?? 'null') as Partial<ContactDraft> | null)
  return typeof kept?.entries === 'object' ? { ...kept, entries: kept.entries } : undefined
}

export function keepContactDraft(draft: ContactDraft) {
  const isEmpty = !draft.about && Object.values(draft.entries).every((entry) => !entry)
  withTabStorage((storage) => (isEmpty ? storage.removeItem(key) : storage.setItem(key, JSON.stringify(draft))))
}
