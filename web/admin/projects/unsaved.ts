import { ofPresentVersion } from '#contract/project-fields.ts'
import { withTabStorage } from '../../tab-storage.ts'
import type { ProjectValues } from './project-form.rules.ts'

/**
 * The form is copied to the tab's storage with every change: a reload or the end of the session loses nothing. `id` is
 * undefined for a new project. `version` is the one it was made from, 0 when there was none; `began` is what that one was
 * like, for the three-way comparison of a conflict.
 */
export type Unsaved = {
  id: string | undefined
  version: number
  values: Partial<ProjectValues>
  began?: ProjectValues | undefined
  /** The names of photos that had not arrived. */
  unfinished?: readonly string[] | undefined
}

const prefix = 'project-draft:'
const keyOf = (id: string | undefined) => `${prefix}${id ?? 'new'}`

export function readUnsaved(id: string | undefined): Unsaved | undefined {
  return withTabStorage((storage) => {
    const kept = storage.getItem(keyOf(id))
    if (!kept) return undefined
    // Forms of earlier releases have no version, no beginning, not every field, or translations under other names.
    const form = ofPresentVersion(JSON.parse(kept)) as Partial<ProjectValues> & Partial<Unsaved>
    const { version = 0, began, unfinished, ...values } = form
    return { id, version, values, began: ofPresentVersion(began) as ProjectValues | undefined, unfinished }
  })
}

export function keepUnsaved({ id, values, ...rest }: Unsaved) {
  withTabStorage((storage) => storage.setItem(keyOf(id), JSON.stringify({ ...values, ...rest })))
}

export function dropUnsaved(id: string | undefined) {
  withTabStorage((storage) => storage.removeItem(keyOf(id)))
}

export function dropAllUnsaved() {
  withTabStorage((storage) => {
    for (const key of unsavedKeys(storage)) storage.removeItem(key)
  })
}

/** One that was left behind, if there is any that can be read. */
export function waitingUnsaved(): Unsaved | undefined {
  const keys = withTabStorage(unsavedKeys) ?? []
  const kept = keys.map((key) => readUnsaved(key === keyOf(undefined) ? undefined : key.slice(prefix.length)))
  return kept.find((each) => each !== undefined)
}

function unsavedKeys(storage: Storage) {
  return Object.keys(storage).filter((key) => key.startsWith(prefix))
}
