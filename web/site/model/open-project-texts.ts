import type { OpenProjectTexts } from '#content/en/open-project.ts'
import { byLanguage } from '../../language/by-language.ts'
import { useLanguage } from '../../language/language.tsx'

const texts = byLanguage(
  import.meta.glob<OpenProjectTexts>('../../../content/*/open-project.ts', { eager: true, import: 'openProject' }),
)

export const useOpenProjectTexts = () => texts[useLanguage().language]
