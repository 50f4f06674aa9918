import { useQueryClient } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight, X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { type ComponentType, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { ProjectInList } from '#contract/project-in-list.ts'
import type { Project } from '#contract/projects.ts'
import type { Filter } from '../api/projects.ts'
import { useLanguage } from '../language/language.tsx'
import { Button } from '../ui/button.tsx'
import { Photo, storedPhoto } from '../ui/photo.tsx'
import { Comparison } from './comparison.tsx'
import { MissingPhoto } from './missing-photo.tsx'
import { inListQuery, usePlace } from './place-in-list.ts'
import { projectTexts, timeSpentText } from './project-texts.ts'
import { toForm } from './scroll-to.ts'

export type ProjectDialogProps = {
  id: string
  filter: Filter
  /** The project that was open when the page arrived: it need not be asked for. */
  arrived: ProjectInList | undefined
  featured: Project[]
  /** Opens another one in its place. */
  onOpen(id: string): void
  /** When going on, to another place on the page. */
  onClose(goingOn?: boolean): void
}

/** Nothing where there is no such project. */
export const ProjectDialog: ComponentType<ProjectDialogProps> = ({ id, filter, arrived, featured, onOpen, onClose }) => {
  const { project, place, loaded } = usePlace({ id, filter, arrived, featured })
  const cache = useQueryClient()
  const openNow = useRef('')
  useEffect(() => {
    openNow.current = id
    return () => {
      openNow.current = ''
    }
  }, [id])
  /** What is open stays until the next is at hand; without a connection it stays altogether. */
  const move = async (next: string) => {
    const isLoaded = loaded.some((each) => each.id === next)
    const isThere = isLoaded || (await cache.ensureQueryData(inListQuery(next, filter)).catch(() => false))
    if (isThere && openNow.current === id) onOpen(next)
  }
  return project && <OpenProject project={project} place={place} onClose={onClose} onMove={move} />
}

type Props = {
  project: Project
  /** Where it stands among the others; not known at once. */
  place: ProjectInList | undefined
  onClose(goingOn?: boolean): void
  onMove(id: string): void
}

/** Not in a portal, so that the server can render it for a shared link. */
function OpenProject({ project, place, onClose, onMove }: Props) {
  const { texts, language } = useLanguage()
  const { title, description, materials, techniques } = projectTexts(project, language)
  const scrolled = useRef<HTMLDivElement>(null)
  const [opener] = useState(() => (typeof document === 'undefined' ? null : document.activeElement))
  const asked = useRef(false)
  const others = place && place.count > 1 ? place : undefined
  const facts = [
    [texts.project.scale, project.scale],
    [texts.project.timeSpent, project.timeSpent && timeSpentText(project.timeSpent, texts.project.hours, language)],
    [texts.project.materials, materials],
    [texts.project.techniques, techniques],
  ].filter((fact): fact is [string, string] => Boolean(fact[1]))

  const pageTitle = texts.page.projectTitle(title)
  useEffect(() => {
    document.title = pageTitle
  }, [pageTitle])
  useEffect(() => {
    if (project.id) scrolled.current?.scrollTo({ top: 0 })
  }, [project.id])

  const ask = () => {
    asked.current = true
    onClose(true)
  }
  const moveWithArrows = (event: KeyboardEvent) => {
    const neighbour = { ArrowLeft: others?.previous, ArrowRight: others?.next }[event.key]
    const inRange = event.target instanceof HTMLInputElement
    if (neighbour && !inRange) onMove(neighbour)
  }

  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Overlay className="fixed inset-0 z-50 animate-[appear_160ms_ease-out] bg-ink/85" />
      <Dialog.Content
        onKeyDown={moveWithArrows}
        onCloseAutoFocus={(event) => {
          event.preventDefault()
          if (asked.current) toForm()
          else if (opener instanceof HTMLElement) opener.focus({ preventScroll: true })
        }}
        className="on-bone fixed top-1/2 left-1/2 z-50 flex max-h-[90vh] w-[min(72rem,calc(100vw-1.5rem))] -translate-1/2 animate-[appear_160ms_ease-out] flex-col rounded-[3px] shadow-dialog outline-none"
      >
        <div className="flex items-center gap-1 border-b border-(--line) py-1 pr-1 pl-5 md:pl-8">
          <p className="lettering mr-auto text-(--quiet)">{place && texts.project.position(place.position, place.count)}</p>
          {others && (
            <>
              <Button
                tone="quiet"
                size="small"
                className="w-11 px-0"
                aria-label={texts.project.previous}
                onClick={() => onMove(others.previous)}
              >
                <ChevronLeft aria-hidden />
              </Button>
              <Button
                tone="quiet"
                size="small"
                className="w-11 px-0"
                aria-label={texts.project.next}
                onClick={() => onMove(others.next)}
              >
                <ChevronRight aria-hidden />
              </Button>
            </>
          )}
          <Dialog.Close asChild>
            <Button tone="quiet" size="small" className="w-11 px-0" aria-label={texts.project.close}>
              <X aria-hidden />
            </Button>
          </Dialog.Close>
        </div>
        <div ref={scrolled} className="overflow-y-auto overscroll-contain">
          <div className="lg:grid lg:grid-cols-[minmax(0,1.45fr)_minmax(0,1fr)]">
            <div className="flex items-center justify-center bg-ink">
              <Photo
                key={project.id}
                source={storedPhoto(project.imageUrl, project.image)}
                alt={title}
                sizes="(max-width: 64rem) 100vw, 43rem"
                className="max-h-[62vh] w-auto max-w-full lg:max-h-[calc(90vh-3.5rem)]"
                missing={<MissingPhoto />}
              />
            </div>
            <div className="px-5 py-8 md:px-8 lg:self-center">
              <p className="lettering text-(--accent)">{texts.gallery.categories[project.category]}</p>
              <Dialog.Title className="mt-3 text-[clamp(1.75rem,1.4rem+1.4vw,2.5rem)]">{title}</Dialog.Title>
              <Dialog.Description className="mt-4 text-[1.0625rem] whitespace-pre-line">{description}</Dialog.Description>
              {facts.length > 0 && (
                <dl className="mt-7 border-t border-(--line)">
                  {facts.map(([name, value]) => (
                    <div key={name} className="grid gap-x-4 border-b border-(--line) py-3 sm:grid-cols-[8.5rem_1fr]">
                      <dt className="lettering pt-1 text-(--quiet)">{name}</dt>
                      <dd className="text-[0.9375rem]">{value}</dd>
                    </div>
                  ))}
                </dl>
              )}
              <Button tone="plain" className="mt-8" onClick={ask}>
                {texts.project.ask}
              </Button>
            </div>
          </div>
          {project.beforeImageUrl && project.afterImageUrl && (
            <div className="border-t border-(--line) px-5 py-8 md:px-8">
              <Comparison
                key={project.id}
                title={title}
                before={project.beforeImageUrl}
                after={project.afterImageUrl}
                project={project}
              />
            </div>
          )}
        </div>
      </Dialog.Content>
    </Dialog.Root>
  )
}
