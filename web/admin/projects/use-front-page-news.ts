import type { Project } from '#contract/projects.ts'
import { useLanguage } from '../../language/language.tsx'
import { projectTexts } from '../../site/model/project-texts.ts'
import { useAdminTexts } from '../texts.ts'
import { frontPageNews } from './project.rules.ts'
import { readFrontPage } from './project-calls.ts'

/** What the front page shows since a project was featured or no longer, where that is more than this one. */
export function useFrontPageNews() {
  const t = useAdminTexts()
  const { language } = useLanguage()
  return async (project: Project, before: readonly string[] | undefined) => {
    // The project is changed all the same when this cannot be read.
    const shown = await readFrontPage().catch(() => undefined)
    const news =
      shown &&
      frontPageNews(
        project,
        before,
        shown.map(({ id }) => id),
      )
    if (!news) return undefined
    // Below each other: there may be commas in a title.
    const titles = shown.map((each) => `· ${projectTexts(each, language).title}`).join('\n')
    return news === 'not_shown' ? t.projects.frontPageWithout(titles) : t.projects.frontPageNow(titles)
  }
}
