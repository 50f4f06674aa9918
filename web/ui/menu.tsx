import { type ComponentProps, type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { cn } from './cn.ts'
import { Drawing, firstIcons } from './drawing.tsx'
import { useDismiss } from './use-dismiss.ts'

type Props = {
  label: string
  /** What opens it. */
  button(state: Pick<ComponentProps<'button'>, 'aria-haspopup' | 'aria-expanded' | 'onClick'>): ReactNode
  className?: string
  children: ReactNode
}

/** A menu below its button: closes on a choice, on a click elsewhere and on Escape. */
export function Menu({ label, button, className = 'on-bone', children }: Props) {
  const [open, setOpen] = useState(false)
  const container = useRef<HTMLDivElement>(null)
  const close = (by?: 'escape' | 'outside') => {
    setOpen(false)
    if (by !== 'outside') container.current?.querySelector('button')?.focus()
  }
  useDismiss(container, open, close)
  return (
    <div ref={container} className="relative">
      {button({ 'aria-haspopup': 'menu', 'aria-expanded': open, onClick: () => setOpen(!open) })}
      {open && (
        <div
          ref={begin}
          role="menu"
          tabIndex={-1}
          aria-label={label}
          onClick={() => close()}
          onKeyDown={moveWithArrows}
          className={cn(
            'absolute top-full right-0 z-40 mt-1 min-w-44 animate-[appear_120ms_ease-out] rounded-[3px] border border-(--line) p-1 shadow-dialog',
            className,
          )}
        >
          {children}
        </div>
      )}
    </div>
  )
}

/** Also for a link. */
export const menuItem = {
  role: 'menuitem',
  className:
    'flex min-h-11 w-full items-center gap-3 rounded-[2px] px-3 text-left whitespace-nowrap hover:bg-current/10 [&_svg]:size-4 [&_svg]:shrink-0',
}

export function MenuItem(props: ComponentProps<'button'>) {
  return <button type="button" {...menuItem} {...props} />
}

type ChoiceProps<Value> = { value: Value; choices: readonly (readonly [Value, string])[]; onChoose(next: Value): void }

export function MenuChoice<Value extends string>({ value, choices, onChoose }: ChoiceProps<Value>) {
  return choices.map(([each, label]) => (
    <MenuItem key={each} role="menuitemradio" aria-checked={each === value} onClick={() => onChoose(each)}>
      <span className="mr-auto pr-3">{label}</span>
      {each === value && <Drawing d={firstIcons.check} className="text-(--accent)" />}
    </MenuItem>
  ))
}

const itemsOf = (menu: HTMLElement) => [...menu.querySelectorAll<HTMLElement>('[role^="menuitem"]')]

/** Wholly in view, with the focus on what is chosen. */
function begin(menu: HTMLElement | null) {
  if (!menu) return
  const { left } = menu.getBoundingClientRect()
  if (left < 12) menu.style.translate = `${12 - left}px`
  menu.scrollIntoView({ block: 'nearest' })
  const items = itemsOf(menu)
  const first = items.find((item) => item.ariaChecked === 'true') ?? items[0]
  first?.focus({ preventScroll: true })
}

function moveWithArrows(event: KeyboardEvent<HTMLElement>) {
  const items = itemsOf(event.currentTarget)
  const index = items.indexOf(document.activeElement as HTMLElement)
  const next = { ArrowDown: (index + 1) % items.length, ArrowUp: index - 1, Home: 0, End: -1 }[event.key]
  if (next === undefined) return
  event.preventDefault()
  items.at(next)?.focus()
}
