import { ExternalLink, LoaderCircle, Monitor, Smartphone } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { isLanguage, type Language } from '#contract/languages.ts'
import type { SectionName } from '#contract/site-fields.ts'
import { Button, buttonClasses } from '../../ui/button.tsx'
import { cn } from '../../ui/cn.ts'
import { Segments } from '../language-switch.tsx'
import { useAdminTexts, useYourSiteTexts } from '../texts.ts'

/** A phone is as tall as there is room. */
const screens = { phone: { width: 390, height: undefined }, desktop: { width: 1440, height: 900 } } as const
type Screen = keyof typeof screens

/** The element of each section on the page; sections without one are at the top. */
const places: Record<SectionName, string> = {
  brand: 'body',
  hero: '#home',
  featured: 'section:has(> * #section-01)',
  services: 'section:has(> * #section-02)',
  process: 'section:has(> * #section-03)',
  pricing: 'section:has(#section-04)',
  gallery: '#gallery',
  about: '#about',
  contact: '#contact',
  footer: 'footer',
  search: 'body',
}

type Props = {
  /** The draft, or the number of a version. */
  of: 'draft' | number
  /** A change loads the page again. */
  revision?: string
  /** Scrolled into view, and in it the text that is being edited. */
  section?: SectionName
  text?: string
  firstScreen: Screen
  language: Language
  /** The language was changed inside the page. */
  onLanguage(language: Language): void
}

/** The public page with unpublished content, as phone or computer, in any language. */
export function Preview({ of, revision = '', section, text = '', firstScreen, language, onLanguage }: Props) {
  const { preview: t } = useYourSiteTexts()
  const { common } = useAdminTexts()
  const [screen, setScreen] = useState<Screen>(firstScreen)
  const [state, setState] = useState<'loading' | 'shown' | 'missing'>('loading')
  const address = `/?${new URLSearchParams({ preview: String(of), lang: language })}`
  /** Fixed: the frame would load again after the page itself has navigated. */
  const [src] = useState(address)
  /** What the frame shows: in it, another language may have been chosen. */
  const shown = useRef({ revision, address })
  /** The scroll position before a reload. */
  const before = useRef<number>(undefined)
  const frame = useRef<HTMLIFrameElement>(null)
  const room = useRef<HTMLDivElement>(null)
  const size = useSize(room)
  const { width, height: screenHeight } = screens[screen]
  const scale = size ? Math.min(1, size.width / width, screenHeight ? size.height / screenHeight : 1) : 1
  const height = screenHeight ?? (size ? size.height / scale : 0)

  const show = useEffectEvent((behavior: ScrollBehavior) => {
    const page = pageIn(frame.current)
    const part = section && page?.document.querySelector(places[section])
    if (!page || !part) return
    const edited = text && textIn(part, text)
    // Not scrollIntoView, which would scroll the panel too.
    const bar = section === 'hero' || section === 'brand' || section === 'search' ? 0 : 64
    const top = edited ? edited.getBoundingClientRect().top - page.innerHeight / 3 : part.getBoundingClientRect().top - bar
    page.scrollTo({ top: page.scrollY + top, behavior })
  })
  const arrived = () => {
    const page = pageIn(frame.current)
    setState(page ? 'shown' : 'missing')
    if (!page) return
    // Lays out everything, so that positions do not change afterwards.
    delete page.document.documentElement.dataset.fresh
    if (before.current === undefined) show('instant')
    else page.scrollTo({ top: before.current, behavior: 'instant' })
    page.addEventListener('click', (event) => stayOn(page, event))
    shown.current.address = `/${page.location.search}`
    const { lang } = page.document.documentElement
    if (isLanguage(lang)) onLanguage(lang)
  }
  const load = () => {
    shown.current = { revision, address }
    before.current = pageIn(frame.current)?.scrollY
    if (state === 'missing') setState('loading')
    // replace keeps the old page until the new one has loaded, and adds no entry to the history.
    frame.current?.contentWindow?.location.replace(address)
  }
  const update = useEffectEvent(() => {
    if (shown.current.revision !== revision || shown.current.address !== address) load()
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the change that matters.
  useEffect(() => update(), [revision, address])
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the change that matters.
  useEffect(() => {
    before.current = undefined
    show('smooth')
  }, [section, text])
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-2 border-b border-(--line) px-4 py-2">
        <Segments<Screen>
          label={t.width}
          chosen={screen}
          onChoose={setScreen}
          choices={[
            { value: 'phone', label: t.widths.phone, icon: Smartphone },
            { value: 'desktop', label: t.widths.desktop, icon: Monitor },
          ]}
        />
        <a
          href={address}
          target="_blank"
          rel="noreferrer"
          aria-label={t.newTab}
          className={cn(buttonClasses({ tone: 'quiet' }), 'ml-auto w-11 px-0')}
        >
          <ExternalLink />
        </a>
      </div>
      <div ref={room} className="squared relative min-h-0 flex-1 overflow-hidden bg-(--raised)">
        {state !== 'shown' && (
          <div className="absolute inset-0 grid place-items-center p-4 text-sm text-(--quiet)">
            {state === 'loading' ? (
              <p role="status" className="flex items-center gap-2">
                <LoaderCircle className="size-4 animate-spin" />
                {t.loading}
              </p>
            ) : (
              <div role="alert" className="text-center">
                <p className="mb-4">{t.failed}</p>
                <Button onClick={load}>{common.retry}</Button>
              </div>
            )}
          </div>
        )}
        {size && (
          <iframe
            ref={frame}
            src={src}
            title={of === 'draft' ? t.frame : t.frameOf(of)}
            onLoad={arrived}
            className="absolute top-0 left-1/2 origin-top-left border-(--line) bg-ink shadow-dialog"
            style={{
              width,
              height,
              transform: `scale(${scale}) translateX(-50%)`,
              visibility: state === 'shown' ? undefined : 'hidden',
            }}
          />
        )}
      </div>
    </div>
  )
}

/** Undefined for an error page or another origin, whose document must not be accessed. */
function pageIn(frame: HTMLIFrameElement | null) {
  try {
    const page = frame?.contentWindow
    return page?.document.querySelector(places.hero) ? page : undefined
  } catch {
    return undefined
  }
}

function textIn(part: Element, text: string) {
  const shown = [...part.querySelectorAll('*')].filter((each) => each.textContent?.includes(text))
  return shown.at(-1)
}

/** Runs after the page's own handlers. Other sites open in a new tab, by the `base` of the page. */
function stayOn(page: Window, event: MouseEvent) {
  const link = (event.target as Element).closest('a')
  if (!link || event.defaultPrevented || link.target) return
  if (!link.protocol.startsWith('http') || link.getAttribute('href')?.startsWith('#')) link.target = '_self'
  else if (link.origin === page.location.origin) {
    event.preventDefault()
    if (link.pathname === '/') page.scrollTo({ top: 0 })
  }
}

function useSize(of: { readonly current: HTMLElement | null }) {
  const [size, setSize] = useState<{ width: number; height: number }>()
  useEffect(() => {
    const element = of.current
    if (!element) return
    const observer = new ResizeObserver(() => setSize({ width: element.clientWidth, height: element.clientHeight }))
    observer.observe(element)
    return () => observer.disconnect()
  }, [of])
  return size
}
