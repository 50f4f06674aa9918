import { ExternalLink, LoaderCircle, Monitor, Smartphone } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { type Language, languages } from '#contract/languages.ts'
import type { SectionName } from '#contract/site-fields.ts'
import { useLanguage } from '../../language/language.tsx'
import { buttonClasses } from '../../ui/button.tsx'
import { cn } from '../../ui/cn.ts'
import { useAdminTexts } from '../texts.ts'
import { Segments } from './segments.tsx'
import { useYourSiteTexts } from './your-site-texts.ts'

const widths = { phone: 390, desktop: 1440 } as const
type Width = keyof typeof widths

/** Where each section is on the page; what has no place of its own is at the top. */
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
  /** The draft, or the version of that number. */
  of: 'draft' | number
  /** Another one, and the page is loaded again. */
  revision?: string
  /** What comes into view. */
  section?: SectionName
  firstWidth?: Width
}

/** The real page as it would be, in either width and language. */
export function Preview({ of, revision = '', section, firstWidth = 'phone' }: Props) {
  const { preview: t } = useYourSiteTexts()
  const { projectForm } = useAdminTexts()
  const { language: own } = useLanguage()
  const [width, setWidth] = useState<Width>(firstWidth)
  const [language, setLanguage] = useState<Language>(own)
  const address = `/?${new URLSearchParams({ preview: String(of), lang: language })}`
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-2 border-b border-(--line) px-4 py-2">
        <Segments<Width>
          label={t.width}
          chosen={width}
          onChoose={setWidth}
          choices={[
            { value: 'phone', label: t.widths.phone, icon: Smartphone },
            { value: 'desktop', label: t.widths.desktop, icon: Monitor },
          ]}
        />
        <Segments<Language>
          label={t.language}
          chosen={language}
          onChoose={setLanguage}
          choices={languages.map((value) => ({ value, label: projectForm.languages.names[value], short: value }))}
        />
        <a
          href={address}
          target="_blank"
          rel="noreferrer"
          aria-label={t.newTab}
          className={cn(buttonClasses({ tone: 'quiet', size: 'small' }), 'ml-auto w-11 px-0')}
        >
          <ExternalLink aria-hidden />
        </a>
      </div>
      <Frame
        // Another address in the same frame would be a step of the way back.
        key={address}
        address={address}
        title={of === 'draft' ? t.frame : t.frameOf(of)}
        width={widths[width]}
        revision={revision}
        section={section}
      />
    </div>
  )
}

type FrameProps = { address: string; title: string; width: number; revision: string; section: SectionName | undefined }

function Frame({ address, title, width, revision, section }: FrameProps) {
  const { preview: t } = useYourSiteTexts()
  const room = useRef<HTMLDivElement>(null)
  const frame = useRef<HTMLIFrameElement>(null)
  const [isLoading, setIsLoading] = useState(true)
  const size = useSize(room)
  const scale = size ? Math.min(1, size.width / width) : 1
  /** Where the page was before it was loaded again. */
  const before = useRef<number>(undefined)

  const show = useEffectEvent((behavior: ScrollBehavior) => {
    const page = frame.current?.contentWindow
    const place = section && page?.document.querySelector(places[section])
    if (!page || !place) return
    // Not scrollIntoView, which would move the panel as well.
    const bar = section === 'hero' || section === 'brand' || section === 'search' ? 0 : 64
    page.scrollTo({ top: page.scrollY + place.getBoundingClientRect().top - bar, behavior })
  })
  const arrived = () => {
    setIsLoading(false)
    const page = frame.current?.contentWindow
    if (!page) return
    // Everything has its height, and a place stays where it is.
    delete page.document.documentElement.dataset.fresh
    if (before.current === undefined) show('instant')
    else page.scrollTo({ top: before.current, behavior: 'instant' })
  }
  const reload = useEffectEvent(() => {
    const page = frame.current?.contentWindow
    if (!page || isLoading) return
    before.current = page.scrollY
    page.location.reload()
  })
  const isFirst = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the change that matters.
  useEffect(() => {
    if (isFirst.current) isFirst.current = false
    else reload()
  }, [revision])
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the change that matters.
  useEffect(() => {
    before.current = undefined
    show('smooth')
  }, [section])
  return (
    <div ref={room} className="squared relative min-h-0 flex-1 overflow-hidden bg-(--raised)">
      {isLoading && (
        <p role="status" className="absolute inset-0 grid place-items-center text-sm text-(--quiet)">
          <span className="flex items-center gap-2">
            <LoaderCircle className="size-4 animate-spin" aria-hidden />
            {t.loading}
          </span>
        </p>
      )}
      {size && (
        <iframe
          ref={frame}
          src={address}
          title={title}
          onLoad={arrived}
          className="absolute top-0 left-1/2 origin-top-left border-(--line) bg-ink shadow-dialog"
          style={{
            width,
            height: size.height / scale,
            transform: `scale(${scale}) translateX(-50%)`,
            visibility: isLoading ? 'hidden' : undefined,
          }}
        />
      )}
    </div>
  )
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
