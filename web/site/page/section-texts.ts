import type { SectionTexts } from '#content/en/sections.ts'
import { withOwn } from '#content/with-own.ts'
import { byLanguage } from '../../language/by-language.ts'
import { useLanguage } from '../../language/language.tsx'

const texts = byLanguage(import.meta.glob<SectionTexts>('../../../content/*/sections.ts', { eager: true, import: 'sections' }))

/** Of the sections that no first visit loads: the server has rendered them. */
export function useSectionTexts() {
  const { language, words } = useLanguage()
  return withOwn(texts[language], words)
}
