import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { cn } from './cn.ts'
import { useFocusReturn } from './use-focus-return.ts'

const widths = { narrow: 'sm:max-w-md', wide: 'sm:max-w-3xl' } as const

export const overlayLooks = 'fixed inset-0 z-50 animate-[appear_160ms_ease-out] bg-ink/70'

type Props = {
  open: boolean
  /** Asked to close: by Escape, the cross or a click beside it. The owner decides. */
  onClose(): void
  title: string
  description: string
  closeLabel: string
  width?: keyof typeof widths
  children: ReactNode
}

/** A sheet laid over the page: the whole screen on a phone, a card elsewhere. Its head stays in place while the rest scrolls. */
export function Dialog({ open, onClose, title, description, closeLabel, width = 'narrow', children }: Props) {
  const focusReturn = useFocusReturn()
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className={overlayLooks} />
        <Radix.Content
          data-slot="dialog"
          data-focus-home
          {...focusReturn}
          className={cn(
            'on-bone fixed inset-x-0 bottom-0 z-50 mx-auto flex max-h-dvh flex-col shadow-dialog outline-none',
            'animate-[rise_200ms_var(--ease-settle)] sm:inset-y-0 sm:my-auto sm:h-fit sm:max-h-[90dvh] sm:w-[calc(100%-3rem)] sm:rounded-[3px]',
            widths[width],
          )}
        >
          <div className="flex items-start gap-4 border-b border-(--line) py-3 pr-2 pl-5 sm:pl-8">
            <div className="mr-auto pt-1.5 pb-1">
              <Radix.Title className="text-2xl">{title}</Radix.Title>
              <Radix.Description className="mt-1.5 text-sm text-(--quiet)">{description}</Radix.Description>
            </div>
            <Radix.Close asChild>
              <Button tone="quiet" size="small" className="w-11 shrink-0 px-0" aria-label={closeLabel}>
                <X aria-hidden />
              </Button>
            </Radix.Close>
          </div>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** The part that scrolls. */
export function DialogBody({ className, children }: { className?: string; children: ReactNode }) {
  return <div className={cn('min-h-0 flex-1 overflow-y-auto overscroll-contain px-5 py-6 sm:px-8', className)}>{children}</div>
}

/** What there is to do, always in reach. */
export function DialogActions({ children }: { children: ReactNode }) {
  return (
    <div className="flex flex-wrap justify-end gap-3 border-t border-(--line) bg-(--raised) px-5 py-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] max-sm:*:flex-1 sm:px-8">
      {children}
    </div>
  )
}
