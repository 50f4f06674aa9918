import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import type { Texts } from '#content/en.ts'
import { type Language, languageKey } from '#contract/languages.ts'
import { loadTexts, textsIn } from './texts.ts'

type Chosen = { language: Language; texts: Texts; choose(language: Language): void }

const LanguageContext = createContext<Chosen | undefined>(undefined)

/** `initial` is what the server rendered; what the visitor chooses is kept in this browser and told to the server. */
export function LanguageProvider({ initial, children }: { initial: Language; children: ReactNode }) {
  const [language, setLanguage] = useState(initial)

  useEffect(() => {
    const stored = storedLanguage()
    const asked = new URL(location.href).searchParams.has('lang')
    if (stored && stored !== initial && !asked) {
      rememberLanguage(stored)
      turnTo(stored, setLanguage).catch(() => {})
    }
  }, [initial])

  useEffect(() => {
    // Even the same word again would make the browser style the whole page anew.
    if (document.documentElement.lang !== language) document.documentElement.lang = language
  }, [language])

  const chosen = useMemo<Chosen>(
    () => ({
      language,
      texts: textsIn(language),
      choose(next) {
        rememberLanguage(next)
        forgetAskedLanguage()
        // Whatever keeps the words from arriving, the server can send them with the page, if it can be reached.
        turnTo(next, setLanguage).catch(() => navigator.onLine && location.reload())
      },
    }),
    [language],
  )
  return <LanguageContext value={chosen}>{children}</LanguageContext>
}

/** The words of an earlier choice may arrive after those of a later one. */
let wanted: Language | undefined

async function turnTo(next: Language, setLanguage: (language: Language) => void) {
  wanted = next
  await loadTexts(next)
  if (wanted === next) setLanguage(next)
}

export function useLanguage() {
  const chosen = useContext(LanguageContext)
  if (!chosen) throw new Error('useLanguage must be used within a LanguageProvider')
  return chosen
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
