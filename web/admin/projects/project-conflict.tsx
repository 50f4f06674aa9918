import type { ReactNode } from 'react'
import { categories } from '#contract/first-visit.ts'
import { languages } from '#contract/languages.ts'
import { ConflictDialog } from '../conflict/conflict-dialog.tsx'
import { captionIn, type Photo } from '../photos/photos.rules.ts'
import { Thumbnail } from '../photos/thumbnail.tsx'
import { useAdminTexts, useUploadTexts } from '../texts.ts'
import { type FieldName, partsOf, projectFields, useFieldLabel } from './form-fields.ts'
import { chosenOf, differencesOf, type ProjectValues, valueAt } from './project-form.rules.ts'

type Props = {
  began: ProjectValues
  yours: ProjectValues
  saved: ProjectValues
  onCancel(): void
  onSave(chosen: ProjectValues): void
}

export function ProjectConflict({ began, yours, saved, onCancel, onSave }: Props) {
  const labelOf = useFieldLabel()
  const choices = differencesOf(began, yours, saved).map(({ name, ...difference }) => ({
    ...difference,
    name,
    label: labelOf(name),
    values: { yours: <Value name={name} values={yours} />, saved: <Value name={name} values={saved} /> },
  }))
  return (
    <ConflictDialog
      text={useAdminTexts().projectForm.conflict.text}
      choices={choices}
      onCancel={onCancel}
      onSave={(sides) => onSave(chosenOf(yours, saved, sides))}
    />
  )
}

function Value({ name, values }: { name: FieldName; values: ProjectValues }): ReactNode {
  const t = useAdminTexts()
  const c = t.projectForm.conflict
  const labelOf = useFieldLabel()
  const { control } = projectFields[partsOf(name).field]
  const value = valueAt(values, name)
  if (control === 'photos') return <PhotosOf photos={values.photos} />
  // `draft` is labelled “On the site”: the opposite.
  if (typeof value === 'boolean') return value === (name !== 'draft') ? c.yes : c.no
  const text = String(value)
  if (text.trim() === '') return <span className="text-(--quiet)">{c.empty}</span>
  if (control === 'photo') return <Thumbnail address={text} alt={labelOf(name)} className="w-40" />
  if (control === 'category') return t.categories[categories.find((each) => each === text) ?? 'ships']
  return text
}

function PhotosOf({ photos }: { photos: readonly Photo[] }) {
  const c = useAdminTexts().projectForm.conflict
  const t = useUploadTexts().photos
  if (photos.length === 0) return <span className="text-(--quiet)">{c.none}</span>
  return (
    <span className="grid grid-cols-3 gap-2">
      {photos.map((photo, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change while it is shown.
        <span key={index} className="block text-xs text-(--quiet)">
          <Thumbnail address={photo.imageUrl} alt={t.position(index + 1, photos.length)} />
          {languages
            .map((language) => captionIn(photo, language))
            .filter(Boolean)
            .join(' / ')}
        </span>
      ))}
    </span>
  )
}
