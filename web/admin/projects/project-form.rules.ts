import { toNestErrors } from '@hookform/resolvers'
import type { FieldError, Resolver } from 'react-hook-form'
import { z } from 'zod/mini'
import type { AdminTexts } from '#content/en/admin.ts'
import { faultSentence, withLabel } from '#content/value-faults.ts'
import { categories } from '#contract/first-visit.ts'
import type { Language } from '#contract/languages.ts'
import { valueFaults } from '#contract/problems.ts'
import { mostPhotos, type ProjectInput, photoLimits, projectInput, projectLimits } from '#contract/project-fields.ts'
import { requiredText } from '#contract/text.ts'
import { valueFaultOf } from '#contract/value-fault.ts'
import type { Photo } from '../photos/photos.rules.ts'

export type FieldName = keyof ProjectInput

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
export function unfitToPublish(project: Given): FieldName[] {
  const { error } = projectForm.safeParse(valuesOf(project))
  return [...new Set(error?.issues.map(({ path }) => path[0] as FieldName))]
}

/** As it stands in the form: a text is empty instead of null, and a choice may not have been made yet. */
type Typed<Value> = NonNullable<Value> extends string ? string : Value
export type ProjectValues = { [Name in Exclude<FieldName, 'photos'>]: Typed<ProjectInput[Name]> } & { photos: readonly Photo[] }

type GivenPhoto = { imageUrl: string; caption: string | null; captionEs: string | null }
export type Given = { [Name in FieldName]?: ProjectInput[Name] | ProjectValues[Name] | undefined } & {
  photos?: readonly GivenPhoto[] | undefined
}

/** Every field of the form and no other, out of a project, an unsaved form of an earlier release, or both. */
export function valuesOf(given: Given = {}): ProjectValues {
  return {
    title: given.title ?? '',
    description: given.description ?? '',
    category: given.category ?? '',
    imageUrl: given.imageUrl ?? '',
    scale: given.scale ?? '',
    materials: given.materials ?? '',
    techniques: given.techniques ?? '',
    timeSpent: given.timeSpent ?? '',
    beforeImageUrl: given.beforeImageUrl ?? '',
    afterImageUrl: given.afterImageUrl ?? '',
    featured: given.featured ?? false,
    titleEs: given.titleEs ?? '',
    descriptionEs: given.descriptionEs ?? '',
    materialsEs: given.materialsEs ?? '',
    techniquesEs: given.techniquesEs ?? '',
    photos: (given.photos ?? []).map(({ imageUrl, caption, captionEs }) => ({
      imageUrl,
      caption: caption ?? '',
      captionEs: captionEs ?? '',
    })),
    draft: given.draft ?? false,
  }
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

/** The texts that are written in both languages, the English one first. */
export const translated = [
  ['title', 'titleEs'],
  ['description', 'descriptionEs'],
  ['materials', 'materialsEs'],
  ['techniques', 'techniquesEs'],
] as const

/** The texts that are written in the other language and not in this one. */
export function untranslatedIn(language: Language, values: ProjectValues) {
  const isWritten = (name: (typeof translated)[number][number]) => values[name].trim() !== ''
  return translated.flatMap(([en, es]) => {
    const [here, there] = language === 'en' ? [en, es] : [es, en]
    return isWritten(there) && !isWritten(here) ? [en] : []
  })
}

/** What is wrong with a field or with one of a photo, in the language of the panel. */
export function faultText({ projectForm: t }: AdminTexts, name: FieldName | keyof Photo, type: string | undefined) {
  const fault = valueFaults.find((each) => each === type)
  if (!fault) return undefined
  const missing: Partial<Record<string, string>> = t.missing
  const limits: Partial<Record<string, number>> = { ...photoLimits, ...projectLimits, photos: mostPhotos }
  const isMissing = fault === 'missing' || fault === 'not_a_choice'
  return (isMissing && missing[name]) || withLabel('', faultSentence(t.faults, { fault, limit: limits[name] }))
}
