import type { Texts } from '#content/en/site.ts'
import type { Language } from '#contract/languages.ts'

const loaders: Record<Language, () => Promise<Texts>> = {
  en: async () => (await import('#content/en/site.ts')).en,
  es: async () => (await import('#content/es/site.ts')).es,
}

const loaded = new Map<Language, Texts>()

/** Each language is a file of its own, fetched when it is first shown. */
export async function loadTexts(language: Language) {
  const texts = loaded.get(language) ?? (await loaders[language]())
  loaded.set(language, texts)
  return texts
}

/** The texts of a language that has been loaded. */
export function textsIn(language: Language) {
  const texts = loaded.get(language)
  if (!texts) throw new Error(`The texts in "${language}" must be loaded before they are shown`)
  return texts
}
