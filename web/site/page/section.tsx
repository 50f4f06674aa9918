import type { ComponentProps, ReactNode } from 'react'
import { useLanguage } from '../../language/language.tsx'
import { Button } from '../../ui/button.tsx'
import { cn } from '../../ui/cn.ts'
import type { SectionId } from './navigate.ts'

type Props = {
  tone: 'ink' | 'bone'
  /** 01 to 07. */
  number: string
  label: string
  title: string
  intro?: string
  id?: string
  className?: string
  /** Before the head, at full width. */
  before?: ReactNode
  children: ReactNode
}

export function Section({ tone, number, label, title, intro, id, className, before, children }: Props) {
  const titleId = `section-${number}`
  return (
    <section
      id={id}
      tabIndex={id ? -1 : undefined}
      aria-labelledby={titleId}
      className={cn(tone === 'ink' ? 'on-ink' : 'on-bone', 'outline-none', className)}
    >
      {before}
      <div className="page-width py-14 md:py-28 print:py-6">
        <DimensionLine>
          <SectionLabel number={number} label={label} />
        </DimensionLine>
        <div className="mt-7 mb-8 grid gap-x-12 gap-y-4 md:mt-10 md:mb-16 lg:grid-cols-[7fr_5fr] print:my-4">
          <h2 id={titleId} className="min-w-0 text-[clamp(2.125rem,1.6rem+2.6vw,4rem)]">
            {title}
          </h2>
          {intro && <p className="max-w-prose min-w-0 self-end text-lg text-(--quiet)">{intro}</p>}
        </div>
        {children}
      </div>
    </section>
  )
}

export function SectionLabel({ number, label }: { number: string; label: string }) {
  return (
    <p className="lettering flex min-w-0 flex-wrap gap-x-3">
      <span className="text-(--accent)">{number}</span>
      <span className="text-(--quiet)">{label}</span>
    </p>
  )
}

/** |←—— label ——→|, drawn outwards from the label as it comes into view. */
function DimensionLine({ children }: { children: ReactNode }) {
  return (
    <div className="flex items-center gap-4 print:hidden">
      <Reach className="w-8 border-l text-(--line) sm:w-16" />
      {children}
      <Reach flipped className="flex-1 border-r text-(--line)" />
    </div>
  )
}

/** One half of a dimension line, with its arrow. */
export function Reach({ flipped = false, className }: { flipped?: boolean; className: string }) {
  return (
    <span
      aria-hidden="true"
      className={cn('relative h-3 min-w-4 border-current', flipped ? 'drawn-right' : 'drawn-left', className)}
    >
      <span className="absolute inset-x-0 top-1/2 border-t border-current" />
      <span
        className={cn(
          'absolute top-1/2 size-[7px] -translate-y-1/2 border-current',
          flipped ? 'right-[3px] rotate-45 border-t border-r' : 'left-[3px] -rotate-45 border-t border-l',
        )}
      />
    </span>
  )
}

/** Scrolls to a section; without script its form leads there. */
export function SectionButton({ to, ...button }: Omit<ComponentProps<typeof Button>, 'onClick'> & { to: SectionId }) {
  return (
    <form action={`/#${to}`} className="contents">
      <LanguageField />
      <Button size="large" type="submit" data-to={to} {...button} />
    </form>
  )
}

/** A GET form drops the query of its action: the language must be a field. */
export function LanguageField() {
  const { addressLanguage } = useLanguage()
  return addressLanguage && <input type="hidden" name="lang" value={addressLanguage} />
}

/** Whether commissions are open, when the maker has set it. */
export function Commissions({ className }: { className: string }) {
  const { commissions } = useLanguage().texts.pricing
  return commissions && <p className={cn('border-l-2 border-(--accent) pl-4', className)}>{commissions}</p>
}
