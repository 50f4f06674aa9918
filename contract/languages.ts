type Facts = {
  /** What it calls itself. */
  name: string
  /** For dates and numbers, and for programs that show links. */
  locale: string
}

/** The first is the site's own. Another one is a line here and a folder in content/. */
const listed = {
  en: { name: 'English', locale: 'en-US' },
  es: { name: 'Español', locale: 'es-MX' },
} satisfies Record<string, Facts>

export type Language = keyof typeof listed
export const languages = Object.keys(listed) as [Language, ...Language[]]

/** What a project says without a translation is in this one. */
export const defaultLanguage = languages[0]
export const otherLanguages = languages.slice(1)

export const localeOf = (language: Language) => listed[language].locale

/** The key in local storage, and the cookie that mirrors it so that the server renders the same language. */
export const languageKey = 'language'

export function isLanguage(value: unknown): value is Language {
  return languages.some((language) => language === value)
}

/** What a language calls itself. */
export const ownNameOf = (language: Language) => listed[language].name

/** What a language is called in another one. The first call takes a slow phone a tenth of a second. */
export function languageName(language: Language, shownIn: Language) {
  const names = new Intl.DisplayNames(localeOf(shownIn), { type: 'language', fallback: 'none' })
  return names.of(language) ?? listed[language].name
}

/** The same at the beginning of a line. */
export function languageTitle(language: Language, shownIn: Language) {
  const name = languageName(language, shownIn)
  return name.charAt(0).toLocaleUpperCase(localeOf(shownIn)) + name.slice(1)
}
