import {
  createContext,
  type ReactNode,
  startTransition,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
} from 'react'
import type { Texts } from '#content/en/site.ts'
import { type Maker, maker } from '#content/maker.ts'
import { withOwn } from '#content/with-own.ts'
import { addressed } from '#contract/endpoint.ts'
import { wordsPath } from '#contract/first-visit.ts'
import { isLanguage, type Language, languageKey } from '#contract/languages.ts'
import type { readWords } from '#contract/site-content.ts'
import { call } from '../api/call.ts'
import type { OwnSite } from '../page.ts'
import { toast } from '../ui/toast-store.ts'
import { loadLanguage, readTexts, type Screen, setShownLanguage, textsIn } from './site-texts.ts'

type Chosen = {
  language: Language
  texts: Texts
  /** The maker's own, by their paths. */
  words: OwnSite['words'] | undefined
  /** Whose site it is. */
  maker: Maker
  photos: OwnSite['photos']
  /** The one in the address (`?lang=`), if any: links and forms of the page carry it along. */
  addressLanguage: Language | undefined
  /** An address of this site that keeps the language of the present one. */
  link(path: string, query?: Record<string, string>): string
  choose(language: Language): void
}

const readingWords = addressed<typeof readWords>('GET', wordsPath)

const LanguageContext = createContext<Chosen | undefined>(undefined)

type Props = {
  initial: Language
  isInAddress: boolean
  own: OwnSite | undefined
  isPreview: boolean
  /** Before the page is shown in another language: what is loaded for that. */
  onChange(): Promise<unknown>
  children: ReactNode
}

/** `initial` is what the server rendered; what the visitor chooses is kept in this browser, and in a cookie for the server. */
export function LanguageProvider({ initial, isInAddress, own, isPreview, onChange, children }: Props) {
  const [{ language, addressLanguage, words }, setShown] = useState(() => {
    setShownLanguage(initial)
    return { language: initial, addressLanguage: isInAddress ? initial : undefined, words: own?.words }
  })
  const show = useCallback(
    async (next: Language) => {
      // Unpublished texts come only with the page: load it again.
      if (isPreview) {
        const address = new URL(location.href)
        address.searchParams.set('lang', next)
        return location.replace(address)
      }
      chosenLanguage = next
      const [words] = await Promise.all([own && call(readingWords, { query: { lang: next } }), loadLanguage(next)])
      await onChange()
      if (chosenLanguage !== next) return
      // The page stays as it is until all of it can be shown in the other language.
      startTransition(() => setShown({ language: next, addressLanguage: undefined, words }))
    },
    [onChange, own, isPreview],
  )

  useEffect(() => {
    const stored = storedLanguage()
    if (stored && stored !== initial && !isInAddress) {
      rememberLanguage(stored)
      show(stored).catch(() => {})
    }
  }, [initial, isInAddress, show])

  // Before the browser draws the texts: with an effect it would show them under the other language first.
  useLayoutEffect(() => {
    setShownLanguage(language)
    // Setting even the same value makes the browser restyle the whole page.
    if (document.documentElement.lang !== language) document.documentElement.lang = language
  }, [language])

  const chosen = useMemo<Chosen>(
    () => ({
      language,
      texts: withOwn(textsIn(language), words),
      words,
      maker: withOwn(maker, own?.facts),
      photos: own?.photos ?? {},
      addressLanguage,
      link(path, query) {
        const search = new URLSearchParams({ ...(addressLanguage && { lang: addressLanguage }), ...query })
        return search.size > 0 ? `${path}?${search}` : path
      },
      choose(next) {
        // The panel around it keeps its own.
        if (!isPreview) {
          rememberLanguage(next)
          dropAddressLanguage()
        }
        // Where the texts cannot be fetched, the server can send them with the page, if it can be reached.
        show(next).catch(() => {
          if (navigator.onLine) location.reload()
          else toast({ tone: 'destructive', title: textsIn(language).gallery.failedHint })
        })
      },
    }),
    [language, addressLanguage, words, own, isPreview, show],
  )
  return <LanguageContext value={chosen}>{children}</LanguageContext>
}

/** The last choice: the texts of an earlier one may arrive later. */
let chosenLanguage: Language | undefined

export function useLanguage() {
  const chosen = useContext(LanguageContext)
  if (!chosen) throw new Error('useLanguage must be used within a LanguageProvider')
  return chosen
}

/** The texts of a screen in the chosen language. */
export function useTexts<T>(screen: Screen<T>) {
  return readTexts(screen, useLanguage().language)
}

/** The language this browser is set to, if the site has it and none has been chosen here. */
export function preferredLanguage() {
  const isChosen = storedLanguage() ?? document.cookie.includes(`${languageKey}=`)
  const [preferred] = navigator.language.toLowerCase().split('-')
  return !isChosen && isLanguage(preferred) ? preferred : undefined
}

function storedLanguage(): Language | undefined {
  try {
    const stored = localStorage.getItem(languageKey)
    return isLanguage(stored) ? stored : undefined
  } catch {
    // Some browsers forbid storage in private windows; the cookie remains.
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

/** Otherwise the next reload would undo the choice. */
function dropAddressLanguage() {
  const address = new URL(location.href)
  if (!address.searchParams.has('lang')) return
  address.searchParams.delete('lang')
  history.replaceState(history.state, '', address)
}
