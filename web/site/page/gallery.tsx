import { type MouseEvent, useState } from 'react'
import { categories, galleryMost, galleryPage } from '#contract/first-visit.ts'
import { useCache, useRead } from '../../api/cache.ts'
import { addOlderProjects, countsRead, type Filter, projectsRead, useProjects } from '../../api/project-lists.ts'
import { useLanguage } from '../../language/language.tsx'
import type { ListedProject } from '../../page.ts'
import { Button } from '../../ui/button.tsx'
import { cn } from '../../ui/cn.ts'
import { Drawing, firstIcons } from '../../ui/drawing.tsx'
import { useFocusNew } from '../../ui/use-focus-new.ts'
import { countOf, shownFor } from '../model/place-in-list.rules.ts'
import { projectTexts } from '../model/project-texts.ts'
import type { OpenProject, ReachForProject } from '../model/use-open-project.ts'
import { layBricks } from './masonry.rules.ts'
import { instead, navigate } from './navigate.ts'
import { commonShape } from './plates.rules.ts'
import { ProjectCard } from './project-card.tsx'
import { LanguageField, Section } from './section.tsx'

const filters: readonly Filter[] = ['all', ...categories]

type Props = { filter: Filter; onFilter: (filter: Filter) => void; onOpen: OpenProject; onIntent: ReachForProject }

export function Gallery({ filter, onFilter, onOpen, onIntent }: Props) {
  const { texts, maker } = useLanguage()
  const cache = useCache()
  const { projects, isFetching, isError } = useProjects(filter)
  const { data: counts } = useRead(countsRead)
  const count = countOf(projects?.length ?? 0, counts?.[filter])
  const { label, title, subtitle } = texts.gallery
  const isOffered = (each: Filter) => each === filter || each === 'all' || !maker.hidden[each] || counts?.[each] !== 0
  const settled = !isFetching && !isError
  const retry = ({ currentTarget }: MouseEvent) => {
    // This button disappears: move the focus to the gallery.
    currentTarget.closest('section')?.focus({ preventScroll: true })
    void cache.read(projectsRead(filter))
  }
  return (
    <Section tone="bone" number="05" label={label} title={title} intro={subtitle} id="gallery">
      <div className="mb-10 flex flex-wrap items-center gap-x-6 gap-y-4">
        <form action="/#gallery" className="contents">
          <fieldset className="filters flex gap-2 md:flex-wrap print:hidden">
            <legend className="sr-only">{texts.gallery.filters}</legend>
            <LanguageField />
            {filters.filter(isOffered).map((each) => (
              <button
                key={each}
                type="submit"
                {...(each !== 'all' && { name: 'category', value: each })}
                ref={each === filter ? showInRow : undefined}
                aria-pressed={each === filter}
                onClick={instead(() => onFilter(each))}
                className="min-h-11 shrink-0 rounded-[2px] border border-(--line) px-4 text-[0.9375rem] transition-colors hover:border-ink aria-pressed:border-ink aria-pressed:bg-ink aria-pressed:text-bone"
              >
                {texts.gallery.categories[each]}
              </button>
            ))}
          </fieldset>
        </form>
        <p role="status" className="lettering ml-auto flex min-h-4 items-center gap-3 text-(--quiet)">
          {isFetching && (
            <>
              <Spinner />
              {texts.gallery.loading}
            </>
          )}
          {settled && projects && texts.gallery.count(count)}
        </p>
      </div>
      {isError && !isFetching ? (
        <div role="alert" className="border border-oxide/40 bg-oxide/5 px-6 py-14 text-center">
          <p className="font-display text-2xl">{texts.gallery.failed}</p>
          <p className="mt-2 text-(--quiet)">{texts.gallery.failedHint}</p>
          <Button size="large" className="mt-7" onClick={retry}>
            <Drawing d={firstIcons.retry} />
            {texts.gallery.retry}
          </Button>
        </div>
      ) : projects && projects.length > 0 ? (
        <div className={cn('masonry transition-opacity duration-200', isFetching && 'opacity-45')} aria-busy={isFetching}>
          <Masonry projects={projects} filter={filter} onOpen={onOpen} onIntent={onIntent} />
          {!isFetching && <More key={filter} filter={filter} projects={projects} left={count - projects.length} />}
        </div>
      ) : (
        settled &&
        projects && (
          <p className="border border-dashed border-(--line) px-6 py-20 text-center text-lg text-(--quiet)">
            {filter === 'all' ? texts.gallery.emptyAll : texts.gallery.empty}
          </p>
        )
      )}
    </Section>
  )
}

/** On a phone the filters scroll. */
function showInRow(button: HTMLElement | null) {
  button?.parentElement?.scrollTo({ left: button.offsetLeft - 20 })
}

type MasonryProps = { projects: ListedProject[]; filter: Filter; onOpen: OpenProject; onIntent: ReachForProject }

function Masonry({ projects, filter, onOpen, onIntent }: MasonryProps) {
  const { language } = useLanguage()
  const bricks = projects.map((project) => ({
    ...(project.image ?? commonShape),
    titleLength: projectTexts(project, language).title.length,
  }))
  const [inTwo, inThree, inFour] = [layBricks(bricks, 2), layBricks(bricks, 3), layBricks(bricks, 4)]
  const shown = shownFor(projects.length)
  return (
    <ul>
      {projects.map((project, index) => {
        const [two, three, four] = [inTwo[index], inThree[index], inFour[index]]
        if (!(two && three && four)) return null
        const places = { two, three, four }
        const card = { project, filter, shown, places, isLarge: projects.length < 3, onOpen, onIntent }
        return <ProjectCard key={project.id} {...card} />
      })}
    </ul>
  )
}

type MoreProps = { filter: Filter; projects: ListedProject[]; left: number }

/** A button, not infinite scrolling: other sections follow. */
function More({ filter, projects, left }: MoreProps) {
  const { texts } = useLanguage()
  const cache = useCache()
  const { place, awaitNew } = useFocusNew(projects.length)
  const [adding, setAdding] = useState<'pending' | 'failed'>()
  const isPending = adding === 'pending'
  const last = projects.at(-1)
  const showMore = async () => {
    if (!last || isPending) return
    const from = location.search
    awaitNew()
    setAdding('pending')
    try {
      await addOlderProjects(cache, filter, last)
      // Unless the filter has changed or a project was opened meanwhile.
      if (location.search === from) navigate({ shown: shownFor(projects.length + galleryPage) }, { replace: true })
      setAdding(undefined)
    } catch {
      setAdding('failed')
    }
    void cache.read(countsRead)
  }
  return (
    <div ref={place} className={cn(left > 0 && 'mt-12 text-center md:mt-8')}>
      {adding === 'failed' && (
        <p role="alert" className="mb-4 text-(--danger)">
          {texts.gallery.failed}
        </p>
      )}
      {left > 0 && (
        <form action={`/#${last?.id}`} className={cn('print:hidden', projects.length >= galleryMost && 'unscripted:hidden')}>
          <LanguageField />
          {filter !== 'all' && <input type="hidden" name="category" value={filter} />}
          <Button
            size="large"
            type="submit"
            name="shown"
            value={projects.length + galleryPage}
            onClick={instead(() => void showMore())}
            aria-disabled={isPending}
          >
            {isPending && <Spinner />}
            {isPending ? texts.gallery.loading : texts.gallery.more(left)}
          </Button>
        </form>
      )}
    </div>
  )
}

function Spinner() {
  return <span aria-hidden="true" className="size-3.5 animate-spin rounded-full border-2 border-current border-r-transparent" />
}
