import type { ComponentProps } from 'react'
import { Button } from './button.tsx'
import { cn } from './cn.ts'
import { Tooltip } from './tooltip.tsx'

type Props = ComponentProps<typeof Button> & {
  /** Says all of it: "Delete Galleon". */
  label: string
  /** Says enough for somebody who sees where it stands: "Delete". */
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
