import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { type ComponentProps, type ReactNode, useRef } from 'react'
import { Button } from '../ui/button.tsx'
import { cn } from '../ui/cn.ts'
import { useLayer } from '../ui/use-layer.ts'
import { ActionError } from './action-error.tsx'
import { useAdminTexts } from './texts.ts'

/** A full one has its whole height from the beginning, so that its buttons stay in place. */
const widths = {
  narrow: 'sm:max-w-md',
  wide: 'sm:max-w-3xl',
  full: 'sm:max-w-7xl roomy:h-full!',
} as const

/**
 * A notice must not cover a dialog. On small screens it appears at the top, and a sheet shrinks there meanwhile, so that its
 * buttons do not move. On larger ones the strip for notices is always kept free.
 */
const layerPlace = cn(
  'fixed z-50 mx-auto flex animate-[rise_200ms_var(--ease-settle)] flex-col shadow-dialog outline-none',
  'cramped:transition-[max-height] cramped:duration-200',
)
/** The whole screen, except where a notice is. */
const screenPlace = cn(layerPlace, 'roomy:top-0 roomy:bottom-[var(--notices,0px)]')
const dialogPlace = cn(
  layerPlace,
  'roomy:top-6 roomy:bottom-[max(9rem,var(--notices,0px))] roomy:my-auto roomy:h-fit',
  'roomy:max-h-[min(90dvh,100dvh-1.5rem-max(9rem,var(--notices,0px)))]',
)

type Props = {
  /** Escape, Back, the cross or a click outside. The caller decides whether it closes. */
  onClose(): void
  title: string
  description: string
  width?: keyof typeof widths | 'screen'
  /** The element that opened it, when it has lost the focus already. */
  opener?: Element | null | undefined
  children: ReactNode
}

type LayerProps = Omit<ComponentProps<typeof Radix.Content>, 'title'> & Pick<Props, 'onClose' | 'opener'>

/** Mounted while it is open. */
function Layer({ onClose, opener, ...content }: LayerProps) {
  const focusReturn = useFocusReturn(opener)
  const layer = useLayer(true, onClose)
  return (
    <Radix.Root open onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-50 animate-[appear_160ms_ease-out] bg-ink/70" />
        <Radix.Content data-focus-home {...focusReturn} {...layer} {...content} />
      </Radix.Portal>
    </Radix.Root>
  )
}

/** Full screen on a phone, a card on larger screens. The head stays in place while the body scrolls. */
export function Dialog({ onClose, title, description, width = 'narrow', opener, children }: Props) {
  const { common } = useAdminTexts()
  return (
    <Layer
      data-slot="dialog"
      {...{ onClose, opener }}
      className={cn(
        'on-bone inset-x-0 cramped:bottom-0 cramped:max-h-[calc(100dvh-var(--notices,0px))]',
        width === 'screen' ? screenPlace : cn('sm:w-[calc(100%-3rem)] roomy:rounded-[3px]', dialogPlace, widths[width]),
      )}
    >
      <div className="flex shrink-0 items-start gap-4 border-b border-(--line) py-3 pr-2 pl-5 sm:pl-8">
        <div className="mr-auto min-w-0 pt-1.5 pb-1 wrap-anywhere">
          <Radix.Title className="text-2xl">{title}</Radix.Title>
          <Radix.Description className="mt-1.5 text-sm text-(--quiet) [@media(height<30rem)]:sr-only">
            {description}
          </Radix.Description>
        </div>
        <Button icon={X} tone="quiet" className="w-11 shrink-0 px-0" aria-label={common.close} onClick={onClose} />
      </div>
      {children}
    </Layer>
  )
}

/** The part that scrolls. */
export function DialogBody({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <div className={cn('min-h-0 flex-[1_999_0%] overflow-y-auto overscroll-contain px-5 py-6 sm:px-8', className)}>
      {children}
    </div>
  )
}

/** Above the buttons, so that it is always in view. */
export function DialogError({ children }: { children: ReactNode }) {
  if (!children) return null
  return (
    <div className="max-h-[35dvh] min-h-0 overflow-y-auto border-t border-(--line) px-5 py-3 sm:px-8">
      <ActionError>{children}</ActionError>
    </div>
  )
}

/** The buttons, always in view. */
export function DialogActions({ children }: { children: ReactNode }) {
  return (
    <div className="flex shrink-0 flex-wrap justify-end gap-3 border-t border-(--line) bg-(--raised) px-5 py-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] max-sm:*:flex-auto sm:px-8">
      {children}
    </div>
  )
}

/**
 * Returns the focus to the element that had it before the dialog opened. If that is gone by then (its row was deleted), the
 * nearest element with `data-focus-home` gets it. `from` replaces that element when it has lost the focus already.
 * `data-focus-first` marks the element in the dialog that is focused first.
 */
function useFocusReturn(from?: Element | null) {
  const opener = useRef<Element>(null)
  const home = useRef<HTMLElement>(null)
  return {
    onOpenAutoFocus(event: Event) {
      opener.current = from ?? document.activeElement
      home.current = opener.current?.closest<HTMLElement>('[data-focus-home]') ?? null
      const first = (event.target as Element).querySelector<HTMLElement>('[data-focus-first]')
      if (!first) return
      event.preventDefault()
      first.focus()
    },
    onCloseAutoFocus(event: Event) {
      event.preventDefault()
      const target = opener.current?.isConnected ? opener.current : home.current
      if (target instanceof HTMLElement) giveFocus(target, home.current)
    },
  }
}

/** A disabled button gets the focus once it is enabled, unless the focus has moved meanwhile. */
function giveFocus(target: HTMLElement, home: HTMLElement | null) {
  if (!target.matches(':disabled')) return target.focus()
  home?.focus()
  const waitingAt = document.activeElement
  const watch = new MutationObserver(() => {
    if (target.matches(':disabled')) return
    watch.disconnect()
    if (document.activeElement === waitingAt) target.focus()
  })
  watch.observe(target, { attributeFilter: ['disabled'] })
}

type ConfirmProps = {
  onCancel(): void
  onConfirm(): void
  title: string
  text: string
  cancelLabel?: string
  confirmLabel: string
  busy?: boolean
  /** False while required input is missing. */
  ready?: boolean
  /** Shown between the text and the buttons. */
  children?: ReactNode
}

/** Cancel has the focus; a click outside does nothing. */
export function ConfirmDialog(props: ConfirmProps) {
  const { onCancel, onConfirm, title, text, confirmLabel, busy = false, ready = true, children } = props
  const { common } = useAdminTexts()
  const cancel = () => !busy && onCancel()
  return (
    <Layer
      role="alertdialog"
      data-slot="confirm-dialog"
      onClose={cancel}
      onInteractOutside={(event) => event.preventDefault()}
      className={cn(
        'on-bone inset-x-4 max-w-md rounded-[3px] border-t-4 border-oxide py-6 sm:py-8',
        'cramped:bottom-4 cramped:max-h-[calc(100dvh-1rem-max(1rem,var(--notices,0px)))]',
        dialogPlace,
      )}
    >
      <Radix.Title className="shrink-0 px-6 text-2xl sm:px-8">{title}</Radix.Title>
      <div className="grid min-h-0 gap-4 overflow-y-auto px-6 pt-3 wrap-anywhere sm:px-8">
        <Radix.Description className="text-(--quiet)">{text}</Radix.Description>
        {children}
      </div>
      <div className="mt-7 flex shrink-0 flex-wrap justify-end gap-3 px-6 sm:px-8 max-sm:*:flex-auto">
        <Button data-focus-first disabled={busy} onClick={cancel}>
          {props.cancelLabel ?? common.cancel}
        </Button>
        {/* Ignores the second click of a double click. */}
        <Button tone="danger" disabled={busy || !ready} onClick={({ detail }) => detail < 2 && onConfirm()}>
          {confirmLabel}
        </Button>
      </div>
    </Layer>
  )
}
