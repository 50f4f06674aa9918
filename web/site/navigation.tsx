import { Menu, X } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useLanguage } from '../language/language.tsx'
import { LanguagePicker } from '../language/picker.tsx'
import { cn } from '../ui/cn.ts'
import { useDismiss } from '../ui/use-dismiss.ts'
import { Brand } from './brand.tsx'
import { type SectionId, scrollToSection, sectionIds } from './scroll-to.ts'

export function Navigation() {
  const { texts } = useLanguage()
  const [menuOpen, setMenuOpen] = useState(false)
  const current = useCurrentSection()
  const header = useRef<HTMLElement>(null)
  const toggle = useRef<HTMLButtonElement>(null)
  const closeMenu = useCallback((by: 'escape' | 'outside') => {
    setMenuOpen(false)
    if (by === 'escape') toggle.current?.focus()
  }, [])
  useDismiss(header, menuOpen, closeMenu)

  const go = (id: SectionId) => {
    setMenuOpen(false)
    scrollToSection(id)
  }
  const items = sectionIds.map((id) => (
    <li key={id}>
      <button
        type="button"
        onClick={() => go(id)}
        aria-current={current === id ? 'true' : undefined}
        className={cn(
          'relative flex h-12 w-full items-center px-1 text-lg md:h-11 md:text-[0.9375rem]',
          'text-bone/80 hover:text-bone aria-[current]:text-bone',
          'after:absolute after:inset-x-1 after:bottom-1.5 after:border-b after:border-brass-light after:opacity-0 aria-[current]:after:opacity-100',
        )}
      >
        {texts.navigation[id]}
      </button>
    </li>
  ))

  return (
    <header ref={header} className="on-ink fixed inset-x-0 top-0 z-40 border-b border-ink-line/60 bg-ink/90 backdrop-blur-sm">
      <nav
        aria-label={texts.navigation.label}
        className="mx-auto flex h-16 max-w-[82rem] items-center gap-2 px-5 sm:px-8 lg:px-12"
      >
        <a href="/" className="mr-auto flex h-11 items-center" aria-label={`Vitrina, ${texts.navigation.home}`}>
          <Brand />
        </a>
        <ul className="hidden items-center gap-7 pr-5 md:flex">{items}</ul>
        <LanguagePicker />
        <button
          ref={toggle}
          type="button"
          className="-mr-2 grid size-11 place-items-center md:hidden"
          aria-expanded={menuOpen}
          aria-controls="menu"
          aria-label={menuOpen ? texts.navigation.closeMenu : texts.navigation.openMenu}
          onClick={() => setMenuOpen(!menuOpen)}
        >
          {menuOpen ? <X className="size-5" aria-hidden /> : <Menu className="size-5" aria-hidden />}
        </button>
        <ul
          id="menu"
          hidden={!menuOpen}
          className="absolute inset-x-0 top-full border-b border-ink-line bg-ink px-5 pt-2 pb-6 sm:px-8 md:hidden"
        >
          {items}
        </ul>
      </nav>
    </header>
  )
}

/** The section under the middle of the screen. */
function useCurrentSection() {
  const [current, setCurrent] = useState<SectionId>('home')
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { isIntersecting, target } of entries) if (isIntersecting) setCurrent(target.id as SectionId)
      },
      { rootMargin: '-50% 0px -50% 0px' },
    )
    for (const id of sectionIds) {
      const section = document.getElementById(id)
      if (section) observer.observe(section)
    }
    return () => observer.disconnect()
  }, [])
  return current
}
