import { type ReactNode, useId, useState } from 'react'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { RadioCard } from '../../ui/radio-card.tsx'
import { Dialog, DialogActions, DialogBody } from '../dialog.tsx'
import { useAdminTexts } from '../texts.ts'
import type { Side } from './conflict.rules.ts'

/** A field that differs, with both of its values as they are shown. */
type Choice<Name extends string> = {
  name: Name
  label: string
  side: Side
  contested: boolean
  values: Record<Side, ReactNode>
  /** Whose the saved value is. */
  savedBy?: string
}

type Sides<Name extends string> = Readonly<Partial<Record<Name, Side>>>

type Props<Name extends string> = {
  text: string
  choices: readonly Choice<Name>[]
  /** Leaves the form as it is. */
  onCancel(): void
  onSave(sides: Sides<Name>): void
}

/** What was typed and what was saved meanwhile, field by field. Shows what differed when it opened. */
export function ConflictDialog<Name extends string>({ text, choices: present, onCancel, onSave }: Props<Name>) {
  const { projectForm } = useAdminTexts()
  const t = projectForm.conflict
  const id = useId()
  const [choices] = useState(present)
  const [sides, setSides] = useState<Sides<Name>>(
    () => Object.fromEntries(choices.map(({ name, side }) => [name, side])) as Sides<Name>,
  )
  return (
    <Dialog onClose={onCancel} title={t.title} description={text} width="wide">
      <DialogBody className="grid content-start gap-7">
        {choices.map(({ name, label, side, contested, values, savedBy }) => (
          <fieldset key={name}>
            <legend className="mb-2 flex flex-wrap items-center gap-x-3 gap-y-1">
              <span className="font-display text-lg">{label}</span>
              {contested && <Badge tone="warning">{t.contested}</Badge>}
            </legend>
            <div className="grid gap-3 sm:grid-cols-2">
              {(['yours', 'saved'] as const).map((each) => (
                <RadioCard
                  key={each}
                  name={`${id}-${name}`}
                  label={(each === 'saved' && savedBy) || t.sides[each]}
                  checked={(sides[name] ?? side) === each}
                  onChange={() => setSides({ ...sides, [name]: each })}
                >
                  <span className="col-span-full max-h-56 overflow-y-auto pt-1 text-[0.9375rem] wrap-anywhere whitespace-pre-line">
                    {values[each]}
                  </span>
                </RadioCard>
              ))}
            </div>
          </fieldset>
        ))}
      </DialogBody>
      <DialogActions>
        <Button onClick={onCancel}>{t.back}</Button>
        <Button tone="brass" onClick={() => onSave(sides)}>
          {t.save}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
