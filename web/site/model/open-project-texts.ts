import type { OpenProjectTexts } from '#content/en/open-project.ts'
import { useTexts } from '../../language/language.tsx'
import { screenTexts } from '../../language/site-texts.ts'

export const openProjectTexts = screenTexts<OpenProjectTexts>(
  async (language) => (await import(`../../../content/${language}/open-project.ts`)).openProject,
)

export const useOpenProjectTexts = () => useTexts(openProjectTexts)
