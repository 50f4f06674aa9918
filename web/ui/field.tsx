import { type ComponentProps, type ReactNode, useId } from 'react'
import { cn } from './cn.ts'

const controlClasses =
  'w-full rounded-[2px] border border-(--field-line,var(--quiet)) bg-(--raised) px-4 text-base placeholder:text-(--quiet) aria-invalid:border-2 aria-invalid:border-(--danger)'

type Slot = {
  id: string
  'aria-invalid': true | undefined
  'aria-describedby': string | undefined
  'aria-required': true | undefined
}

type FieldProps = {
  label: ReactNode
  /** Read out instead of the asterisk. */
  required?: string | undefined
  error?: string | undefined
  hint?: ReactNode
  className?: string
  children: (slot: Slot) => ReactNode
}

/** A label, its control, hint and error, connected by ids. */
export function Field({ label, required, error, hint, className, children }: FieldProps) {
  const id = useId()
  const errorId = `${id}-error`
  const hintId = `${id}-hint`
  const describedBy = [error && errorId, hint && hintId].filter(Boolean).join(' ') || undefined
  return (
    <div data-slot="field" className={className}>
      <label htmlFor={id} className="mb-2 block text-[0.9375rem] font-medium">
        {label}
        {required && <Required>{required}</Required>}
      </label>
      {children({
        id,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': describedBy,
        'aria-required': required ? true : undefined,
      })}
      {hint && (
        <p id={hintId} className="mt-1.5 text-sm text-(--quiet)">
          {hint}
        </p>
      )}
      {error && <FieldError id={errorId}>{error}</FieldError>}
    </div>
  )
}

/** An asterisk, which is read out as a word. */
export function Required({ children }: { children: string }) {
  return (
    <span className="text-(--danger)">
      <span aria-hidden="true"> *</span>
      <span className="sr-only"> ({children})</span>
    </span>
  )
}

export function FieldError({ id, children }: { id: string; children: string }) {
  return (
    <p id={id} className="mt-1.5 text-sm font-medium text-(--danger)">
      {children}
    </p>
  )
}

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input data-slot="input" className={cn(controlClasses, 'h-12', className)} {...rest} />
}

export function Textarea({ className, ...rest }: ComponentProps<'textarea'>) {
  return <textarea data-slot="textarea" className={cn(controlClasses, 'min-h-[120px] py-3', className)} {...rest} />
}

type SelectProps = ComponentProps<'select'> & { options?: readonly (readonly [value: string, name: string])[] }

export function Select({ options = [], className, children, ...rest }: SelectProps) {
  return (
    <select data-slot="select" className={cn(controlClasses, 'h-12', className)} {...rest}>
      {options.map(([value, name]) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
      {children}
    </select>
  )
}
