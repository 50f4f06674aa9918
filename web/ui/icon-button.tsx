import { RefreshCw, Trash2 } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Button } from './button.tsx'
import { cn } from './cn.ts'

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
