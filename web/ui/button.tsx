import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import { cn } from './cn.ts'

const tones = {
  /** The primary action. */
  brass: 'bg-brass text-ink hover:bg-brass-light border border-brass hover:border-brass-light',
  /** Secondary actions. */
  plain: 'border border-current/40 hover:border-current bg-transparent',
  quiet: 'border border-transparent hover:bg-current/8',
  danger: 'bg-oxide text-bone border border-oxide hover:bg-oxide/90',
} as const

const sizes = { small: 'min-h-11 px-4 text-sm', large: 'min-h-12 px-6 text-[0.9375rem]' } as const

type Looks = { tone?: keyof typeof tones; size?: keyof typeof sizes }

export function buttonClasses({ tone = 'plain', size = 'small' }: Looks = {}) {
  return cn(
    'inline-flex max-w-full items-center justify-center gap-2 rounded-[2px] font-medium transition-colors duration-200 select-none',
    'disabled:opacity-60 [&_svg]:size-4 [&_svg]:shrink-0',
    tones[tone],
    sizes[size],
  )
}

type Props = ComponentProps<'button'> & Looks & { icon?: LucideIcon }

export function Button({ tone, size, icon: Icon, className, children, ...rest }: Props) {
  return (
    <button
      type="button"
      data-slot="button"
      className={cn(buttonClasses({ ...(tone && { tone }), ...(size && { size }) }), className)}
      {...rest}
    >
      {Icon && <Icon />}
      {children}
    </button>
  )
}
