import { type Language, languages } from '#contract/languages.ts'

/** The texts of a screen in each language: for the server, and for what shows several languages at once. */
export async function inEveryLanguage<Texts>(load: (language: Language) => Promise<Texts>) {
  const loaded = await Promise.all(languages.map(async (language) => [language, await load(language)] as const))
  return Object.fromEntries(loaded) as Record<Language, Texts>
}
