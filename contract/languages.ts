export const languages = ['en', 'es'] as const
export type Language = (typeof languages)[number]

export const defaultLanguage: Language = 'en'

/** The key in local storage, and the cookie that mirrors it so that the server renders the same language. */
export const languageKey = 'language'

export function isLanguage(value: unknown): value is Language {
  return languages.some((language) => language === value)
}
