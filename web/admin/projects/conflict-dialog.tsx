import { type ReactNode, useId, useState } from 'react'
import { categories } from '#contract/first-visit.ts'
import { languages } from '#contract/languages.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions, DialogBody } from '../../ui/dialog.tsx'
import { captionIn, type Photo } from '../photos/photos.rules.ts'
import { Thumbnail } from '../photos/thumbnail.tsx'
import { useAdminTexts, useUploadTexts } from '../texts.ts'
import { type FieldName, partsOf, projectFields } from './form-fields.ts'
import { chosenOf, type Difference, differencesOf, type Side } from './project-conflict.rules.ts'
import { type ProjectValues, valueAt } from './project-form.rules.ts'
import { useFieldLabel } from './project-form-fields.tsx'

type Props = {
  began: ProjectValues
  yours: ProjectValues
  saved: ProjectValues
  /** Leaves the form as it is. */
  onCancel(): void
  onSave(chosen: ProjectValues): void
}

/** Compares the form with the saved version, field by field. */
export function ConflictDialog({ began, yours, saved, onCancel, onSave }: Props) {
  const t = useAdminTexts()
  const c = t.projectForm.conflict
  const [differences] = useState(() => differencesOf(began, yours, saved))
  const [sides, setSides] = useState<Partial<Record<FieldName, Side>>>(() =>
    Object.fromEntries(differences.map(({ name, side }) => [name, side])),
  )
  return (
    <Dialog open onClose={onCancel} title={c.title} description={c.text} closeLabel={t.common.close} width="wide">
      <DialogBody className="grid content-start gap-7">
        {differences.map((difference) => (
          <Choice
            key={difference.name}
            difference={difference}
            yours={yours}
            saved={saved}
            side={sides[difference.name] ?? difference.side}
            onChoose={(side) => setSides({ ...sides, [difference.name]: side })}
          />
        ))}
      </DialogBody>
      <DialogActions>
        <Button size="small" onClick={onCancel}>
          {c.back}
        </Button>
        <Button tone="brass" size="small" onClick={() => onSave(chosenOf(yours, saved, sides))}>
          {c.save}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

type ChoiceProps = {
  difference: Difference
  yours: ProjectValues
  saved: ProjectValues
  side: Side
  onChoose(side: Side): void
}

function Choice({ difference: { name, contested }, yours, saved, side, onChoose }: ChoiceProps) {
  const c = useAdminTexts().projectForm.conflict
  const labelOf = useFieldLabel()
  const id = useId()
  return (
    <fieldset>
      <legend className="mb-2 flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-display text-lg">{labelOf(name)}</span>
        {contested && <Badge tone="warning">{c.contested}</Badge>}
      </legend>
      <div className="grid gap-3 sm:grid-cols-2">
        {(
          [
            ['yours', yours],
            ['saved', saved],
          ] as const
        ).map(([each, values]) => (
          <label
            key={each}
            className="grid cursor-pointer grid-cols-[auto_1fr] content-start gap-x-3 gap-y-1 border border-(--line) bg-(--raised) p-4 has-checked:border-brass-deep has-checked:shadow-[inset_4px_0_0_var(--color-brass)]"
          >
            <input
              type="radio"
              name={id}
              checked={side === each}
              onChange={() => onChoose(each)}
              className="mt-0.5 size-5 accent-(--color-brass-deep)"
            />
            <span className="font-medium">{c.sides[each]}</span>
            <span className="col-span-full max-h-56 overflow-y-auto pt-1 text-[0.9375rem] wrap-anywhere whitespace-pre-line">
              <Value name={name} values={values} />
            </span>
          </label>
        ))}
      </div>
    </fieldset>
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
