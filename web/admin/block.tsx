import type { MouseEvent, ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '../ui/button.tsx'
import { Callout } from '../ui/callout.tsx'
import { cn } from '../ui/cn.ts'
import { openStore, useStore } from '../ui/store.ts'
import { leaveToast } from '../ui/toast-store.ts'
import { useAdminTexts } from './texts.ts'

/** In order: projects, contacts, the site, admins, backups, visits. */
const blockNumbers = ['01', '02', '03', '04', '05', '06'] as const
export type BlockNumber = (typeof blockNumbers)[number]

/** The parts of the dashboard: what is to be done today, then the blocks. */
export const places = ['today', ...blockNumbers] as const
export type Place = (typeof places)[number]

export const idOf = (place: Place) => `block-${place}`

export const blockAddress = (place: Place) => `#${idOf(place)}`

const chosen = openStore<Place>('today')

/** Where a link has led last. On a phone it is the only part shown, and "today" shows the first rows of every block. */
export const useChosen = () => useStore(chosen)
export const choose = chosen.set

/** Shows a part of the dashboard and moves the focus there, or to `target` in it. Adds no entry to the history. */
export function goTo(
  place: Place,
  { target = idOf(place), block = 'start' }: { target?: string; block?: ScrollLogicalPosition } = {},
) {
  // On a phone a notice would lie over the first buttons.
  leaveToast()
  // Hidden on a phone until it is chosen.
  flushSync(() => choose(place))
  const element = document.getElementById(target)
  element?.focus({ preventScroll: true })
  element?.scrollIntoView({ block })
}

/** For a button that disappears: its block or dialog takes the focus. */
export function focusHome(button: Element) {
  button.closest<HTMLElement>('[data-focus-home]')?.focus({ preventScroll: true })
}

export function goToBlock(event: MouseEvent, place: Place) {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  goTo(place)
}

type Props = {
  number: BlockNumber
  title: string
  actions?: ReactNode
  /** On a phone: leads from its first rows to all of it. */
  whole?: string
  className?: string
  children: ReactNode
}

/**
 * One part of the dashboard. It takes the focus when the focused row is gone. While it is `data-short`, phones show its first
 * rows only.
 */
export function Block({ number, title, actions, whole, className, children }: Props) {
  const place = useChosen()
  const titleId = `${idOf(number)}-title`
  return (
    <section
      id={idOf(number)}
      aria-labelledby={titleId}
      tabIndex={-1}
      data-focus-home
      data-short={place === 'today' || undefined}
      className={cn('outline-none max-md:scroll-mt-8', place !== 'today' && place !== number && 'max-md:hidden', className)}
    >
      <div className="flex flex-wrap items-end gap-x-4 gap-y-3 border-b-2 border-ink pb-3">
        <div className="mr-auto min-w-0">
          <p aria-hidden="true" className="lettering text-(--accent) max-md:hidden">
            {number}
          </p>
          <h2 id={titleId} className="text-[1.375rem] wrap-anywhere max-[22.5rem]:hyphens-auto md:mt-1 md:text-[1.625rem]">
            {title}
          </h2>
        </div>
        {actions && <div className="flex flex-wrap gap-2 max-sm:w-full max-sm:*:flex-1">{actions}</div>}
      </div>
      {children}
      {whole && place === 'today' && (
        <Button className="mt-4 w-full md:hidden" onClick={() => goTo(number)}>
          {whole}
        </Button>
      )}
    </section>
  )
}

type LeftProps = { sentence: string; goOn: string; onGoOn(): void; onDiscard(): void }

/** Something that was typed and not saved, which can be taken up again. */
export function LeftBehind({ sentence, goOn, onGoOn, onDiscard }: LeftProps) {
  const { projects } = useAdminTexts()
  return (
    <Callout
      className="mt-4"
      actions={
        <>
          <Button onClick={onGoOn}>{goOn}</Button>
          <Button tone="quiet" onClick={onDiscard}>
            {projects.unsavedDiscard}
          </Button>
        </>
      }
    >
      {sentence}
    </Callout>
  )
}
