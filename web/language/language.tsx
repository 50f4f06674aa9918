import { createContext, type ReactNode, startTransition, useCallback, useContext, useEffect, useMemo, useState } from 'react'
import type { Texts } from '#content/en.ts'
import { type Language, languageKey } from '#contract/languages.ts'
import { toast } from '../ui/toast-store.ts'
import { loadTexts, textsIn } from './texts.ts'

type Chosen = {
  language: Language
  texts: Texts
  /** The one the address asks for, and its links therefore too. */
  asked: Language | undefined
  /** An address of this site that keeps the language this one was asked for in. */
  link(path: string, query?: Record<string, string>): string
  choose(language: Language): void
}

const LanguageContext = createContext<Chosen | undefined>(undefined)

type Props = {
  initial: Language
  isAsked: boolean
  /** Before the page is shown in another language. */
  onTurn(): void
  children: ReactNode
}

/** `initial` is what the server rendered; what the visitor chooses is kept in this browser and told to the server. */
export function LanguageProvider({ initial, isAsked, onTurn, children }: Props) {
  const [{ language, asked }, setShown] = useState({ language: initial, asked: isAsked ? initial : undefined })
  const turn = useCallback(
    (next: Language) => {
      onTurn()
      // The page stays as it is until all of it can be shown in the other language.
      startTransition(() => setShown({ language: next, asked: undefined }))
    },
    [onTurn],
  )

  useEffect(() => {
    const stored = storedLanguage()
    if (stored && stored !== initial && !isAsked) {
      rememberLanguage(stored)
      turnTo(stored, turn).catch(() => {})
    }
  }, [initial, isAsked, turn])

  useEffect(() => {
    // Even the same word again would make the browser style the whole page anew.
    if (document.documentElement.lang !== language) document.documentElement.lang = language
  }, [language])

  const chosen = useMemo<Chosen>(
    () => ({
      language,
      texts: textsIn(language),
      asked,
      link(path, query) {
        const search = new URLSearchParams({ ...(asked && { lang: asked }), ...query })
        return search.size > 0 ? `${path}?${search}` : path
      },
      choose(next) {
        rememberLanguage(next)
        forgetAskedLanguage()
        // Whatever keeps the words from arriving, the server can send them with the page, if it can be reached.
        turnTo(next, turn).catch(() => {
          if (navigator.onLine) location.reload()
          else toast({ tone: 'destructive', title: textsIn(language).gallery.failedHint })
        })
      },
    }),
    [language, asked, turn],
  )
  return <LanguageContext value={chosen}>{children}</LanguageContext>
}

/** The words of an earlier choice may arrive after those of a later one. */
let wanted: Language | undefined

async function turnTo(next: Language, turn: (language: Language) => void) {
  wanted = next
  await loadTexts(next)
  if (wanted === next) turn(next)
}

export function useLanguage() {
  const chosen = useContext(LanguageContext)
  if (!chosen) throw new Error('useLanguage must be used within a LanguageProvider')
  return chosen
}

/** Whether this browser speaks Spanish and nobody has chosen a language in it. */
export function prefersSpanish() {
  const chosen = storedLanguage() ?? document.cookie.includes(`${languageKey}=`)
  return !chosen && /^es\b/i.test(navigator.language)
}

function storedLanguage(): Language | undefined {
  try {
    const stored = localStorage.getItem(languageKey)
    return stored === 'en' || stored === 'es' ? stored : undefined
  } catch {
    // Some browsers forbid storage to private windows; the cookie then has to do.
    return undefined
  }
}

function rememberLanguage(language: Language) {
  // Not the Cookie Store API: Safari has it only since 18.4.
  document.cookie = `${languageKey}=${language}; path=/; max-age=31536000; samesite=lax`
  try {
    localStorage.setItem(languageKey, language)
  } catch {
    return
  }
}

/** An address that asked for one language must not undo the choice of another at the next reload. */
function forgetAskedLanguage() {
  const address = new URL(location.href)
  if (!address.searchParams.has('lang')) return
  address.searchParams.delete('lang')
  history.replaceState(history.state, '', address)
}
