import { useId } from 'react'
import { accents } from '#contract/site-fields.ts'
import { useYourSiteTexts } from '../texts.ts'
import { Marked } from './marked.tsx'
import { useSiteField } from './site-context.ts'

const sample = 'Aa'

/** Chosen by looking: each as it stands on the dark and on the light sheets of the page. */
export function AccentField() {
  const t = useYourSiteTexts()
  const id = useId()
  const { value, isOpen, isOwn, change } = useSiteField('maker.accent')
  return (
    <fieldset className="min-w-0">
      <legend className="mb-2 w-full text-[0.9375rem] font-medium">
        <Marked isOpen={isOpen} isOwn={isOwn}>
          {t.labels['maker.accent']}
        </Marked>
      </legend>
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-4">
        {accents.map((accent) => (
          <label
            key={accent}
            className="block cursor-pointer border border-(--line) bg-(--raised) has-checked:border-ink has-checked:shadow-[inset_0_0_0_1px_var(--color-ink)] has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-(--focus)"
          >
            <span data-accent={accent} aria-hidden="true" className="grid grid-cols-2 font-display text-2xl leading-none">
              <span className="grid gap-2 bg-ink px-3 py-4 text-brass-light">
                <span>{sample}</span>
                <span className="h-1.5 bg-brass" />
              </span>
              <span className="grid gap-2 bg-bone px-3 py-4 text-brass-deep">
                <span>{sample}</span>
                <span className="h-1.5 bg-brass" />
              </span>
            </span>
            <span className="flex min-h-11 items-center gap-2 px-3 text-[0.9375rem]">
              <input
                type="radio"
                name={id}
                checked={value === accent}
                onChange={() => change(accent)}
                className="size-4 accent-(--color-ink)"
              />
              {t.accents[accent]}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
