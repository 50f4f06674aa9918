import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react'
import { type Language, languages, languageTitle, ownNameOf } from '#contract/languages.ts'
import { cn } from '../ui/cn.ts'
import { Drawing, firstIcons } from '../ui/drawing.tsx'
import { useDismiss } from '../ui/use-dismiss.ts'
import { useLanguage } from './language.tsx'

/** A dropdown of the languages: closes on a choice, on a click elsewhere and on Escape. */
export function LanguagePicker() {
  const { language, texts, link, choose } = useLanguage()
  const [open, setOpen] = useState(false)
  const container = useRef<HTMLDivElement>(null)
  const trigger = useRef<HTMLButtonElement>(null)
  const close = useCallback((by: 'escape' | 'outside') => {
    setOpen(false)
    if (by === 'escape') trigger.current?.focus()
  }, [])
  useDismiss(container, open, close)

  useEffect(() => {
    if (open) container.current?.querySelector<HTMLElement>('[aria-checked="true"]')?.focus()
  }, [open])

  const pick = (next: Language) => {
    choose(next)
    setOpen(false)
    trigger.current?.focus()
  }

  return (
    <div ref={container} className="relative">
      {languages
        .filter((each) => each !== language)
        .map((each) => (
          <a key={each} lang={each} href={link('/', { lang: each })} className="hidden h-11 items-center px-3 unscripted:flex">
            {ownNameOf(each)}
          </a>
        ))}
      <button
        ref={trigger}
        type="button"
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex h-11 items-center gap-2 rounded-[2px] px-3 hover:bg-current/10 unscripted:hidden"
      >
        <Drawing d={firstIcons.globe} className="size-4" />
        <span className="lettering">{language}</span>
        <span className="sr-only">{`${texts.language.label}: ${ownNameOf(language)}`}</span>
        <Drawing d={firstIcons.chevronDown} className={cn('size-3.5 transition-transform', open && 'rotate-180')} />
      </button>
      {open && (
        <div
          role="menu"
          tabIndex={-1}
          aria-label={texts.language.label}
          onKeyDown={moveWithArrows}
          className="on-ink absolute top-full right-0 mt-2 min-w-44 animate-[appear_120ms_ease-out] rounded-[3px] border border-ink-line p-1 shadow-dialog"
        >
          {languages.map((each) => (
            <button
              key={each}
              type="button"
              role="menuitemradio"
              aria-checked={each === language}
              onClick={() => pick(each)}
              className="flex h-11 w-full items-center justify-between gap-6 rounded-[2px] px-3 text-left hover:bg-bone/10"
            >
              {languageTitle(each, language)}
              {each === language && <Drawing d={firstIcons.check} className="size-4 text-brass-light" />}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}

function moveWithArrows(event: KeyboardEvent<HTMLElement>) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (!step) return
  event.preventDefault()
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="menuitemradio"]')]
  const index = items.indexOf(document.activeElement as HTMLElement)
  items.at((index + step) % items.length)?.focus()
}
