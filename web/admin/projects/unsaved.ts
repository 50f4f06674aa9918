import { keptInTab, unsaved } from '../../kept.ts'
import type { ProjectValues } from './project-form.rules.ts'

/** An unsaved form. `id` is undefined for a new project. */
export type Unsaved = {
  id: string | undefined
  /** The one it was made from, 0 when there was none. */
  version: number
  values: ProjectValues
  /** What that version was like, for the three-way comparison of a conflict. */
  began: ProjectValues
  /** The names of photos that had not arrived. */
  unfinished?: readonly string[]
}

const forms = keptInTab<Unsaved>(`${unsaved}project:`)

export const readUnsaved = (id = 'new') => forms.read(id)
export const keepUnsaved = (form: Unsaved) => forms.keep(form, form.id ?? 'new')
export const dropUnsaved = (id = 'new') => forms.drop(id)

/** One that was left behind, if there is any. */
export const waitingUnsaved = () => forms.ids().map((id) => forms.read(id))[0]
