import type { MouseEvent, ReactNode } from 'react'
import { cn } from '../ui/cn.ts'

/** In order: projects, contacts, the site, admins, backups. */
export const blockNumbers = ['01', '02', '03', '04', '05'] as const
export type BlockNumber = (typeof blockNumbers)[number]

const idOf = (number: BlockNumber) => `block-${number}`

export const blockAddress = (number: BlockNumber) => `#${idOf(number)}`

/** For links to a block: moves the focus too, and adds no entry to the history. */
export function goToBlock(event: MouseEvent, number: BlockNumber) {
  const block = document.getElementById(idOf(number))
  if (!block || event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  block.focus({ preventScroll: true })
  block.scrollIntoView()
}

type Props = {
  number: BlockNumber
  title: string
  actions?: ReactNode
  className?: string
  children: ReactNode
}

/** One part of the dashboard. It takes the focus when the focused row is gone. */
export function Block({ number, title, actions, className, children }: Props) {
  const titleId = `${idOf(number)}-title`
  return (
    <section
      id={idOf(number)}
      aria-labelledby={titleId}
      tabIndex={-1}
      data-focus-home
      className={cn('outline-none', className)}
    >
      <div className="flex flex-wrap items-end gap-x-4 gap-y-3 border-b-2 border-ink pb-3">
        <div className="mr-auto min-w-0">
          <p aria-hidden="true" className="lettering text-(--accent)">
            {number}
          </p>
          <h2 id={titleId} className="mt-1 text-[1.625rem] wrap-anywhere max-[22.5rem]:hyphens-auto">
            {title}
          </h2>
        </div>
        {actions && <div className="flex flex-wrap gap-2 max-sm:w-full max-sm:*:flex-1">{actions}</div>}
      </div>
      {children}
    </section>
  )
}
