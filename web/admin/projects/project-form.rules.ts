import { toNestErrors } from '@hookform/resolvers'
import { type FieldErrors, get, type Resolver, set } from 'react-hook-form'
import { z } from 'zod/mini'
import type { AdminTexts } from '#content/en/admin.ts'
import { faultSentence, withLabel } from '#content/value-faults.ts'
import { defaultLanguage, type Language, languages } from '#contract/languages.ts'
import { type ValueFault, valueFaults } from '#contract/problems.ts'
import {
  isTranslated,
  missingFrom,
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
import { valueFaultOf } from '#contract/value-fault.ts'
import { compare, type Side } from '../conflict/conflict.rules.ts'
import { type Photo, photoOf, withoutNull } from '../photos/photos.rules.ts'
import { type FieldName, fieldNames, type OwnField, ownFields, projectFields, textName, textNames } from './form-fields.ts'

/** What this form insists on before a project is published: what the server needs, and the facts. */
const asked = ['imageUrl', 'title', 'description', 'category', 'scale', 'materials', 'techniques', 'timeSpent'] as const

const projectForm = z.strictObject(projectInput.shape)

/** The path in the form of a field that is sent, where the cover is not among the photos. */
export function formPathOf(field: string) {
  if (field === 'imageUrl') return 'photos'
  return field.replace(/^photos\.(\d+)/, (_, index) => `photos.${Number(index) + 1}`)
}

/** As it is sent: of the cover its address alone. */
function sentFrom({ photos: [cover, ...photos], ...values }: ProjectValues) {
  return { ...values, imageUrl: cover?.imageUrl ?? '', photos }
}

/** Each faulty field by the name of its first fault. A text that is in no language is missing in the one that is shown. */
function judge(values: ProjectValues, shown: Language) {
  const sent = sentFrom(values)
  const faults: Record<string, { type: Fault }> = {}
  for (const field of missingFrom(sent, asked)) {
    faults[isTranslated(field) ? textName(shown, field) : formPathOf(field)] = { type: sent.draft ? 'empty_draft' : 'missing' }
  }
  const judged = projectForm.safeParse(sent)
  for (const issue of judged.error?.issues ?? []) {
    const { field, fault } = valueFaultOf(issue)
    faults[formPathOf(field)] ??= { type: fault }
  }
  return { faults, data: judged.data }
}

/** What it lacks to be published, or what of it is wrong. */
export function unfitToPublish(project: SavedProject): FieldName[] {
  const { faults } = judge({ ...valuesOf(project), draft: false }, defaultLanguage)
  const names = Object.keys(faults).map((path) => (path.startsWith('photos') ? 'photos' : path) as FieldName)
  // A draft may have other photos alone: the form makes the first of them the cover.
  return [...new Set<FieldName>(project.imageUrl === '' ? ['photos', ...names] : names)]
}

/** As it stands in the form: a text is empty instead of null, and a choice may not have been made yet. */
type Typed<Value> = NonNullable<Value> extends string ? string : Value
type Translated = { [L in Language]?: Record<TranslatedField, string> }
type Fault = ValueFault['fault'] | 'empty_draft'
export type ProjectValues = { [Name in Exclude<OwnField, 'photos'>]: Typed<ProjectInput[Name]> } & {
  translations: Translated
  /** The first is the cover. */
  photos: readonly Photo[]
}

/** A project, an unsaved form of an earlier release, or both. */
export type SavedProject = { [Name in Exclude<OwnField, 'photos'>]?: ProjectInput[Name] | ProjectValues[Name] | undefined } & {
  translations?: TranslationInput<TranslatedField> | undefined
  imageUrl?: string | undefined
  photos?: readonly PhotoInput[] | undefined
  fallbacks?: readonly TranslatedField[] | undefined
}

/** Every field of the form and no other. A text of another language that stands in for one is left out. */
export function valuesOf(project: SavedProject = {}): ProjectValues {
  const { fallbacks = [], imageUrl, photos = [] } = project
  const own = ownFields.map((name) => {
    const { control } = projectFields[name]
    if (control === 'photos' || fallbacks.some((field) => field === name)) return [name, '']
    return [name, project[name as Exclude<OwnField, 'photos'>] ?? (control === 'box' || control === 'button' ? false : '')]
  })
  const translations = wholeTranslations(translatedFields, project.translations ?? {})
  const shown = [...(imageUrl ? [{ imageUrl }] : []), ...photos].map(photoOf)
  return { ...Object.fromEntries(own), translations: withoutNull(translations), photos: shown } as ProjectValues
}

export function valueAt(values: ProjectValues, name: FieldName) {
  return get(values, name) as ProjectValues[OwnField]
}

export function sameValues(one: ProjectValues, other: ProjectValues) {
  return JSON.stringify(valuesOf(one)) === JSON.stringify(valuesOf(other))
}

/** The context is the language that is shown. */
export const judgeForm: Resolver<ProjectValues, Language, ProjectInput> = (values, shown = defaultLanguage, options) => {
  const { faults, data } = judge(values, shown)
  if (data && Object.keys(faults).length === 0) return { values: data, errors: {} }
  return { values: {}, errors: toNestErrors(faults, options) }
}

export function isWrittenIn(language: Language, field: TranslatedField, values: ProjectValues) {
  return String(valueAt(values, textName(language, field)) ?? '').trim() !== ''
}

export function isFaultyIn(language: Language, errors: FieldErrors<ProjectValues>) {
  const caption = language === defaultLanguage ? 'caption' : `translations.${language}.caption`
  const photos: unknown[] = Object.values(errors.photos ?? {})
  return textNames(language).some((name) => get(errors, name)) || photos.some((photo) => get(photo, caption))
}

export function untranslatedIn(language: Language, values: ProjectValues) {
  return translatedFields.filter(
    (field) => !isWrittenIn(language, field, values) && languages.some((each) => isWrittenIn(each, field, values)),
  )
}

export function faultText(
  { projectForm: t }: AdminTexts,
  name: FieldName | keyof typeof photoLimits,
  type: string | undefined,
) {
  if (type === ('empty_draft' satisfies Fault)) return t.emptyDraft
  const fault = valueFaults.find((each) => each === type)
  if (!fault) return undefined
  const missing: Partial<Record<string, string>> = t.missing
  const limits: Partial<Record<string, number>> = { ...photoLimits, ...projectLimits, photos: mostPhotos }
  const isMissing = fault === 'missing' || fault === 'not_a_choice'
  const field = name.split('.').at(-1) ?? ''
  const limit = limits[field]
  return (isMissing && missing[field]) || withLabel('', faultSentence(t.faults, { fault, limit }))
}

type Sides = Readonly<Partial<Record<FieldName, Side>>>

/** The fields that differ between the form and the saved version; `began` is the version editing began with. */
export function differencesOf(began: ProjectValues, yours: ProjectValues, saved: ProjectValues) {
  return fieldNames.flatMap((name) => {
    const at = (values: ProjectValues): unknown => (name === 'photos' ? photosSent(values) : valueAt(values, name))
    const difference = compare(at(began), at(yours), at(saved), isSameText)
    return difference ? [{ name, ...difference }] : []
  })
}

function photosSent(values: ProjectValues) {
  const { imageUrl, photos } = sentFrom(values)
  return [imageUrl, photos]
}

export function chosenOf(yours: ProjectValues, saved: ProjectValues, sides: Sides): ProjectValues {
  const chosen = valuesOf(yours)
  for (const name of fieldNames) if (sides[name] === 'saved') set(chosen, name, valueAt(saved, name))
  return chosen
}

/** Blanks around a text are not stored: they are no difference. */
function isSameText(one: unknown, other: unknown) {
  const plain = (value: unknown) => JSON.stringify(value, (_, part: unknown) => (typeof part === 'string' ? part.trim() : part))
  return plain(one) === plain(other)
}
