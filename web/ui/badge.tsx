import type { ReactNode } from 'react'
import { cn } from './cn.ts'

const tones = {
  plain: 'border-(--line) text-(--quiet)',
  accent: 'border-(--accent) text-(--accent)',
  solid: 'border-ink bg-ink text-brass-light',
  done: 'border-verdigris text-verdigris',
  unfinished: 'border-dashed border-ink/60',
  warning: 'border-dashed border-(--danger)/60 text-(--danger)',
  urgent: 'border-(--danger) text-(--danger)',
  danger: 'border-oxide bg-oxide text-bone',
} as const

export function Badge({ tone = 'plain', children }: { tone?: keyof typeof tones; children: ReactNode }) {
  return (
    <span
      data-slot="badge"
      className={cn(
        'lettering inline-flex items-center gap-1.5 rounded-[2px] border px-1.5 py-0.5 text-[0.8125rem] [&_svg]:size-3',
        tones[tone],
      )}
    >
      {children}
    </span>
  )
}
