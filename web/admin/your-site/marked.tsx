import type { ReactNode } from 'react'
import { Badge } from '../../ui/badge.tsx'
import { useYourSiteTexts } from '../texts.ts'

type Props = { isOpen: boolean; isOwn: boolean; children: ReactNode }

/** What a field is called, and at the other end whether it is published, or the maker's own; where there is no room, below. */
export function Marked({ isOpen, isOwn, children }: Props) {
  const { mark } = useYourSiteTexts()
  return (
    <span className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1.5">
      <span className="min-w-0 wrap-anywhere">{children}</span>
      {(isOpen || isOwn) && (
        <span className="-my-0.5 font-normal">
          <Badge tone={isOpen ? 'accent' : 'plain'}>{isOpen ? mark.open : mark.own}</Badge>
        </span>
      )}
    </span>
  )
}
