import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { type Category, categories } from '#contract/gallery.ts'
import { cn } from '../../ui/cn.ts'
import { useYourSiteTexts } from '../texts.ts'
import { Marked } from './marked.tsx'
import { countsQuery } from './site-calls.ts'
import { useSiteField } from './site-context.ts'

/** Whether the filter leaves a category out, which it can while that has no models. */
export function HiddenField({ category }: { category: Category }) {
  const t = useYourSiteTexts()
  const id = useId()
  const { value, isOpen, isOwn, change } = useSiteField(`maker.hidden.${category}`)
  const { data: counts } = useQuery(countsQuery)
  const count = counts?.[category]
  const isHidden = value === 'yes'
  return (
    <div>
      {category === categories[0] && <p className="mb-3 text-sm text-(--quiet)">{t.hiddenText}</p>}
      <div className="flex items-center gap-4">
        <button
          type="button"
          role="switch"
          aria-checked={isHidden}
          aria-labelledby={`${id}-label`}
          aria-describedby={count ? `${id}-count` : undefined}
          // One that was hidden before it had models can always be shown again.
          disabled={count === undefined || (count > 0 && !isHidden)}
          onClick={() => change(isHidden ? '' : 'yes')}
          className="flex h-11 w-16 shrink-0 items-center disabled:opacity-50"
        >
          <span
            className={cn(
              'flex h-7 w-full items-center rounded-full border p-0.5 transition-colors',
              isHidden ? 'border-brass-deep bg-brass' : 'border-(--quiet) bg-transparent',
            )}
          >
            <span className={cn('size-5 rounded-full bg-ink transition-transform', isHidden && 'translate-x-[2.125rem]')} />
          </span>
        </button>
        <div className="min-w-0 flex-1">
          <Marked isOpen={isOpen} isOwn={isOwn}>
            <span id={`${id}-label`} className="text-[0.9375rem] font-medium">
              {t.labels[`maker.hidden.${category}`]}
            </span>
          </Marked>
          {count ? (
            <span id={`${id}-count`} className="block text-sm text-(--quiet)">
              {t.hiddenHas(count)}
            </span>
          ) : null}
        </div>
      </div>
    </div>
  )
}
