import { ChevronLeft, ChevronRight, Maximize2, RotateCcw } from 'lucide-react'
import {
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
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
import { arrowStep, closeUpOf, photoCountOf, photosOf, type ShownPhoto, stepped, swipeStep } from './project-photos.rules.ts'
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

/** One photo large, and all of them as a contact sheet below. The arrow keys leaf through them while the focus is in here. */
export function ProjectPhotos({ project, title, failed, onRetry, isViewing, onView, dialog }: Props) {
  const { texts, language } = useLanguage()
  const words = useOpenProjectTexts()
  const [chosen, setChosen] = useState(0)
  const [isOpening, setOpening] = useState(false)
  const figure = useRef<HTMLElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const viewer = useRef<ReturnType<Viewer['openViewer']>>(undefined)
  const photos = photosOf(project, language)
  const count = photoCountOf(project)
  const index = Math.min(chosen, photos.length - 1)
  const photo = photos[index] as ShownPhoto
  const nameOf = ({ caption }: ShownPhoto, at: number) => caption ?? (count > 1 ? words.photo(at + 1, count) : title)
  const { width, height } = project.image ?? commonShape
  const shape = photo.image ? photo.image.width / photo.image.height : width / height

  const shownImage = () => figure.current?.querySelector('img')
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
      onChange: setChosen,
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
  const step = (by: number) => setChosen(stepped(index, by, photos.length))
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
  const swipe = useSwipe(photos.length > 1, step)

  return (
    <figure
      ref={figure}
      onKeyDown={stepWithArrows}
      className={cn('project-photo bg-ink print:bg-transparent', count > 1 && 'has-sheet')}
    >
      <div className="project-frame group/frame relative" style={{ '--shape': shape } as CSSProperties} {...swipe}>
        <Photo
          key={photo.address}
          source={storedPhoto(photo.address, photo.image)}
          alt={photo.caption ?? title}
          sizes={`(max-width: 64rem) 100vw, min(100vw - 29rem, ${Math.round(shape * 90)}vh)`}
          className="[view-transition-name:model]"
          missing={<MissingPhoto />}
        />
        <a href={jpegOf(photo.address)} className="absolute inset-0 hidden unscripted:block">
          <span className="sr-only">{words.enlarge(photo.caption ?? title)}</span>
        </a>
        <button
          ref={opener}
          type="button"
          aria-label={words.enlarge(photo.caption ?? title)}
          aria-busy={isOpening}
          onClick={() => void lookClosely()}
          onPointerEnter={prepareViewer}
          onFocus={prepareViewer}
          className="group/open absolute inset-0 cursor-zoom-in touch-[pan-y_pinch-zoom] focus-visible:-outline-offset-4 focus-visible:outline-brass-light print:hidden unscripted:hidden"
        >
          <span className="absolute right-3 bottom-3 grid size-9 place-items-center rounded-full bg-ink/70 text-bone group-aria-busy/open:animate-pulse">
            <Maximize2 className="size-4" aria-hidden />
          </span>
        </button>
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
              className="flex h-27 flex-wrap content-center items-center gap-x-4 gap-y-1 px-5 text-bone md:px-8 print:hidden"
            >
              <p>{words.photosFailed}</p>
              <Button size="small" onClick={onRetry}>
                <RotateCcw aria-hidden />
                {words.retry}
              </Button>
            </div>
          ) : (
            <ol
              aria-label={words.photos}
              aria-busy={photos.length < count}
              className="flex h-27 gap-2 overflow-x-auto overscroll-x-contain px-5 py-3 md:px-8 print:hidden"
            >
              {Array.from({ length: count }, (_, at) => (
                <Frame
                  // biome-ignore lint/suspicious/noArrayIndexKey: a frame stands for its place; its photo may be on its way.
                  key={at}
                  photo={photos[at]}
                  number={at + 1}
                  name={photos[at] ? nameOf(photos[at], at) : ''}
                  isChosen={at === index}
                  onChoose={() => setChosen(at)}
                />
              ))}
            </ol>
          )}
          <figcaption aria-live="polite" className="min-h-14 px-5 pb-4 text-sm text-ink-quiet md:px-8 print:hidden">
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

/** A photo of the contact sheet, and its number; empty while it is on its way. */
function Frame({ photo, number, name, isChosen, onChoose }: FrameProps) {
  const frame = useRef<HTMLLIElement>(null)
  useEffect(() => {
    const [entry, sheet] = [frame.current, frame.current?.parentElement]
    // Not scrollIntoView, which would scroll the dialog as well.
    if (isChosen && entry && sheet) sheet.scrollLeft = entry.offsetLeft - (sheet.clientWidth - entry.clientWidth) / 2
  }, [isChosen])
  const covering = 'absolute inset-0 outline-offset-2'
  return (
    <li ref={frame} className="w-21 shrink-0">
      <div className={cn('relative h-14 bg-ink-raised', isChosen ? 'ring-2 ring-brass-light' : 'opacity-75 hover:opacity-100')}>
        {photo && (
          <>
            <Photo
              source={storedPhoto(photo.address, photo.image)}
              alt=""
              sizes="6rem"
              className="size-full object-cover"
              missing={<span />}
            />
            <a href={jpegOf(photo.address)} className={cn(covering, 'hidden unscripted:block')}>
              <span className="sr-only">{name}</span>
            </a>
            <button
              type="button"
              aria-label={name}
              aria-current={isChosen || undefined}
              onClick={onChoose}
              className={cn(covering, 'focus-visible:outline-brass-light unscripted:hidden')}
            />
          </>
        )}
      </div>
      <span aria-hidden="true" className={cn('lettering mt-1.5 block', isChosen ? 'text-brass-light' : 'text-ink-quiet')}>
        {String(number).padStart(2, '0')}
      </span>
    </li>
  )
}

/** The photo follows the finger; let go far enough to one side, it gives way to the next. */
function useSwipe(isOn: boolean, onStep: (by: number) => void) {
  const start = useRef<{ x: number; y: number }>(undefined)
  const end = ({ currentTarget }: PointerEvent<HTMLElement>) => {
    start.current = undefined
    currentTarget.style.removeProperty('--swiped')
  }
  return {
    onPointerDown({ pointerType, isPrimary, clientX: x, clientY: y }: PointerEvent<HTMLElement>) {
      start.current = isOn && isPrimary && pointerType === 'touch' ? { x, y } : undefined
    },
    onPointerMove({ currentTarget, clientX }: PointerEvent<HTMLElement>) {
      if (start.current) currentTarget.style.setProperty('--swiped', `${clientX - start.current.x}px`)
    },
    onPointerUp(event: PointerEvent<HTMLElement>) {
      const by = start.current && swipeStep(event.clientX - start.current.x, event.clientY - start.current.y)
      if (by) onStep(by)
      end(event)
    },
    onPointerCancel: end,
  }
}
