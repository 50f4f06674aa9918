import { type ReactNode, useEffect, useRef, useState } from 'react'
import { preferredLanguage, useLanguage } from '../../language/language.tsx'
import { LanguagePicker } from '../../language/picker.tsx'
import { cn } from '../../ui/cn.ts'
import { Drawing, firstIcons } from '../../ui/drawing.tsx'
import { useDismiss } from '../../ui/use-dismiss.ts'
import { Brand } from './brand.tsx'
import { instead, type SectionId, scrollToSection, sectionIds } from './navigate.ts'
import { LanguageField } from './section.tsx'

export function Navigation() {
  const { texts, maker, link } = useLanguage()
  const [menuOpen, setMenuOpen] = useState(false)
  const { current, isOnBone } = useSectionInView()
  const offer = useLanguageOffer()
  const header = useRef<HTMLElement>(null)
  const toggle = useRef<HTMLButtonElement>(null)
  useDismiss(header, menuOpen, (by) => {
    setMenuOpen(false)
    if (by === 'escape') toggle.current?.focus()
  })

  const go = (id: SectionId) => {
    setMenuOpen(false)
    scrollToSection(id)
  }
  const items = sectionIds.map((id) => (
    <li key={id}>
      <button
        type="submit"
        formAction={`/#${id}`}
        onClick={instead(() => go(id))}
        aria-current={current === id ? 'true' : undefined}
        className={cn(
          'relative flex h-12 w-full items-center px-1 text-lg md:h-11 md:text-[0.9375rem]',
          'text-(--quiet) hover:text-inherit aria-[current]:text-inherit',
          'after:absolute after:inset-x-1 after:bottom-1.5 after:border-b after:border-(--accent) after:opacity-0 aria-[current]:after:opacity-100',
        )}
      >
        {texts.navigation[id]}
      </button>
    </li>
  ))

  return (
    <header
      ref={header}
      className={cn(
        'fixed inset-x-0 top-0 z-40 border-b border-(--line) backdrop-blur-sm transition-colors duration-300 unscripted:max-md:absolute print:hidden',
        isOnBone ? 'on-bone' : 'on-ink bg-ink/90',
      )}
    >
      <nav aria-label={texts.navigation.label}>
        <div className="page-width flex min-h-16 flex-wrap items-center gap-x-2">
          <a
            href={link('/')}
            className="flex min-h-11 min-w-0 flex-[1_1_8rem] items-center"
            aria-label={`${maker.brand}, ${texts.navigation.home}`}
          >
            <Brand />
          </a>
          <form className="hidden md:block">
            <LanguageField />
            <ul className="flex flex-wrap items-center gap-x-7 pr-5">{items}</ul>
          </form>
          <LanguagePicker />
          <button
            ref={toggle}
            type="button"
            className="-mr-2 grid size-11 shrink-0 place-items-center md:hidden unscripted:hidden"
            aria-expanded={menuOpen}
            aria-controls="menu"
            aria-label={menuOpen ? texts.navigation.closeMenu : texts.navigation.openMenu}
            onClick={() => setMenuOpen(!menuOpen)}
          >
            <Drawing d={menuOpen ? firstIcons.close : firstIcons.menu} className="size-5" />
          </button>
        </div>
        <form
          id="menu"
          className={cn(
            'max-h-[calc(100svh-4rem)] overflow-y-auto px-5 pt-2 pb-6 sm:px-8 md:hidden unscripted:max-md:flex',
            menuOpen ? (isOnBone ? 'bg-bone' : 'bg-ink') : 'hidden',
          )}
        >
          <LanguageField />
          <ul className="unscripted:flex unscripted:flex-wrap unscripted:gap-x-5">{items}</ul>
        </form>
      </nav>
      {!menuOpen && offer}
    </header>
  )
}

/** The page stays in its language until another one is chosen, whatever the browser speaks: that one is only offered. */
function useLanguageOffer() {
  const { language, addressLanguage } = useLanguage()
  const [offer, setOffer] = useState<ReactNode>()
  const [shown] = useState(addressLanguage ? undefined : language)
  useEffect(() => {
    const preferred = preferredLanguage()
    if (!shown || !preferred || preferred === shown) return
    import('../../language/language-offer.tsx').then(
      ({ LanguageOffer }) => setOffer(<LanguageOffer offered={preferred} onAnswer={() => setOffer(undefined)} />),
      () => {},
    )
  }, [shown])
  return offer
}

/** The section at the middle of the screen, and whether the ground below the navigation is light. */
function useSectionInView() {
  const [current, setCurrent] = useState<SectionId>('home')
  const [isOnBone, setOnBone] = useState(false)
  useEffect(() => {
    const observers = [
      observe('main > [id]', 50, ({ id }) => setCurrent(id as SectionId)),
      // Just below it: where a section begins that it has scrolled to.
      observe('main > section, footer', 6600 / innerHeight, ({ classList }) => setOnBone(classList.contains('on-bone'))),
    ]
    return () => {
      for (const observer of observers) observer.disconnect()
    }
  }, [])
  return { current, isOnBone }
}

/** Tells of the one that lies at so many hundredths of the screen's height. */
function observe(selector: string, at: number, onSection: (section: Element) => void) {
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) if (isIntersecting) onSection(target)
    },
    { rootMargin: `-${at}% 0px -${100 - at}% 0px` },
  )
  for (const section of document.querySelectorAll(selector)) observer.observe(section)
  return observer
}
