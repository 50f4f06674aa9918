import { z } from 'zod/mini'
import type { AdminTexts } from '#content/en.admin.ts'
import { categories } from '#contract/gallery.ts'
import { projectDraft, projectLimits } from '#contract/project-fields.ts'
import type { Project } from '#contract/projects.ts'
import { requiredText } from '#contract/text.ts'

/** What the server takes, and what only this form insists on. */
export const projectForm = z.strictObject({
  ...projectDraft.shape,
  // A select that has not been touched holds an empty text.
  category: z.pipe(z.string(), z.enum(categories, 'Category is required')),
  scale: requiredText('Scale is required', projectLimits.scale),
  materials: requiredText('Materials is required', projectLimits.materials),
  techniques: requiredText('Techniques is required', projectLimits.techniques),
  timeSpent: requiredText('Time spent is required', projectLimits.timeSpent),
})

const textFields = [
  'title',
  'category',
  'scale',
  'timeSpent',
  'description',
  'materials',
  'techniques',
  'imageUrl',
  'beforeImageUrl',
  'afterImageUrl',
  'titleEs',
  'descriptionEs',
  'materialsEs',
  'techniquesEs',
] as const
export type TextField = (typeof textFields)[number]

/** What stands in the form: every text as it is typed. */
export type ProjectValues = z.input<typeof projectForm>

export const spanishFields = ['titleEs', 'descriptionEs', 'materialsEs', 'techniquesEs'] as const satisfies TextField[]

export function valuesOf(project?: Project): ProjectValues {
  const texts = Object.fromEntries(textFields.map((field) => [field, project?.[field] ?? '']))
  return { ...texts, featured: project?.featured ?? false } as ProjectValues
}

export function sameValues(one: ProjectValues, other: ProjectValues) {
  return one.featured === other.featured && textFields.every((field) => (one[field] ?? '') === (other[field] ?? ''))
}

/** What is wrong with a field, in the words of the panel. `kind` is zod's name for the fault. */
export function faultText(t: AdminTexts, field: TextField, kind: string | undefined): string | undefined {
  if (!kind) return undefined
  if (kind === 'too_big' && field in projectLimits) return t.common.tooLong(projectLimits[field as keyof typeof projectLimits])
  if (kind === 'custom') return t.projectForm.badImage
  const { missing } = t.projectForm
  return field in missing ? missing[field as keyof typeof missing] : t.projectForm.badImage
}
