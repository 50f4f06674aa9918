import type { ReactNode } from 'react'
import { cn } from '../ui/cn.ts'

type Props = {
  tone: 'ink' | 'bone'
  /** Its number on the drawing, 01 to 07. */
  number: string
  label: string
  title: string
  intro?: string
  id?: string
  className?: string
  children: ReactNode
}

/** One sheet of the drawing: a number, a label, a title along a dimension line, and what it is about. */
export function Section({ tone, number, label, title, intro, id, className, children }: Props) {
  const titleId = `section-${number}`
  return (
    <section
      id={id}
      tabIndex={id ? -1 : undefined}
      aria-labelledby={titleId}
      className={cn(tone === 'ink' ? 'on-ink' : 'on-bone', 'outline-none', className)}
    >
      <div className="mx-auto max-w-[82rem] px-5 py-20 sm:px-8 md:py-28 lg:px-12">
        <DimensionLine>
          <span className="text-(--accent)">{number}</span>
          <span className="text-(--quiet)">{label}</span>
        </DimensionLine>
        <div className="mt-10 mb-12 grid gap-x-12 gap-y-5 md:mb-16 lg:grid-cols-12">
          <h2 id={titleId} className="text-[clamp(2.25rem,1.6rem+2.6vw,4rem)] lg:col-span-7">
            {title}
          </h2>
          {intro && <p className="max-w-prose self-end text-lg text-(--quiet) lg:col-span-5">{intro}</p>}
        </div>
        {children}
      </div>
    </section>
  )
}

/** |←—— label ——→| */
function DimensionLine({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <div className={cn('flex items-center gap-4', className)}>
      <Arrow />
      <p className="lettering flex gap-3 whitespace-nowrap">{children}</p>
      <Arrow flipped />
    </div>
  )
}

function Arrow({ flipped = false }: { flipped?: boolean }) {
  return (
    <span
      aria-hidden="true"
      className={cn('relative h-3 border-(--line)', flipped ? 'flex-1 border-r' : 'w-8 border-l sm:w-16')}
    >
      <span className="absolute inset-x-0 top-1/2 border-t border-(--line)" />
      <span
        className={cn(
          'absolute top-1/2 size-[7px] -translate-y-1/2 border-(--line)',
          flipped ? 'right-[3px] rotate-45 border-t border-r' : 'left-[3px] -rotate-45 border-t border-l',
        )}
      />
    </span>
  )
}
