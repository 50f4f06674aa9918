import { keptInTab } from '../../kept.ts'
import type { AboutProject } from '../../page.ts'

/** The unsent form. */
export type ContactDraft = {
  entries: Partial<Record<string, string>>
  about?: AboutProject | undefined
}

const draft = keptInTab<Partial<ContactDraft>>('inquiry')

export function readContactDraft(): ContactDraft | undefined {
  const kept = draft.read()
  return typeof kept?.entries === 'object' ? { ...kept, entries: kept.entries } : undefined
}

export function keepContactDraft({ entries, about }: ContactDraft) {
  const isEmpty = !about && Object.values(entries).every((entry) => !entry)
  if (isEmpty) draft.drop()
  else draft.keep({ entries, about })
}
