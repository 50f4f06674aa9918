import type { LucideIcon } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { ActionError } from '../action-error.tsx'
import { useNotices } from '../notices.ts'
import { useBackupTexts } from '../texts.ts'

/** Why everything that makes or restores backups has to wait: the id of what says so. */
export type Waiting = { describedBy: string } | undefined

type Props = {
  icon: LucideIcon
  title: string
  text: string
  action: string
  busy?: boolean
  waiting: Waiting
  /** Why it was not done the last time. */
  problem?: string | undefined
  onAct(): void
}

/** One thing to do, with what it is for. What would be refused says so instead of being tried. */
export function Tile({ icon: Icon, title, text, action, busy = false, waiting, problem, onAct }: Props) {
  const { working } = useBackupTexts()
  const notices = useNotices()
  return (
    <li className="flex flex-col gap-3 bg-(--raised) p-5 sm:last:col-span-2 xl:last:col-span-1">
      <Icon aria-hidden className="size-5 text-(--accent)" />
      <h3 className="text-xl">{title}</h3>
      <p className="mb-auto text-[0.9375rem] text-(--quiet)">{text}</p>
      <Button
        size="small"
        disabled={busy}
        aria-busy={busy}
        {...(waiting && !busy && { 'aria-disabled': true, 'aria-describedby': waiting.describedBy })}
        onClick={({ detail }) => {
          if (detail > 1) return
          if (waiting) notices.fail(working.refused)
          else onAct()
        }}
        className="mt-2 w-full aria-disabled:opacity-60"
      >
        {action}
      </Button>
      <ActionError>{problem}</ActionError>
    </li>
  )
}
