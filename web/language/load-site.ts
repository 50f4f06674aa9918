import type { Texts } from '#content/en/site.ts'
import type { Language } from '#contract/languages.ts'

const files = import.meta.glob<Texts>('../../content/*/site.ts', { import: 'site' })

/** The texts of the public page. A file of its own, because the first script begins to fetch them. */
export async function loadSite(language: Language) {
  const load = files[`../../content/${language}/site.ts`]
  if (!load) throw new Error(`There are no texts in "${language}"`)
  return load()
}
