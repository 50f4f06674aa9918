import type { LucideIcon } from 'lucide-react'

type Choice<T> = { value: T; label: string; short?: string; icon?: LucideIcon }

type Props<T> = { label: string; chosen: T; onChoose(value: T): void; choices: readonly Choice<T>[] }

/** A few choices beside each other, one of which is pressed. */
export function Segments<T extends string>({ label, chosen, onChoose, choices }: Props<T>) {
  return (
    <fieldset className="flex border border-(--line)">
      <legend className="sr-only">{label}</legend>
      {choices.map(({ value, label: name, short, icon: Icon }) => (
        <button
          key={value}
          type="button"
          aria-pressed={chosen === value}
          onClick={() => onChoose(value)}
          className="inline-flex min-h-11 min-w-11 items-center justify-center gap-2 px-3 text-sm text-(--quiet) transition-colors hover:bg-current/8 aria-pressed:bg-ink aria-pressed:text-bone"
        >
          {Icon && <Icon className="size-4" aria-hidden />}
          {short && (
            <span aria-hidden="true" className="lettering">
              {short}
            </span>
          )}
          <span className={short ? 'sr-only' : 'max-sm:sr-only'}>{name}</span>
        </button>
      ))}
    </fieldset>
  )
}
