import { useId } from 'react'
import { commissionStates } from '#contract/site-fields.ts'
import { useYourSiteTexts } from '../texts.ts'
import { Marked } from './marked.tsx'
import { useSiteField } from './site-context.ts'
import { TextField } from './text-field.tsx'

/** Open, from a day on, or closed; the day is asked for only then. */
export function CommissionsField() {
  const t = useYourSiteTexts()
  const id = useId()
  const { value, isOpen, isOwn, change } = useSiteField('maker.commissions.state')
  return (
    <div className="grid gap-5">
      <fieldset className="min-w-0">
        <legend className="mb-2 w-full text-[0.9375rem] font-medium">
          <Marked isOpen={isOpen} isOwn={isOwn}>
            {t.labels['maker.commissions.state']}
          </Marked>
        </legend>
        <div className="grid gap-2 sm:grid-cols-3">
          {commissionStates.map((state) => (
            <label
              key={state}
              className="flex min-h-12 cursor-pointer items-center gap-3 border border-(--line) px-4 py-2 has-checked:border-brass-deep has-checked:shadow-[inset_4px_0_0_var(--color-brass)]"
            >
              <input
                type="radio"
                name={id}
                checked={value === state}
                onChange={() => change(state)}
                className="size-5 accent-(--color-brass-deep)"
              />
              {t.commissions[state]}
            </label>
          ))}
        </div>
      </fieldset>
      {value === 'from' && <TextField field="maker.commissions.from" name="maker.commissions.from" />}
    </div>
  )
}
