import { Tooltip as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <Radix.Provider delayDuration={700} skipDelayDuration={300}>
      {children}
    </Radix.Provider>
  )
}

/** Names an icon to those who can see it; the icon's own label does so for the others. */
export function Tooltip({ text, children }: { text: string; children: ReactNode }) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          sideOffset={6}
          className="on-ink z-90 rounded-[2px] border border-ink-line px-3 py-1.5 text-sm shadow-dialog data-[state=delayed-open]:animate-[appear_120ms_ease-out]"
        >
          {text}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
