import { ChevronLeft, ChevronRight, Maximize2, RotateCcw } from 'lucide-react'
import {
  type CSSProperties,
  type KeyboardEvent,
  type RefObject,
  type UIEvent,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import { jpegOf } from '#contract/first-visit.ts'
import { useLanguage } from '../../language/language.tsx'
import type { ListedProject } from '../../page.ts'
import { Button } from '../../ui/button.tsx'
import { cn } from '../../ui/cn.ts'
import { Photo, storedPhoto } from '../../ui/photo.tsx'
import { toast } from '../../ui/toast-store.ts'
import { MissingPhoto } from '../page/missing-photo.tsx'
import { commonShape } from '../page/plates.rules.ts'
import { useOpenProjectTexts } from './open-project-texts.ts'
import { arrowStep, closeUpOf, photoCountOf, photosOf, type ShownPhoto, stepped, tallAt } from './project-photos.rules.ts'
import { ratioIn } from './scale.rules.ts'

type Viewer = typeof import('./photo-viewer.ts')

let loadedViewer: Viewer | undefined
/** Not part of the dialog's script either: most look at a photo without going closer. */
async function loadViewer() {
  loadedViewer = await import('./photo-viewer.ts')
}
const prepareViewer = () => void loadViewer().catch(() => {})

type Props = {
  project: ListedProject
  title: string
  /** The photos beside the cover could not be fetched. */
  failed: boolean
  onRetry(): void
  /** A photo is looked at closely, on the whole screen. */
  isViewing: boolean
  onView(isViewing: boolean): void
  /** What the whole screen is taken from, and given back to. */
  dialog: RefObject<HTMLElement | null>
}

/**
 * The photos side by side in a frame that scrolls from one to the next, and all of them below: as dots on a phone, else as a
 * contact sheet. The arrow keys leaf through them while the focus is in here.
 */
export function ProjectPhotos({ project, title, failed, onRetry, isViewing, onView, dialog }: Props) {
  const { texts, language } = useLanguage()
  const words = useOpenProjectTexts()
  const [chosen, setChosen] = useState(0)
  const [isOpening, setOpening] = useState(false)
  const [isReached, setReached] = useState(false)
  const track = useRef<HTMLDivElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const viewer = useRef<ReturnType<Viewer['openViewer']>>(undefined)
  const photos = photosOf(project, language)
  const count = photoCountOf(project)
  const index = Math.min(chosen, photos.length - 1)
  const photo = photos[index] as ShownPhoto
  const nameOf = ({ caption }: ShownPhoto, at: number) => caption ?? (count > 1 ? words.photo(at + 1, count) : title)
  const { width, height } = project.image ?? commonShape
  const shapes = photos.map(({ image }) => (image ? image.width / image.height : width / height))
  const hasCaptions = photos.some(({ caption }) => caption)

  const shownImage = () => track.current?.querySelectorAll('.project-slide')[index]?.querySelector('img')
  const viewedPhotos = () => {
    const shownNow = shownImage()?.currentSrc ?? ''
    return photos.map((each, at) => ({
      ...closeUpOf(each),
      isAssumed: each.image === null,
      alt: nameOf(each, at),
      caption: count > 1 ? nameOf(each, at) : '',
      preview: each === photo ? shownNow : storedPhoto(each.address, each.image).src,
    }))
  }
  const choose = (at: number) => {
    track.current?.scrollTo({ left: at * track.current.clientWidth, behavior: 'instant' })
    setChosen(at)
  }
  /** The frame follows the finger from the shape of one photo to that of the next. */
  const follow = ({ currentTarget: { scrollLeft, clientWidth, parentElement } }: UIEvent<HTMLElement>) => {
    if (clientWidth === 0) return
    const position = scrollLeft / clientWidth
    parentElement?.style.setProperty('--tall', String(tallAt(shapes, position)))
    setChosen(stepped(Math.round(position), 0, photos.length))
  }
  const reach = () => {
    setReached(true)
    prepareViewer()
  }
  const openViewer = useEffectEvent(() => {
    const within = dialog.current
    if (!loadedViewer || !within) return
    return loadedViewer.openViewer({
      photos: viewedPhotos(),
      index,
      within,
      shown: () => shownImage() ?? within,
      title,
      ratio: ratioIn(project.scale),
      texts: { ...words, unavailable: texts.gallery.unavailable },
      language,
      onChange: choose,
      onClose: () => onView(false),
    })
  })
  useEffect(() => {
    if (!isViewing) return
    viewer.current = openViewer()
    return () => {
      viewer.current?.close()
      viewer.current = undefined
      opener.current?.focus({ preventScroll: true })
    }
  }, [isViewing])
  const addToViewer = useEffectEvent(() => viewer.current?.add(viewedPhotos()))
  useEffect(() => {
    // They may arrive while the cover is looked at.
    if (photos.length > 1) addToViewer()
  }, [photos.length])

  const lookClosely = async () => {
    setOpening(true)
    try {
      await loadViewer()
      if (opener.current) onView(true)
    } catch {
      toast({ tone: 'destructive', title: words.viewer.failed, description: texts.gallery.failedHint })
    }
    setOpening(false)
  }
  const step = (by: number) => choose(stepped(index, by, photos.length))
  const stepWithArrows = (event: KeyboardEvent) => {
    const by = arrowStep(event)
    if (!by || photos.length === 1) return
    // Elsewhere in the dialog they lead to another model.
    event.stopPropagation()
    event.preventDefault()
    step(by)
    const inSheet = event.target instanceof Element && event.target.closest('ol')
    if (inSheet) inSheet.querySelectorAll('button')[stepped(index, by, photos.length)]?.focus()
  }

  return (
    <figure
      onKeyDown={stepWithArrows}
      onPointerEnter={reach}
      onFocus={reach}
      className={cn('project-photo md:bg-ink print:bg-transparent', count > 1 && 'has-sheet')}
    >
      <div className="project-frame group/frame relative bg-ink" style={{ '--tall': tallAt(shapes, 0) } as CSSProperties}>
        <div ref={track} onScroll={follow} className="project-track">
          <div className="flex h-full w-max">
            <button
              ref={opener}
              type="button"
              aria-label={words.enlarge(photo.caption ?? title)}
              aria-busy={isOpening}
              onClick={() => void lookClosely()}
              className="group/open sticky left-0 z-1 -mr-[100cqw] h-full w-[100cqw] cursor-zoom-in focus-visible:-outline-offset-4 focus-visible:outline-brass-light print:hidden unscripted:hidden"
            >
              <span className="absolute right-3 bottom-3 grid size-9 place-items-center rounded-full bg-ink/70 text-bone group-aria-busy/open:animate-pulse">
                <Maximize2 className="size-4" aria-hidden />
              </span>
            </button>
            {photos.map(({ address, image, caption }, at) => (
              <div
                // biome-ignore lint/suspicious/noArrayIndexKey: the same photo may be there twice.
                key={at}
                className={cn('project-slide', at !== index && 'print:hidden')}
                style={{ '--shape': shapes[at] } as CSSProperties}
              >
                <Photo
                  source={storedPhoto(address, image)}
                  alt={caption ?? (at === 0 ? title : words.photo(at + 1, count))}
                  sizes={`(max-width: 64rem) 100vw, min(100vw - 29rem, ${Math.round((shapes[at] ?? 1) * 90)}vh)`}
                  // The next one is there when it is swiped to.
                  first={isReached && Math.abs(at - index) <= 1}
                  {...(at === 0 && { className: '[view-transition-name:model]' })}
                  missing={<MissingPhoto />}
                />
                <a href={jpegOf(address)} className="absolute inset-0 hidden unscripted:block">
                  <span className="sr-only">{words.enlarge(caption ?? title)}</span>
                </a>
              </div>
            ))}
          </div>
        </div>
        {index > 0 && <Step label={words.previousPhoto} Icon={ChevronLeft} className="left-3" onClick={() => step(-1)} />}
        {index < photos.length - 1 && (
          <Step label={words.nextPhoto} Icon={ChevronRight} className="right-3" onClick={() => step(1)} />
        )}
      </div>
      {count > 1 && (
        <>
          {failed && photos.length < count ? (
            <div
              role="alert"
              className="flex min-h-27 flex-wrap content-center items-center gap-x-4 gap-y-1 px-5 md:px-8 md:text-bone print:hidden"
            >
              <p>{words.photosFailed}</p>
              <Button onClick={onRetry}>
                <RotateCcw aria-hidden />
                {words.retry}
              </Button>
            </div>
          ) : (
            <ol
              aria-label={words.photos}
              aria-busy={photos.length < count}
              className="flex justify-center px-5 md:h-27 md:justify-start md:gap-2 md:overflow-x-auto md:overscroll-x-contain md:px-8 md:py-3 print:hidden unscripted:hidden"
            >
              {Array.from({ length: count }, (_, at) => (
                <Frame
                  // biome-ignore lint/suspicious/noArrayIndexKey: a frame stands for its place; its photo may be on its way.
                  key={at}
                  photo={photos[at]}
                  number={at + 1}
                  name={photos[at] ? nameOf(photos[at], at) : ''}
                  isChosen={at === index}
                  onChoose={() => choose(at)}
                />
              ))}
            </ol>
          )}
          <figcaption
            aria-live="polite"
            className={cn(
              'min-h-14 px-5 text-sm text-(--quiet) md:px-8 md:pb-4 md:text-ink-quiet print:hidden',
              hasCaptions ? 'max-md:text-center' : 'max-md:sr-only',
            )}
          >
            {photo.caption ?? words.photo(index + 1, count)}
          </figcaption>
        </>
      )}
    </figure>
  )
}

type StepProps = { label: string; Icon: typeof ChevronLeft; className: string; onClick(): void }

/** For the mouse: the keyboard has its arrows, a finger swipes. */
function Step({ label, Icon, className, onClick }: StepProps) {
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={label}
      onClick={onClick}
      className={cn(
        'absolute top-1/2 hidden size-11 -translate-y-1/2 place-items-center rounded-full bg-ink/70 text-bone opacity-0 transition-opacity group-hover/frame:opacity-100 hover:bg-ink print:hidden unscripted:hidden [@media(hover:hover)]:grid',
        className,
      )}
    >
      <Icon className="size-5" aria-hidden />
    </button>
  )
}

type FrameProps = { photo: ShownPhoto | undefined; number: number; name: string; isChosen: boolean; onChoose(): void }

/** A photo of the contact sheet, and its number; empty while it is on its way. On a phone a dot. */
function Frame({ photo, number, name, isChosen, onChoose }: FrameProps) {
  const frame = useRef<HTMLLIElement>(null)
  useEffect(() => {
    const [entry, sheet] = [frame.current, frame.current?.parentElement]
    // Not scrollIntoView, which would scroll the dialog as well.
    if (isChosen && entry && sheet) sheet.scrollLeft = entry.offsetLeft - (sheet.clientWidth - entry.clientWidth) / 2
  }, [isChosen])
  return (
    <li
      ref={frame}
      className={cn(
        'relative h-11 w-11 min-w-0 before:absolute before:top-1/2 before:left-1/2 before:-translate-1/2 before:rounded-full before:border md:h-auto md:w-21 md:shrink-0 md:before:hidden',
        isChosen ? 'before:size-2.5 before:border-(--accent) before:bg-(--accent)' : 'before:size-2 before:border-(--quiet)',
      )}
    >
      <div
        className={cn(
          'max-md:contents md:relative md:h-14 md:bg-ink-raised',
          isChosen ? 'ring-2 ring-brass-light' : 'opacity-75 hover:opacity-100',
        )}
      >
        {photo && (
          <>
            <Photo
              source={storedPhoto(photo.address, photo.image)}
              alt=""
              sizes="6rem"
              className="size-full object-cover max-md:hidden"
              missing={<span />}
            />
            <button
              type="button"
              aria-label={name}
              aria-current={isChosen || undefined}
              onClick={onChoose}
              className="absolute inset-0 outline-offset-2 md:focus-visible:outline-brass-light"
            />
          </>
        )}
      </div>
      <span
        aria-hidden="true"
        className={cn('lettering mt-1.5 block max-md:hidden', isChosen ? 'text-brass-light' : 'text-ink-quiet')}
      >
        {String(number).padStart(2, '0')}
      </span>
    </li>
  )
}
