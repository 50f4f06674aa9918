import { use } from 'react'
import { defaultLanguage, type Language } from '#contract/languages.ts'
import { loadSite } from './load-site.ts'

export type Screen<T> = {
  load(language: Language): Promise<T>
  /** Undefined until they are loaded. */
  textsIn(language: Language): T | undefined
}

const inUse = new Set<Screen<unknown>>()

/** The texts of a screen. Each language is a file of its own, fetched when it is first shown. */
export function screenTexts<T>(importTexts: (language: Language) => Promise<T>): Screen<T> {
  const loading = new Map<Language, Promise<T>>()
  const loaded = new Map<Language, T>()
  const screen: Screen<T> = {
    load(language) {
      inUse.add(screen)
      const texts = loading.get(language) ?? importTexts(language)
      loading.set(language, texts)
      texts.then(
        (each) => loaded.set(language, each),
        () => loading.delete(language),
      )
      return texts
    },
    textsIn: (language) => loaded.get(language),
  }
  return screen
}

/** Where they are not loaded yet, the nearest Suspense waits for them. */
export function readTexts<T>(screen: Screen<T>, language: Language): T {
  return screen.textsIn(language) ?? use(screen.load(language))
}

/** Before another language is shown: the texts of all screens that were shown so far. */
export async function loadLanguage(language: Language) {
  await Promise.all([...inUse].map((screen) => screen.load(language)))
}

let shown = defaultLanguage

/** The language of the page at this moment. Not `<html lang>`, which a browser changes when it translates the page. */
export const shownLanguage = () => shown
export function setShownLanguage(language: Language) {
  shown = language
}

export const siteTexts = screenTexts(loadSite)

/** The texts of the page in a language that has been loaded. */
export function textsIn(language: Language) {
  const texts = siteTexts.textsIn(language)
  if (!texts) throw new Error(`The texts in "${language}" must be loaded before they are shown`)
  return texts
}
