import type { ReactNode } from 'react'
import { cn } from '../ui/cn.ts'

type Props = {
  /** Its number on the drawing, 01 to 04. */
  number: string
  title: string
  actions?: ReactNode
  className?: string
  children: ReactNode
}

/** One part of the dashboard. The keyboard comes back here when the row it was on is gone. */
export function Block({ number, title, actions, className, children }: Props) {
  const titleId = `block-${number}`
  return (
    <section aria-labelledby={titleId} tabIndex={-1} data-focus-home className={cn('outline-none', className)}>
      <div className="flex flex-wrap items-end gap-x-4 gap-y-3 border-b-2 border-ink pb-3">
        <div className="mr-auto">
          <p aria-hidden="true" className="lettering text-(--accent)">
            {number}
          </p>
          <h2 id={titleId} className="mt-1 text-[1.625rem]">
            {title}
          </h2>
        </div>
        {actions && <div className="flex flex-wrap gap-2 max-sm:w-full max-sm:*:flex-1">{actions}</div>}
      </div>
      {children}
    </section>
  )
}
