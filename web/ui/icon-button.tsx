import { RefreshCw } from 'lucide-react'
import { Tooltip as Radix } from 'radix-ui'
import type { ComponentProps, ReactNode } from 'react'
import { Button } from './button.tsx'
import { cn } from './cn.ts'

type Props = ComponentProps<typeof Button> & {
  /** The accessible name: "Delete Galleon". */
  label: string
  /** The tooltip: "Delete". */
  tip: string
}

export function IconButton({ label, tip, className, ...rest }: Props) {
  return (
    <Tooltip text={tip}>
      <Button
        tone="quiet"
        size="small"
        aria-label={label}
        className={cn('w-11 shrink-0 px-0 [&_svg]:size-[1.125rem]', className)}
        {...rest}
      />
    </Tooltip>
  )
}

type RefreshProps = { label: string; tip: string; isFetching: boolean; onRefresh(): unknown; className?: string | undefined }

/** Stays focusable while it turns. */
export function RefreshButton({ isFetching, onRefresh, ...rest }: RefreshProps) {
  return (
    <IconButton {...rest} aria-disabled={isFetching} onClick={() => !isFetching && void onRefresh()}>
      <RefreshCw aria-hidden className={cn(isFetching && 'motion-safe:animate-spin')} />
    </IconButton>
  )
}

export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <Radix.Provider delayDuration={700} skipDelayDuration={300}>
      {children}
    </Radix.Provider>
  )
}

/** Not announced: the button has its own label. */
function Tooltip({ text, children }: { text: string; children: ReactNode }) {
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
