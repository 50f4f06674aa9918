import { ChevronLeft, ChevronRight, ChevronsLeftRight, X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { type ComponentType, type CSSProperties, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { ProjectInput } from '#contract/project-fields.ts'
import type { ProjectInList } from '#contract/project-in-list.ts'
import { useCache } from '../api/cache.ts'
import { categoryOf, type Filter } from '../api/projects.ts'
import { useLanguage } from '../language/language.tsx'
import type { ListedProject, PlacedProject } from '../page.ts'
import { Button, buttonClasses } from '../ui/button.tsx'
import { cn } from '../ui/cn.ts'
import { Photo, storedPhoto } from '../ui/photo.tsx'
import { Comparison } from './comparison.tsx'
import { instead } from './instead.ts'
import { MissingPhoto } from './missing-photo.tsx'
import { inListRead, usePlace } from './place-in-list.ts'
import { commonShape } from './plates.rules.ts'
import { PrintedContact } from './printed-contact.tsx'
import { projectTexts, timeSpentText } from './project-texts.ts'
import { toForm } from './scroll-to.ts'
import { LanguageField } from './section-button.tsx'

export type ProjectDialogProps = {
  id: string
  filter: Filter
  /** The project the server has rendered open: it need not be fetched. */
  arrived: ProjectInList | undefined
  featured: ListedProject[]
  /** Opens another one in its place. */
  onOpen(id: string): void
  /** Another one could not be fetched. */
  onUnreachable(): void
  /** When going on, to another place on the page. */
  onClose(goingOn?: boolean): void
}

/** Nothing where there is no such project. */
export const ProjectDialog: ComponentType<ProjectDialogProps> = (props) => {
  const { id, filter, arrived, featured, onOpen, onUnreachable, onClose } = props
  const { project, place, loaded } = usePlace({ id, filter, arrived, featured })
  const cache = useCache()
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
    const isThere = isLoaded || (await cache.ensure(inListRead(next, filter)))
    if (openNow.current !== id) return
    if (isThere) onOpen(next)
    else onUnreachable()
  }
  return project && <OpenProject project={project} filter={filter} place={place} onClose={onClose} onMove={move} />
}

type Props = {
  project: ListedProject
  /** The list it was opened from. */
  filter: Filter
  /** Where it stands among the others; not known at once. */
  place: PlacedProject | undefined
  onClose(goingOn?: boolean): void
  onMove(id: string): void
}

/** Every field of a project but those that stand elsewhere: the compiler asks where a new one is shown. */
type Fact = Exclude<
  keyof ProjectInput,
  | 'title'
  | 'description'
  | 'category'
  | 'imageUrl'
  | 'photos'
  | 'beforeImageUrl'
  | 'afterImageUrl'
  | 'featured'
  | 'draft'
  | `${string}Es`
>

/** Not in a portal, so that the server can render it for a shared link. */
function OpenProject({ project, filter, place, onClose, onMove }: Props) {
  const { texts, language, link } = useLanguage()
  const { title, description, materials, techniques } = projectTexts(project, language)
  const content = useRef<HTMLDivElement>(null)
  const scrolled = useRef<HTMLDivElement>(null)
  const comparison = useRef<HTMLDivElement>(null)
  const [opener] = useState(() => (typeof document === 'undefined' ? null : document.activeElement))
  const goesToForm = useRef(false)
  const others = place && place.count > 1 ? place : undefined
  const compared = project.beforeImageUrl && project.afterImageUrl
  const { width, height } = project.image ?? commonShape
  const facts: Record<Fact, readonly [name: string, value: string | null]> = {
    scale: [texts.project.scale, project.scale],
    timeSpent: [texts.project.timeSpent, project.timeSpent && timeSpentText(project.timeSpent, texts.project.hours, language)],
    materials: [texts.project.materials, materials],
    techniques: [texts.project.techniques, techniques],
  }
  const knownFacts = Object.values(facts).filter(([, value]) => value)

  const pageTitle = texts.page.projectTitle(title)
  useEffect(() => {
    document.title = pageTitle
  }, [pageTitle])
  useEffect(() => {
    if (project.id) scrolled.current?.scrollTo({ top: 0 })
  }, [project.id])

  const ask = () => {
    goesToForm.current = true
    onClose(true)
  }
  const moveWithArrows = (event: KeyboardEvent) => {
    const neighbour = { ArrowLeft: others?.previous, ArrowRight: others?.next }[event.key]
    const inRange = event.target instanceof HTMLInputElement
    if (neighbour && !inRange) onMove(neighbour)
  }
  const neighbours = others && [
    { id: others.previous, label: texts.project.previous, Icon: ChevronLeft },
    { id: others.next, label: texts.project.next, Icon: ChevronRight },
  ]

  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Overlay className="fixed inset-0 z-50 animate-[appear_160ms_ease-out] bg-ink/85 print:hidden" />
      <a href={link('/', categoryOf(filter))} className="fixed inset-0 z-50 hidden unscripted:block">
        <span className="sr-only">{texts.project.close}</span>
      </a>
      <Dialog.Content
        ref={content}
        // Radix names it after its title only once its script is there.
        aria-label={title}
        tabIndex={-1}
        onKeyDown={moveWithArrows}
        // Not the first button, whose focus ring would look like a choice.
        onOpenAutoFocus={(event) => {
          event.preventDefault()
          content.current?.focus({ preventScroll: true })
        }}
        onCloseAutoFocus={(event) => {
          event.preventDefault()
          if (goesToForm.current) toForm()
          else if (opener instanceof HTMLElement) opener.focus({ preventScroll: true })
        }}
        style={{ '--ratio': width / height } as CSSProperties}
        className="on-bone project-dialog fixed inset-x-3 top-[5vh] z-50 mx-auto flex max-h-[90vh] animate-[appear_160ms_ease-out] flex-col rounded-[3px] shadow-dialog outline-none lg:inset-x-6"
      >
        <div className="flex flex-wrap items-center gap-1 border-b border-(--line) py-1 pr-1 pl-5 md:pl-8 print:hidden">
          <p className="lettering mr-auto text-(--quiet)">{place && texts.project.position(place.position, place.count)}</p>
          {neighbours?.map(({ id, label, Icon }) => (
            <a
              key={label}
              href={link('/', { ...categoryOf(filter), project: id })}
              aria-label={label}
              onClick={instead(() => onMove(id))}
              className={`${buttonClasses({ tone: 'quiet', size: 'small' })} w-11 px-0`}
            >
              <Icon aria-hidden />
            </a>
          ))}
          <form action={`/#${project.id}`}>
            <LanguageField />
            {filter !== 'all' && <input type="hidden" name="category" value={filter} />}
            <Button
              type="submit"
              tone="quiet"
              size="small"
              className="w-11 px-0"
              aria-label={texts.project.close}
              onClick={instead(() => onClose())}
            >
              <X aria-hidden />
            </Button>
          </form>
        </div>
        <div ref={scrolled} className="overflow-y-auto overscroll-contain print:overflow-visible">
          <div className={cn('project-sheet', width / height > 2.4 && 'is-panorama')}>
            <div className="project-photo bg-ink print:bg-transparent">
              <Photo
                key={project.id}
                source={storedPhoto(project.imageUrl, project.image)}
                alt={title}
                sizes={`(max-width: 64rem) 100vw, min(100vw - 29rem, ${Math.round((width / height) * 90)}vh)`}
                className="[view-transition-name:model]"
                missing={<MissingPhoto />}
              />
            </div>
            <div className="max-w-[46rem] px-5 py-8 wrap-anywhere md:px-8 lg:self-center print:p-0">
              <div className="flex flex-wrap items-center justify-between gap-x-4">
                <p className="lettering text-(--accent)">{texts.gallery.categories[project.category]}</p>
                {compared && (
                  <Button
                    tone="quiet"
                    size="small"
                    className="-my-3 -mr-4 print:hidden unscripted:hidden"
                    onClick={() => comparison.current?.scrollIntoView({ block: 'start' })}
                  >
                    <ChevronsLeftRight aria-hidden />
                    {texts.project.compare}
                  </Button>
                )}
              </div>
              <Dialog.Title className="mt-3 text-[clamp(1.75rem,1.4rem+1.4vw,2.5rem)]">{title}</Dialog.Title>
              <Dialog.Description className="mt-4 text-[1.0625rem] whitespace-pre-line">{description}</Dialog.Description>
              {knownFacts.length > 0 && (
                <dl className="mt-7 border-t border-(--line)">
                  {knownFacts.map(([name, value]) => (
                    <div key={name} className="grid gap-x-4 border-b border-(--line) py-3 sm:grid-cols-[8.5rem_1fr]">
                      <dt className="lettering pt-1 text-(--quiet)">{name}</dt>
                      <dd className="min-w-0 text-[0.9375rem]">{value}</dd>
                    </div>
                  ))}
                </dl>
              )}
              <a href={`${link('/')}#contact`} onClick={instead(ask)} className={`${buttonClasses()} mt-8 print:hidden`}>
                {texts.project.ask}
              </a>
              <PrintedContact projectId={project.id} />
            </div>
          </div>
          {project.beforeImageUrl && project.afterImageUrl && (
            <div ref={comparison} className="border-t border-(--line) px-5 py-8 md:px-8 print:hidden">
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
