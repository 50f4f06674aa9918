import PhotoSwipe from 'photoswipe'
import 'photoswipe/style.css'
import './photo-viewer.css'
import type { OpenProjectTexts } from '#content/en/open-project.ts'
import type { Language } from '#contract/languages.ts'
import { oneCentimetreIn, scaleBar } from './scale-bar.rules.ts'

type ViewedPhoto = {
  src: string
  width: number
  height: number
  /** Its size is not known before it has arrived. */
  isAssumed: boolean
  alt: string
  caption: string
  preview: string
}

type Options = {
  photos: readonly ViewedPhoto[]
  index: number
  /** The open project, so that the keyboard stays in it. */
  within: HTMLElement
  /** The photo it grows from, and shrinks back to. */
  shown(): HTMLElement
  title: string
  /** The number in the model's scale, if it is one. */
  ratio: number | undefined
  texts: OpenProjectTexts & { unavailable: string }
  language: Language
  onChange(index: number): void
  onClose(): void
}

const zoomStep = 1.5

/** Shows photos one at a time on the whole screen. Answers how to close it, and how to add those that were not there yet. */
export function openViewer(options: Options) {
  const { texts, title } = options
  const items = options.photos.map(itemOf)
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches
  const pswp = new PhotoSwipe({
    dataSource: items,
    index: options.index,
    appendToEl: options.within,
    mainClass: 'photo-viewer',
    bgOpacity: 1,
    loop: false,
    wheelToZoom: true,
    // The page knows better where the keyboard goes: the photo that opened it may be another one by then.
    returnFocus: false,
    showHideAnimationType: still ? 'none' : 'zoom',
    zoomAnimationDuration: still ? false : 250,
    // Room for the caption; on a phone held sideways the photo has the whole screen, and the caption lies over it.
    paddingFn: ({ x, y }) => ({ top: 0, right: 0, left: 0, bottom: y < 480 && x > y ? 0 : 104 }),
    closeTitle: texts.viewer.close,
    zoomTitle: texts.viewer.zoom,
    arrowPrevTitle: texts.previousPhoto,
    arrowNextTitle: texts.nextPhoto,
    errorMsg: texts.unavailable,
  })
  pswp.addFilter('thumbEl', () => options.shown())
  // The small copy is there already, also of photos that were not the first one.
  pswp.addFilter('placeholderSrc', (_, { data }) => data.msrc ?? false)
  pswp.on('uiRegister', () => {
    pswp.ui?.registerElement({ name: 'foot', appendTo: 'root', onInit: (foot) => fillFoot(pswp, foot, options) })
  })
  pswp.on('change', () => options.onChange(pswp.currIndex))
  pswp.on('keydown', ({ originalEvent }) => zoomByKey(pswp, originalEvent, still))
  pswp.on('loadComplete', ({ content }) => takeShape(pswp, content))
  pswp.on('close', options.onClose)
  pswp.init()
  pswp.element?.setAttribute('aria-label', texts.viewer.label(title))
  pswp.element?.setAttribute('aria-modal', 'true')
  pswp.element?.addEventListener('keydown', keepTabInside)
  return {
    close() {
      if (pswp.opener.isOpening) pswp.on('openingAnimationEnd', () => pswp.close())
      else pswp.close()
    },
    add(photos: readonly ViewedPhoto[]) {
      const firstNew = items.length
      items.push(...photos.slice(firstNew).map(itemOf))
      // It may be the next one. The buttons and the count follow.
      pswp.refreshSlideContent(firstNew)
    },
  }
}

const itemOf = ({ preview, ...photo }: ViewedPhoto) => ({ ...photo, msrc: preview })

/** The caption, which screen readers tell as it changes, and the scale bar. */
function fillFoot(pswp: PhotoSwipe, foot: HTMLElement, { ratio, texts, language }: Options) {
  const caption = document.createElement('p')
  caption.setAttribute('role', 'status')
  const tell = () => {
    caption.textContent = pswp.getItemData(pswp.currIndex).caption
  }
  pswp.on('change', tell)
  tell()
  foot.append(caption)
  if (!ratio) return

  const scale = document.createElement('p')
  scale.className = 'photo-viewer-scale lettering'
  const bar = document.createElement('span')
  const meaning = document.createElement('span')
  meaning.textContent = texts.scaleMeans(oneCentimetreIn(ratio, language))
  scale.append(bar, meaning)
  foot.append(scale)
  const draw = () => {
    const slide = pswp.currSlide
    if (!slide) return
    const { length, times } = scaleBar({ width: slide.width, zoom: slide.currZoomLevel, fit: slide.zoomLevels.fit }, language)
    bar.style.width = `${length}px`
    bar.textContent = times
  }
  for (const moment of ['change', 'zoomPanUpdate', 'resize', 'firstZoomPan'] as const) pswp.on(moment, draw)
  draw()
}

/** Around the buttons. The dialog below would lead to its own, which are out of reach meanwhile. */
function keepTabInside(event: KeyboardEvent) {
  if (event.key !== 'Tab') return
  event.stopPropagation()
  event.preventDefault()
  const buttons = (event.currentTarget as Element).querySelectorAll<HTMLButtonElement>('button:enabled')
  const stops = [...buttons].filter((each) => getComputedStyle(each).visibility === 'visible')
  const now = stops.indexOf(document.activeElement as HTMLButtonElement)
  const back = now < 0 ? now : now - 1
  stops.at(event.shiftKey ? back : (now + 1) % stops.length)?.focus()
}

/** `+` and `-` change the zoom. While it is zoomed in, the arrows move over the photo instead of to another. */
function zoomByKey(pswp: PhotoSwipe, { key, ctrlKey, metaKey }: KeyboardEvent, still: boolean) {
  const slide = pswp.currSlide
  if (!slide) return
  const { fit, max } = slide.zoomLevels
  pswp.options.arrowKeys = slide.currZoomLevel <= fit
  const step = { '+': zoomStep, '=': zoomStep, '-': 1 / zoomStep }[key]
  if (!step || ctrlKey || metaKey) return
  const zoom = Math.min(max, Math.max(fit, slide.currZoomLevel * step))
  pswp.zoomTo(zoom, undefined, still ? false : 200)
}

/** The size of a photo that is elsewhere is known when it has arrived. */
function takeShape(pswp: PhotoSwipe, { data, element, index }: NonNullable<PhotoSwipe['currSlide']>['content']) {
  if (!data.isAssumed || !(element instanceof HTMLImageElement) || !element.naturalWidth) return
  Object.assign(data, { width: element.naturalWidth, height: element.naturalHeight, isAssumed: false })
  pswp.refreshSlideContent(index)
}
