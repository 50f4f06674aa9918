import { ChevronsLeftRight } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { type ComponentType, type CSSProperties, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { ProjectInput } from '#contract/project-fields.ts'
import type { ProjectInList } from '#contract/project-in-list.ts'
import { type Cache, useCache } from '../../api/cache.ts'
import { categoryOf, type Filter } from '../../api/project-lists.ts'
import { useLanguage } from '../../language/language.tsx'
import type { ListedProject, PlacedProject } from '../../page.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, buttonClasses } from '../../ui/button.tsx'
import { cn } from '../../ui/cn.ts'
import { useLayer, useLayerHistory } from '../../ui/use-layer.ts'
import { loadContactForm } from '../contact/lazy-contact-form.tsx'
import { PrintedContact } from '../page/brand.tsx'
import { instead } from '../page/navigate.ts'
import { commonShape } from '../page/plates.rules.ts'
import { askAbout } from './about-model.ts'
import { Comparison } from './comparison.tsx'
import { GoneNotice } from './gone-notice.tsx'
import { useOpenProjectTexts } from './open-project-texts.ts'
import { initialSlug, inListRead, usePlace } from './place-in-list.ts'
import { ProjectBar } from './project-bar.tsx'
import { arrowStep } from './project-photos.rules.ts'
import { ProjectPhotos } from './project-photos.tsx'
import { projectTexts } from './project-texts.ts'
import { timeSpentText } from './scale.rules.ts'
import { unknownName } from './use-open-project.ts'

type ProjectDialogProps = {
  slug: string
  filter: Filter
  /** The project the server has rendered open: it need not be fetched. */
  arrived: ProjectInList | undefined
  /** There was none by that name when the page arrived. */
  isGone: boolean | undefined
  featured: ListedProject[]
  /** Opens another one in its place. */
  onOpen(slug: string): void
  /** Another one could not be fetched. */
  onUnreachable(): void
  /** When going on, to another place on the page. */
  onClose(goingOn?: boolean): void
}

export const ProjectDialog: ComponentType<ProjectDialogProps> = (props) => {
  const isGone = props.isGone && [unknownName, initialSlug].includes(props.slug)
  return isGone ? <GoneNotice {...props} /> : <FoundProject {...props} />
}

/** Fetches the photos of a project that is being reached for, unless they are there. */
export function prefetchProject(cache: Cache, { slug, photos, photoCount }: ListedProject, filter: Filter) {
  if (!photos && photoCount) void cache.ensure(inListRead(slug, filter))
}

/** Nothing while it is on its way. */
function FoundProject({ slug, filter, arrived, featured, onOpen, onUnreachable, onClose }: ProjectDialogProps) {
  const { project, place, loaded, shown, isGone, read, answered, hasFailed } = usePlace({ slug, filter, arrived, featured })
  const cache = useCache()
  const openNow = useRef('')
  useEffect(() => {
    openNow.current = slug
    return () => {
      openNow.current = ''
    }
  }, [slug])
  const presentSlug = answered?.project.slug ?? slug
  useEffect(() => {
    if (presentSlug === slug) return
    // It was reached by its id, or by an address of before.
    cache.put(inListRead(presentSlug, filter), answered)
    onOpen(presentSlug)
  }, [presentSlug, slug, filter, answered, cache, onOpen])
  const isUnreachable = hasFailed && !project
  useEffect(() => {
    if (!isUnreachable) return
    onUnreachable()
    onClose(true)
  }, [isUnreachable, onUnreachable, onClose])
  /** What is open stays until the next is at hand; without a connection it stays altogether. */
  const move = async (next: string) => {
    const isLoaded = loaded.some((each) => each.slug === next)
    const isThere = isLoaded || (await cache.ensure(inListRead(next, filter)))
    if (openNow.current !== slug) return
    if (isThere) onOpen(next)
    else onUnreachable()
  }
  if (isGone) return <GoneNotice filter={filter} onClose={onClose} />
  if (!project) return null
  return (
    <OpenProject
      project={project}
      filter={filter}
      shown={shown}
      place={place}
      photosFailed={hasFailed}
      onRetry={() => void cache.read(read)}
      onClose={onClose}
      onMove={move}
    />
  )
}

type Props = {
  project: ListedProject
  /** The list it was opened from. */
  filter: Filter
  /** How many of it an address has to ask for. */
  shown: string | undefined
  /** Where it stands among the others; not known at once. */
  place: PlacedProject | undefined
  photosFailed: boolean
  onRetry(): void
  onClose(goingOn?: boolean): void
  onMove(slug: string): void
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
  | 'translations'
>

/** Not in a portal, so that the server can render it for a shared link. */
function OpenProject({ project, filter, shown, place, photosFailed, onRetry, onClose, onMove }: Props) {
  const { texts, maker, language, link } = useLanguage()
  const words = useOpenProjectTexts()
  const { title: written, description, materials, techniques } = projectTexts(project, language)
  const title = written || words.untitled
  const content = useRef<HTMLDivElement>(null)
  const scrolled = useRef<HTMLDivElement>(null)
  const comparison = useRef<HTMLDivElement>(null)
  const [opener] = useState(() => (typeof document === 'undefined' ? null : document.activeElement))
  const goesToForm = useRef(false)
  const [isViewing, setViewing] = useState(false)
  useLayerHistory()
  useLayer(isViewing, () => setViewing(false))
  const others = place && place.count > 1 ? place : undefined
  const compared = project.beforeImageUrl && project.afterImageUrl
  const { width, height } = project.image ?? commonShape
  const facts: Record<Fact, readonly [name: string, value: string | null]> = {
    scale: [words.scale, project.scale],
    timeSpent: [words.timeSpent, project.timeSpent && timeSpentText(project.timeSpent, words.hours, language)],
    materials: [words.materials, materials],
    techniques: [words.techniques, techniques],
  }
  const knownFacts = Object.values(facts).filter(([, value]) => value)

  const pageTitle = texts.page.projectTitle(title, maker.brand)
  useEffect(() => {
    document.title = pageTitle
  }, [pageTitle])
  useEffect(() => {
    if (project.id) scrolled.current?.scrollTo({ top: 0 })
  }, [project.id])

  const askHref = `${link('/', { about: project.slug })}#contact`
  const ask = () => {
    goesToForm.current = true
    onClose(true)
    // Without its script the form knows nothing of the model, but the server does.
    loadContactForm().catch(() => navigator.onLine && location.assign(askHref))
  }
  const askLink = (className: string) => (
    <a
      href={askHref}
      onClick={instead(ask)}
      className={cn(buttonClasses({ tone: 'brass', size: 'large' }), 'print:hidden', className)}
    >
      {words.ask}
    </a>
  )
  const moveWithArrows = (event: KeyboardEvent) => {
    const neighbour = [others?.previous, undefined, others?.next][arrowStep(event) + 1]
    const inField = event.target instanceof HTMLInputElement
    if (neighbour && !inField && !isViewing) onMove(neighbour)
  }

  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Overlay className="fixed inset-0 z-50 animate-[appear_160ms_ease-out] bg-ink/85 print:hidden" />
      <a
        href={link('/', { ...categoryOf(filter), ...(shown && { shown }) })}
        className="fixed inset-0 z-50 hidden unscripted:block"
      >
        <span className="sr-only">{words.close}</span>
      </a>
      <Dialog.Content
        ref={content}
        // Radix names it after its title only once its script is there.
        aria-label={title}
        tabIndex={-1}
        onKeyDown={moveWithArrows}
        // It closes what lies on top.
        onEscapeKeyDown={(event) => isViewing && event.preventDefault()}
        // Not the first button, whose focus ring would look like a choice.
        onOpenAutoFocus={(event) => {
          event.preventDefault()
          content.current?.focus({ preventScroll: true })
        }}
        onCloseAutoFocus={(event) => {
          event.preventDefault()
          if (goesToForm.current) askAbout(project)
          // Unless the notice of one that is gone has taken the focus.
          else if (document.activeElement === document.body && opener instanceof HTMLElement)
            opener.focus({ preventScroll: true })
        }}
        style={{ '--ratio': width / height } as CSSProperties}
        className="on-bone project-dialog fixed inset-x-3 top-[5vh] z-50 mx-auto flex max-h-[90vh] animate-[appear_160ms_ease-out] flex-col rounded-[3px] shadow-dialog outline-none lg:inset-x-6"
      >
        <div inert={isViewing}>
          <ProjectBar {...{ project, title, filter, shown, place, onMove }} onClose={() => onClose()} />
        </div>
        <div ref={scrolled} inert={isViewing} className="overflow-y-auto overscroll-contain print:overflow-visible">
          <div className={cn('project-sheet', width / height > 2.4 && 'is-panorama')}>
            <ProjectPhotos
              key={project.id}
              project={project}
              title={title}
              failed={photosFailed}
              onRetry={onRetry}
              isViewing={isViewing}
              onView={setViewing}
              dialog={content}
            />
            <div className="max-w-[46rem] px-5 pt-5 pb-8 wrap-anywhere md:px-8 md:pt-8 lg:self-center print:p-0">
              <div className="flex flex-wrap items-center justify-between gap-x-4">
                <p className="lettering text-(--accent)">{project.category && texts.gallery.categories[project.category]}</p>
                {compared && (
                  <Button
                    tone="quiet"
                    className="-my-3 -mr-4 print:hidden unscripted:hidden"
                    onClick={() => comparison.current?.scrollIntoView({ block: 'start' })}
                  >
                    <ChevronsLeftRight aria-hidden />
                    {words.compare}
                  </Button>
                )}
              </div>
              {project.draft && (
                <p className="mt-3">
                  <Badge tone="warning">{words.draft}</Badge>
                </p>
              )}
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
              {askLink('project-ask mt-8')}
              <PrintedContact slug={project.slug} />
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
        <div
          inert={isViewing}
          className="project-foot flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-(--line) py-2.5 pr-3 pl-5 md:pr-5 md:pl-8 print:hidden"
        >
          <p
            aria-hidden="true"
            className="line-clamp-2 min-w-0 text-balance flex-[1_1_7rem] font-display text-[1.0625rem] leading-tight"
          >
            {title}
          </p>
          {askLink('max-md:px-4')}
        </div>
      </Dialog.Content>
    </Dialog.Root>
  )
}

/** A view transition from the card's photo to the open project's, unless the visitor prefers reduced motion. */
export function growFrom(photo: HTMLImageElement, open: () => void) {
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches
  if (still || !document.startViewTransition) return open()
  photo.style.viewTransitionName = 'model'
  document.startViewTransition(() => {
    photo.style.viewTransitionName = ''
    flushSync(open)
    // The loaded small copy is shown until the large one has loaded.
    const grown = document.querySelector<HTMLElement>('[role="dialog"] img')
    if (grown) grown.style.backgroundImage = `url("${photo.currentSrc}")`
  })
}
