import { type ComponentProps, type ReactNode, useId } from 'react'
import { cn } from './cn.ts'

type Props = ComponentProps<'input'> & { label: ReactNode; hint?: string | undefined; indeterminate?: boolean }

export function Checkbox({ label, hint, indeterminate, className = 'accent-(--color-brass-deep)', ...rest }: Props) {
  const id = useId()
  const showPartly = (box: HTMLInputElement | null) => {
    if (box) box.indeterminate = indeterminate === true
  }
  return (
    <div className="flex items-start">
      <span className="-ml-3 grid size-11 shrink-0 place-items-center">
        <input
          id={id}
          type="checkbox"
          aria-describedby={hint && `${id}-hint`}
          className={cn('size-5', className)}
          {...(indeterminate !== undefined && { ref: showPartly })}
          {...rest}
        />
      </span>
      <div className="min-w-0 wrap-anywhere">
        <label htmlFor={id} className="block py-2.5 leading-6 font-medium">
          {label}
        </label>
        {hint && (
          <p id={`${id}-hint`} className="-mt-2 text-sm text-(--quiet)">
            {hint}
          </p>
        )}
      </div>
    </div>
  )
}
