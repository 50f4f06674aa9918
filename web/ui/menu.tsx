import { Check, Ellipsis } from 'lucide-react'
import { DropdownMenu as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { cn } from './cn.ts'

/** A menu of rarer actions behind three dots, or behind `button`. */
export function Menu({ label, button, children }: { label?: string; button?: ReactNode; children: ReactNode }) {
  return (
    // Not modal: the page can be scrolled, and a click outside closes the menu.
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>
        {button ?? (
          <Button
            icon={Ellipsis}
            tone="quiet"
            size="small"
            aria-label={label}
            className="w-11 shrink-0 px-0 [&_svg]:size-[1.125rem]"
          />
        )}
      </Radix.Trigger>
      {/* No portal: outside the landmarks, screen reader users would not find it. */}
      <Radix.Content
        align="end"
        sideOffset={4}
        collisionPadding={12}
        className="on-bone z-40 min-w-56 rounded-[3px] border border-(--line) py-1.5 shadow-dialog data-[state=open]:animate-[appear_120ms_ease-out]"
      >
        {children}
      </Radix.Content>
    </Radix.Root>
  )
}

const itemLooks =
  'flex min-h-11 cursor-pointer items-center gap-3 px-4 text-[0.9375rem] outline-none select-none data-highlighted:bg-brass/15 [&_svg]:size-4 [&_svg]:shrink-0'

export function MenuItem({ onSelect, children }: { onSelect(): void; children: ReactNode }) {
  return (
    <Radix.Item onSelect={onSelect} className={itemLooks}>
      {children}
    </Radix.Item>
  )
}

/** Opens in a new tab. */
export function MenuLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Radix.Item asChild className={itemLooks}>
      <a href={href} target="_blank" rel="noreferrer">
        {children}
      </a>
    </Radix.Item>
  )
}

/** A group of radio items. */
export function MenuChoice<Value extends string>({ value, choices, onChoose }: Choice<Value>) {
  return (
    <Radix.RadioGroup value={value} onValueChange={(next) => onChoose(next as Value)}>
      {choices.map(([each, label]) => (
        <Radix.RadioItem key={each} value={each} className={cn(itemLooks, 'pl-11 data-[state=checked]:pl-4')}>
          <Radix.ItemIndicator>
            <Check aria-hidden />
          </Radix.ItemIndicator>
          {label}
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  )
}

type Choice<Value> = { value: Value; choices: readonly (readonly [Value, string])[]; onChoose(next: Value): void }
