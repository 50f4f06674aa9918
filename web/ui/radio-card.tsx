import { type ComponentProps, type ReactNode, useId } from 'react'
import { cn } from './cn.ts'

type Props = ComponentProps<'input'> & { label: string; hint?: string }

/** A choice with its label, and below it what speaks for it. */
export function RadioCard({ label, hint, className, children, ...radio }: Props & { children?: ReactNode }) {
  const id = useId()
  return (
    <label
      className={cn(
        'grid min-h-12 cursor-pointer grid-cols-[auto_1fr] content-start items-start gap-x-3 gap-y-1 border border-(--line) bg-(--raised) px-4 py-3',
        'has-checked:border-brass-deep has-checked:shadow-[inset_4px_0_0_var(--color-brass)]',
        className,
      )}
    >
      <input type="radio" aria-describedby={hint && id} className="mt-0.5 size-5 accent-(--color-brass-deep)" {...radio} />
      <span className="font-medium">{label}</span>
      {hint && (
        <span id={id} className="col-start-2 text-sm text-(--quiet)">
          {hint}
        </span>
      )}
      {children}
    </label>
  )
}
