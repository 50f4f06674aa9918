import { RefreshCw, Trash2 } from 'lucide-react'
import { type ComponentProps, useEffect, useEffectEvent, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { Button } from './button.tsx'
import { cn } from './cn.ts'
import { useDismiss } from './use-dismiss.ts'

type Props = ComponentProps<typeof Button> & {
  /** The accessible name: "Delete Galleon". */
  label: string
  /** Shown by `Tooltips`: "Delete". */
  tip?: string
}

export function IconButton({ label, tip, className, ...rest }: Props) {
  return (
    <Button
      tone="quiet"
      aria-label={label}
      data-tip={tip}
      className={cn('w-11 shrink-0 px-0 [&_svg]:size-[1.125rem]', className)}
      {...rest}
    />
  )
}

export function DeleteButton({ className, ...rest }: Props) {
  return <IconButton icon={Trash2} className={cn('hover:text-oxide', className)} {...rest} />
}

type RefreshProps = { label: string; tip: string; isFetching: boolean; onRefresh(): unknown; className?: string | undefined }

/** Stays focusable while it turns. */
export function RefreshButton({ isFetching, onRefresh, ...rest }: RefreshProps) {
  return (
    <IconButton {...rest} aria-disabled={isFetching} onClick={() => !isFetching && void onRefresh()}>
      <RefreshCw className={cn(isFetching && 'motion-safe:animate-spin')} />
    </IconButton>
  )
}

/** In milliseconds. */
const delay = 700
const skipDelay = 300

/** Shows the `data-tip` of the button under the pointer or with the keyboard's focus. Not announced: it has a label of its own. */
export function Tooltips() {
  const [button, setButton] = useState<HTMLElement>()
  const tip = useRef<HTMLDivElement>(null)
  const timer = useRef(0)
  const hiddenAt = useRef(Number.NEGATIVE_INFINITY)
  useDismiss(tip, button !== undefined, () => setButton(undefined))

  const onPoint = useEffectEvent(({ target, pointerType }: PointerEvent) => {
    if (pointerType === 'touch' || !(target instanceof Element) || tip.current?.contains(target)) return
    const next = target.closest<HTMLElement>('[data-tip]') ?? undefined
    clearTimeout(timer.current)
    if (next === button) return
    setButton(undefined)
    const isSkipped = button || performance.now() - hiddenAt.current < skipDelay
    if (next) timer.current = window.setTimeout(setButton, isSkipped ? 0 : delay, next)
  })
  useEffect(() => {
    const gone = new AbortController()
    const onPress = () => clearTimeout(timer.current)
    const onFocus = ({ target }: FocusEvent) => {
      if (target instanceof HTMLElement && target.matches('[data-tip]:focus-visible')) setButton(target)
    }
    document.addEventListener('pointerover', onPoint, gone)
    document.addEventListener('pointerdown', onPress, gone)
    document.addEventListener('focusin', onFocus, gone)
    document.addEventListener('scroll', () => setButton(undefined), { capture: true, signal: gone.signal })
    return () => gone.abort()
  }, [])
  if (!button) return null
  /** Above the button, or below where there is no room, and within the screen. */
  const place = (element: HTMLDivElement) => {
    tip.current = element
    const { top, bottom, left, width } = button.getBoundingClientRect()
    const { offsetWidth, offsetHeight, style } = element
    const middle = left + (width - offsetWidth) / 2
    style.left = `${Math.max(8, Math.min(middle, innerWidth - offsetWidth - 8))}px`
    style.top = `${top > offsetHeight ? top - offsetHeight : bottom}px`
    return () => {
      hiddenAt.current = performance.now()
    }
  }
  return createPortal(
    // Its edge reaches the button, so that the pointer can go from there to the text.
    <div ref={place} role="tooltip" className="pointer-events-auto fixed z-90 animate-[appear_120ms_ease-out] py-1.5">
      <p className="on-ink rounded-[2px] border border-ink-line px-3 py-1.5 text-sm shadow-dialog">{button.dataset.tip}</p>
    </div>,
    document.body,
  )
}
