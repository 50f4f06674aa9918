import { toNestErrors } from '@hookform/resolvers'
import type { FieldError, Resolver } from 'react-hook-form'
import { z } from 'zod/mini'
import type { AdminTexts } from '#content/en.admin.ts'
import { faultSentence, withLabel } from '#content/value-faults.ts'
import { categories } from '#contract/gallery.ts'
import { valueFaults } from '#contract/problems.ts'
import { type ProjectInput, projectInput, projectLimits } from '#contract/project-fields.ts'
import { requiredText } from '#contract/text.ts'
import { valueFaultOf } from '#contract/value-fault.ts'

export type FieldName = keyof ProjectInput

/** What the server takes, and what only this form insists on. */
export const projectForm = z.strictObject({
  ...projectInput.shape,
  // A select that has not been touched holds an empty text.
  category: z.pipe(requiredText('Category is required'), z.enum(categories, 'Category is required')),
  scale: requiredText('Scale is required', projectLimits.scale),
  materials: requiredText('Materials is required', projectLimits.materials),
  techniques: requiredText('Techniques is required', projectLimits.techniques),
  timeSpent: requiredText('Time spent is required', projectLimits.timeSpent),
})

/** As it stands in the form: a text is empty instead of null, and a choice may not have been made yet. */
type Typed<Value> = NonNullable<Value> extends string ? string : Value
export type ProjectValues = { [Name in FieldName]: Typed<ProjectInput[Name]> }

type Given = { [Name in FieldName]?: ProjectInput[Name] | ProjectValues[Name] | undefined }

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
    photos: (given.photos ?? []).map(({ imageUrl, caption, captionEs }) => ({ imageUrl, caption, captionEs })),
    draft: given.draft ?? false,
  }
}

export function sameValues(one: ProjectValues, other: ProjectValues) {
  return JSON.stringify(valuesOf(one)) === JSON.stringify(valuesOf(other))
}

/** Each faulty field by the name of its first fault. */
export const judgeForm: Resolver<ProjectValues, unknown, ProjectInput> = (values, _context, options) => {
  const judged = projectForm.safeParse(values)
  if (judged.success) return { values: judged.data, errors: {} }
  const faults: Record<string, FieldError> = {}
  for (const issue of judged.error.issues) {
    const { field, fault } = valueFaultOf(issue)
    faults[field] ??= { type: fault }
  }
  return { values: {}, errors: toNestErrors(faults, options) }
}

/** What is wrong with a field, in the language of the panel. */
export function faultText({ projectForm: t }: AdminTexts, name: FieldName, type: string | undefined) {
  const fault = valueFaults.find((each) => each === type)
  if (!fault) return undefined
  const missing: Partial<Record<FieldName, string>> = t.missing
  const limits: Partial<Record<FieldName, number>> = projectLimits
  const isMissing = fault === 'missing' || fault === 'not_a_choice'
  return (isMissing && missing[name]) || withLabel('', faultSentence(t.faults, { fault, limit: limits[name] }))
}
