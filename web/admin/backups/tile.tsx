import type { LucideIcon } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { ActionError } from '../action-error.tsx'

type Props = {
  icon: LucideIcon
  title: string
  text: string
  action: string
  busy?: boolean
  /** Why it was not done the last time. */
  problem?: string | undefined
  onAct(): void
}

/** One thing to do, with what it is for. */
export function Tile({ icon: Icon, title, text, action, busy = false, problem, onAct }: Props) {
  return (
    <li className="flex flex-col gap-3 bg-(--raised) p-5 sm:last:col-span-2 xl:last:col-span-1">
      <Icon aria-hidden className="size-5 text-(--accent)" />
      <h3 className="text-xl">{title}</h3>
      <p className="mb-auto text-[0.9375rem] text-(--quiet)">{text}</p>
      <Button
        size="small"
        disabled={busy}
        aria-busy={busy}
        onClick={({ detail }) => detail < 2 && onAct()}
        className="mt-2 w-full"
      >
        {action}
      </Button>
      <ActionError>{problem}</ActionError>
    </li>
  )
}
