import { ChevronLeft, ChevronRight, X } from 'lucide-react'
import { useState } from 'react'
import { categoryOf, type Filter } from '../../api/project-lists.ts'
import { useLanguage } from '../../language/language.tsx'
import type { ListedProject, PlacedProject } from '../../page.ts'
import { Button, buttonClasses } from '../../ui/button.tsx'
import { instead } from '../page/navigate.ts'
import { LanguageField } from '../page/section.tsx'
import { useOpenProjectTexts } from './open-project-texts.ts'
import { ShareButton, type Shared, useSharedAddress } from './share.tsx'

type Props = {
  project: ListedProject
  title: string
  filter: Filter
  /** How many of the gallery an address has to ask for, so that this one is among them. */
  shown: string | undefined
  /** Where it stands among the others; not known at once. */
  place: PlacedProject | undefined
  onClose(): void
  onMove(slug: string): void
}

function selectAll(field: HTMLInputElement | null) {
  field?.focus()
  field?.select()
}

/** What stays in place above an open project: where it stands among the others, and what can be done with it. */
export function ProjectBar({ project, title, filter, shown, place, onClose, onMove }: Props) {
  const { link } = useLanguage()
  const words = useOpenProjectTexts()
  const { slug } = project
  const address = useSharedAddress(slug)
  const [latest, setLatest] = useState<{ slug: string; shared: Shared | undefined }>()
  // What was said of one project is not said of the next.
  const shared = latest?.slug === slug ? latest.shared : undefined
  const setShared = (how: Shared | undefined) => setLatest({ slug, shared: how })
  const others = place && place.count > 1 ? place : undefined
  const neighbours = others && [
    { slug: others.previous, label: words.previous, Icon: ChevronLeft },
    { slug: others.next, label: words.next, Icon: ChevronRight },
  ]
  return (
    <div className="border-b border-(--line) print:hidden">
      <div className="flex flex-wrap items-center gap-1 py-1 pr-1 pl-5 md:pl-8">
        <p className="lettering mr-auto text-(--quiet)">
          {shared !== 'copied' && place && words.position(place.position, place.count)}
          <span role="status" className="text-(--accent)">
            {shared === 'copied' && words.copied}
          </span>
        </p>
        <ShareButton
          title={title}
          address={address}
          onShared={setShared}
          onLeave={() => shared === 'copied' && setShared(undefined)}
        />
        {neighbours?.map(({ slug: neighbour, label, Icon }) => (
          <a
            key={label}
            href={link('/', { ...categoryOf(filter), ...(shown && { shown }), project: neighbour })}
            aria-label={label}
            onClick={instead(() => onMove(neighbour))}
            className={`${buttonClasses({ tone: 'quiet' })} w-11 px-0`}
          >
            <Icon aria-hidden />
          </a>
        ))}
        <form action={`/#${project.id}`}>
          <LanguageField />
          {filter !== 'all' && <input type="hidden" name="category" value={filter} />}
          {shown && <input type="hidden" name="shown" value={shown} />}
          <Button type="submit" tone="quiet" className="w-11 px-0" aria-label={words.close} onClick={instead(onClose)}>
            <X aria-hidden />
          </Button>
        </form>
      </div>
      {shared === 'refused' && (
        <label className="block px-5 pb-3 text-sm md:px-8">
          <span className="text-(--quiet)">{words.copyYourself}</span>
          <input
            readOnly
            ref={selectAll}
            value={address()}
            className="mt-1 block min-h-11 w-full border border-(--line) bg-(--raised) px-3 font-mono"
          />
        </label>
      )}
    </div>
  )
}
