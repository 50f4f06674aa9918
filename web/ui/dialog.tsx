import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { cn } from './cn.ts'
import { useFocusReturn } from './use-focus-return.ts'
import { useLayer } from './use-layer.ts'

const widths = { narrow: 'sm:max-w-md', wide: 'sm:max-w-3xl', full: 'sm:max-w-5xl', screen: 'sm:max-w-[100rem]' } as const

export const overlayLooks = 'fixed inset-0 z-50 animate-[appear_160ms_ease-out] bg-ink/70'

/**
 * A notice never lies over a dialog. In little room it comes from the top, and a sheet gives way there for as long: what
 * there is to do stays where it is. Elsewhere the strip it lies in is kept free all the time.
 */
export const dialogPlace = cn(
  'fixed z-50 mx-auto flex animate-[rise_200ms_var(--ease-settle)] flex-col shadow-dialog outline-none',
  'cramped:transition-[max-height] cramped:duration-200',
  'roomy:top-6 roomy:bottom-[max(9rem,var(--notices,0px))] roomy:my-auto roomy:h-fit',
  'roomy:max-h-[min(90dvh,100dvh-1.5rem-max(9rem,var(--notices,0px)))]',
)

type Props = {
  open: boolean
  /** Asked to close: by Escape, Back, the cross or a click beside it. The owner decides. */
  onClose(): void
  title: string
  description: string
  closeLabel: string
  width?: keyof typeof widths
  /** What opened it, when the keyboard is there no longer. */
  opener?: Element | null
  children: ReactNode
}

/** A sheet laid over the page: the whole screen on a phone, a card elsewhere. Its head stays in place while the rest scrolls. */
export function Dialog({ open, onClose, title, description, closeLabel, width = 'narrow', opener, children }: Props) {
  const focusReturn = useFocusReturn(opener)
  const layer = useLayer(open, onClose)
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className={overlayLooks} />
        <Radix.Content
          data-slot="dialog"
          data-focus-home
          {...focusReturn}
          {...layer}
          className={cn(
            'on-bone inset-x-0 cramped:bottom-0 cramped:max-h-[calc(100dvh-var(--notices,0px))] sm:w-[calc(100%-3rem)] roomy:rounded-[3px]',
            dialogPlace,
            widths[width],
          )}
        >
          <div className="flex shrink-0 items-start gap-4 border-b border-(--line) py-3 pr-2 pl-5 sm:pl-8">
            <div className="mr-auto min-w-0 pt-1.5 pb-1 wrap-anywhere">
              <Radix.Title className="text-2xl">{title}</Radix.Title>
              <Radix.Description className="mt-1.5 text-sm text-(--quiet) [@media(height<30rem)]:sr-only">
                {description}
              </Radix.Description>
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

/** The part that scrolls, and gives way before anything else does. */
export function DialogBody({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <div className={cn('min-h-0 flex-[1_999_0%] overflow-y-auto overscroll-contain px-5 py-6 sm:px-8', className)}>
      {children}
    </div>
  )
}

/** Why it was not done, right above what there is to do, so that it is always in view. */
export function DialogFailure({ children }: { children: ReactNode }) {
  if (!children) return null
  return <div className="max-h-[35dvh] min-h-0 overflow-y-auto border-t border-(--line) px-5 py-3 sm:px-8">{children}</div>
}

/** What there is to do, always in reach. */
export function DialogActions({ children }: { children: ReactNode }) {
  return (
    <div className="flex shrink-0 flex-wrap justify-end gap-3 border-t border-(--line) bg-(--raised) px-5 py-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] max-sm:*:flex-auto sm:px-8">
      {children}
    </div>
  )
}
