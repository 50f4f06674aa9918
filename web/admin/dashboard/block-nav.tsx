import { useQuery } from '@tanstack/react-query'
import { Archive, Boxes, ChartLine, Inbox, type LucideIcon, PanelsTopLeft, Sun, Users } from 'lucide-react'
import { useEffect, useState } from 'react'
import { cn } from '../../ui/cn.ts'
import { useMedia } from '../../ui/use-media.ts'
import { adminsQuery } from '../accounts/account-calls.ts'
import { backupsQuery } from '../backups/backup-calls.ts'
import { blockAddress, goToBlock, idOf, type Place, places, useChosen } from '../block.tsx'
import { overviewQuery } from '../overview-calls.ts'
import { useIsOwner } from '../session.ts'
import { useAdminTexts } from '../texts.ts'

const icons: Record<Place, LucideIcon> = {
  today: Sun,
  '01': Boxes,
  '02': Inbox,
  '03': PanelsTopLeft,
  '04': Users,
  '05': Archive,
  '06': ChartLine,
}

/** Links to the parts of the dashboard with their counts: at the bottom on a phone, under the header on wider screens. */
export function BlockNav() {
  const t = useAdminTexts()
  const isOwner = useIsOwner()
  // From queries that the dashboard makes anyway.
  const { data: overview } = useQuery(overviewQuery)
  const { data: admins } = useQuery(adminsQuery)
  const { data: backups } = useQuery({ ...backupsQuery, enabled: isOwner })
  const counts: Partial<Record<Place, number | undefined>> = {
    '01': overview?.projects,
    '02': overview?.contacts,
    '04': admins?.length,
    '05': backups?.files.length,
  }
  const current = useCurrent()
  const number = new Intl.NumberFormat(t.locale)
  return (
    <nav
      data-slot="block-nav"
      aria-label={t.dashboard.blocks}
      className="on-bone z-30 border-(--line) max-md:fixed max-md:inset-x-0 max-md:bottom-0 max-md:border-t max-md:pb-[env(safe-area-inset-bottom)] md:sticky md:top-16 md:border-b md:[@media(height<30rem)]:top-0"
    >
      <ul className="mx-auto flex max-w-[82rem] md:flex-wrap md:px-[1.375rem] lg:gap-x-2 lg:px-8">
        {places.map((block) => {
          if (block === '05' && !isOwner) return null
          const Icon = icons[block]
          const count = counts[block]
          return (
            // Smaller screens have no room for it: the sentence of the week leads there.
            <li key={block} className={block === '06' ? 'max-xl:hidden' : 'max-md:flex-auto'}>
              <a
                href={blockAddress(block)}
                onClick={(event) => goToBlock(event, block)}
                aria-current={current === block ? 'location' : undefined}
                className={cn(
                  'relative flex items-center text-(--quiet) transition-colors hover:text-ink aria-[current]:text-ink',
                  'max-md:h-16 max-md:flex-col max-md:justify-center max-md:gap-1 max-md:text-[max(13px,min(0.8125rem,3.4vw))] max-md:leading-none',
                  'md:h-12 md:gap-2 md:px-2.5 lg:px-4 md:text-[0.9375rem]',
                  'before:absolute before:inset-x-1.5 before:h-0.5 md:before:inset-x-2.5 lg:before:inset-x-4 before:bg-brass before:opacity-0 aria-[current]:before:opacity-100 max-md:before:-top-px md:before:-bottom-px',
                )}
              >
                <Icon className="size-5 md:size-4" strokeWidth={1.75} />
                <span>{t.dashboard.blockNames[block]}</span>
                {count !== undefined && (
                  <span className="font-mono text-[0.8125rem] leading-none text-(--accent) max-md:absolute max-md:top-2.5 max-md:left-[calc(50%+0.875rem)]">
                    {number.format(count)}
                  </span>
                )}
              </a>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

/** The part that takes most of the screen, unless the chosen one is wholly in view; on a phone the chosen one. */
function useCurrent() {
  const [seen, setSeen] = useState<Place>('today')
  const chosen = useChosen()
  const isPhone = useMedia('(width < 48rem)')
  useEffect(() => {
    const judge = () => {
      const shares = places.map((place) => {
        const { top, bottom } = document.getElementById(idOf(place))?.getBoundingClientRect() ?? { top: 0, bottom: 0 }
        const height = Math.max(0, Math.min(bottom, innerHeight) - Math.max(top, 0))
        return { place, height, isChosen: place === chosen && height > 0 && height >= Math.floor(bottom - top) }
      })
      const most = Math.max(...shares.map(({ height }) => height))
      const [first] = [...shares.filter(({ isChosen }) => isChosen), ...shares.filter(({ height }) => height === most)]
      if (first) setSeen(first.place)
    }
    // Judges at once, too.
    const grown = new ResizeObserver(judge)
    grown.observe(document.body)
    addEventListener('scroll', judge)
    return () => {
      grown.disconnect()
      removeEventListener('scroll', judge)
    }
  }, [chosen])
  return isPhone ? chosen : seen
}
