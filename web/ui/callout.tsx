import type { ReactNode } from 'react'
import { cn } from './cn.ts'

const tones = { brass: 'border-brass bg-brass/10', danger: 'border-oxide bg-oxide/5' } as const

type Props = {
  tone?: keyof typeof tones
  icon?: ReactNode
  /** What can be done about it. */
  actions?: ReactNode
  className?: string
  children: ReactNode
}

/** A sentence with a coloured edge, and its buttons beside it where there is room. */
export function Callout({ tone = 'brass', icon, actions, className, children }: Props) {
  return (
    <div className={cn('flex flex-wrap items-center gap-x-4 gap-y-2 border-l-4 py-2 pr-2 pl-4', tones[tone], className)}>
      {icon}
      <div className="min-w-[min(15rem,100%)] flex-1 py-1 wrap-anywhere">{children}</div>
      {actions}
    </div>
  )
}
