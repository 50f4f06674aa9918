import type { Language } from '#contract/languages.ts'
import type { Texts } from './en/site.ts'

/** The texts of the public page. Of its own, because the first script begins to fetch them. */
export async function loadSite(language: Language): Promise<Texts> {
  return (await import(`./${language}/site.ts`)).site
}
