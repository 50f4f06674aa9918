import { withTabStorage } from '../../tab-storage.ts'
import type { ProjectValues } from './project-form.rules.ts'

/**
 * A project form that is being written is copied into the tab's storage with every change, so that neither a session that
 * ends nor a reload costs the maker what was typed. `id` is undefined for a project that does not exist yet. `version` is
 * the one it was made from, so that it does not overwrite a newer one; 0 when there was none. `began` is what it was like,
 * for the three-way comparison of a conflict.
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
    // Forms of earlier releases have no version, no beginning and not every field.
    const { version = 0, began, unfinished, ...values } = JSON.parse(kept) as Partial<ProjectValues> & Partial<Unsaved>
    return { id, version, values, began, unfinished }
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
