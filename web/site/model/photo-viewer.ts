import PhotoSwipe from 'photoswipe'
import 'photoswipe/style.css'
import './photo-viewer.css'
import type { OpenProjectTexts } from '#content/en/open-project.ts'
import type { Language } from '#contract/languages.ts'
import { enlargement, oneCentimetreIn } from './scale.rules.ts'

type ViewedPhoto = {
  src: string
  width: number
  height: number
  /** Its size is not known before it has loaded. */
  isAssumed: boolean
  alt: string
  caption: string
  preview: string
}

type Options = {
  photos: readonly ViewedPhoto[]
  index: number
  /** The dialog of the open project: the viewer is appended to it, inside its focus trap. */
  within: HTMLElement
  /** The thumbnail for the opening and closing animation. */
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

/** Shows photos full screen. Returns functions to close it, and to add photos that have loaded since. */
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
    // The caller restores the focus: the photo in the dialog may be another one by then.
    returnFocus: false,
    showHideAnimationType: still ? 'none' : 'zoom',
    zoomAnimationDuration: still ? false : 250,
    // Room for the caption; in landscape on a phone the caption lies over the photo.
    paddingFn: ({ x, y }) => ({ top: 0, right: 0, left: 0, bottom: y < 480 && x > y ? 0 : 104 }),
    closeTitle: texts.viewer.close,
    zoomTitle: texts.viewer.zoom,
    arrowPrevTitle: texts.previousPhoto,
    arrowNextTitle: texts.nextPhoto,
    errorMsg: texts.unavailable,
  })
  pswp.addFilter('thumbEl', () => options.shown())
  // PhotoSwipe uses the small copy as placeholder for the first photo only.
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
      // The next slide may be one of them. Also updates the buttons and the count.
      pswp.refreshSlideContent(firstNew)
    },
  }
}

const itemOf = ({ preview, ...photo }: ViewedPhoto) => ({ ...photo, msrc: preview })

/** The caption, announced when it changes, what the scale means, and how much larger the photo is. */
function fillFoot(pswp: PhotoSwipe, foot: HTMLElement, { ratio, texts, language }: Options) {
  const caption = document.createElement('p')
  caption.setAttribute('role', 'status')
  const tell = () => {
    caption.textContent = pswp.getItemData(pswp.currIndex).caption
  }
  pswp.on('change', tell)
  tell()
  foot.append(caption)
  const facts = document.createElement('p')
  facts.className = 'photo-viewer-facts lettering'
  const times = document.createElement('span')
  facts.append(ratio ? texts.scaleMeans(oneCentimetreIn(ratio, language)) : '', times)
  foot.append(facts)
  const draw = () => {
    const slide = pswp.currSlide
    if (slide) times.textContent = enlargement({ zoom: slide.currZoomLevel, fit: slide.zoomLevels.fit }, language)
  }
  for (const moment of ['change', 'zoomPanUpdate', 'resize', 'firstZoomPan'] as const) pswp.on(moment, draw)
  draw()
}

/** Otherwise the dialog below would move the focus to its own buttons. */
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

/** `+` and `-` change the zoom. While zoomed in, the arrow keys pan the photo. */
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

/** The size of an external photo is known when it has loaded. */
function takeShape(pswp: PhotoSwipe, { data, element, index }: NonNullable<PhotoSwipe['currSlide']>['content']) {
  if (!data.isAssumed || !(element instanceof HTMLImageElement) || !element.naturalWidth) return
  Object.assign(data, { width: element.naturalWidth, height: element.naturalHeight, isAssumed: false })
  pswp.refreshSlideContent(index)
}
