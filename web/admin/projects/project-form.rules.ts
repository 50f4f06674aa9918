import { toNestErrors } from '@hookform/resolvers'
import { type FieldError, get, type Resolver } from 'react-hook-form'
import { z } from 'zod/mini'
import type { AdminTexts } from '#content/en/admin.ts'
import { faultSentence, withLabel } from '#content/value-faults.ts'
import { categories } from '#contract/first-visit.ts'
import { type Language, languages } from '#contract/languages.ts'
import { valueFaults } from '#contract/problems.ts'
import {
  mostPhotos,
  type PhotoInput,
  type ProjectInput,
  photoLimits,
  projectInput,
  projectLimits,
  type TranslatedField,
  type TranslationInput,
  translatedFields,
  wholeTranslations,
} from '#contract/project-fields.ts'
import { requiredText } from '#contract/text.ts'
import { valueFaultOf } from '#contract/value-fault.ts'
import { type Photo, photoOf, withoutNull } from '../photos/photos.rules.ts'
import { type FieldName, type OwnField, ownFields, projectFields, textName } from './form-fields.ts'

/** A draft needs what the server needs. */
const draftForm = z.strictObject({
  ...projectInput.shape,
  // A select that has not been touched holds an empty text.
  category: z.pipe(requiredText('Category is required'), z.enum(categories, 'Category is required')),
})

/** What only this form insists on, of a project that is published. */
export const projectForm = z.strictObject({
  ...draftForm.shape,
  scale: requiredText('Scale is required', projectLimits.scale),
  materials: requiredText('Materials is required', projectLimits.materials),
  techniques: requiredText('Techniques is required', projectLimits.techniques),
  timeSpent: requiredText('Time spent is required', projectLimits.timeSpent),
})

/** What it lacks to be published, or what of it is wrong. */
export function unfitToPublish(project: SavedProject): FieldName[] {
  const { error } = projectForm.safeParse(valuesOf(project))
  const names = error?.issues.map(({ path }) => (path[0] === 'photos' ? 'photos' : path.join('.')) as FieldName)
  return [...new Set(names)]
}

/** As it stands in the form: a text is empty instead of null, and a choice may not have been made yet. */
type Typed<Value> = NonNullable<Value> extends string ? string : Value
type Translated = { [L in Language]?: Record<TranslatedField, string> }
export type ProjectValues = { [Name in Exclude<OwnField, 'photos'>]: Typed<ProjectInput[Name]> } & {
  translations: Translated
  photos: readonly Photo[]
}

/** A project, an unsaved form of an earlier release, or both. */
export type SavedProject = { [Name in Exclude<OwnField, 'photos'>]?: ProjectInput[Name] | ProjectValues[Name] | undefined } & {
  translations?: TranslationInput<TranslatedField> | undefined
  photos?: readonly PhotoInput[] | undefined
}

/** Every field of the form and no other. */
export function valuesOf(project: SavedProject = {}): ProjectValues {
  const own = ownFields.map((name) => {
    const { control } = projectFields[name]
    if (control === 'photos') return [name, (project.photos ?? []).map(photoOf)]
    return [name, project[name as Exclude<OwnField, 'photos'>] ?? (control === 'box' || control === 'button' ? false : '')]
  })
  const translations = wholeTranslations(translatedFields, project.translations ?? {})
  return { ...Object.fromEntries(own), translations: withoutNull(translations) } as ProjectValues
}

export function valueAt(values: ProjectValues, name: FieldName) {
  return get(values, name) as ProjectValues[OwnField]
}

export function sameValues(one: ProjectValues, other: ProjectValues) {
  return JSON.stringify(valuesOf(one)) === JSON.stringify(valuesOf(other))
}

/** Each faulty field by the name of its first fault. */
export const judgeForm: Resolver<ProjectValues, unknown, ProjectInput> = (values, _context, options) => {
  const judged = (values.draft ? draftForm : projectForm).safeParse(values)
  if (judged.success) return { values: judged.data, errors: {} }
  const faults: Record<string, FieldError> = {}
  for (const issue of judged.error.issues) {
    const { field, fault } = valueFaultOf(issue)
    faults[field] ??= { type: fault }
  }
  return { values: {}, errors: toNestErrors(faults, options) }
}

/** The texts that are written in another language and not in this one. */
export function untranslatedIn(language: Language, values: ProjectValues) {
  const isWritten = (each: Language, field: TranslatedField) =>
    String(valueAt(values, textName(each, field)) ?? '').trim() !== ''
  return translatedFields.filter((field) => !isWritten(language, field) && languages.some((each) => isWritten(each, field)))
}

/** What is wrong with a field or with one of a photo, in the language of the panel. */
export function faultText({ projectForm: t }: AdminTexts, name: FieldName | 'caption', type: string | undefined) {
  const fault = valueFaults.find((each) => each === type)
  if (!fault) return undefined
  const missing: Partial<Record<string, string>> = t.missing
  const limits: Partial<Record<string, number>> = { ...photoLimits, ...projectLimits, photos: mostPhotos }
  const isMissing = fault === 'missing' || fault === 'not_a_choice'
  const limit = limits[name.split('.').at(-1) ?? '']
  return (isMissing && missing[name]) || withLabel('', faultSentence(t.faults, { fault, limit }))
}
