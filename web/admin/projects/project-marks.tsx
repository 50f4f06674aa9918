import { useId, useState } from 'react'
import { defaultLanguage, type Language, languageName, otherLanguages } from '#contract/languages.ts'
import type { Project } from '#contract/projects.ts'
import { useLanguage } from '../../language/language.tsx'
import { Badge } from '../../ui/badge.tsx'
import { useAdminTexts } from '../texts.ts'
import { missingTexts, type TextPart } from './project.rules.ts'

type MarksProps = { project: Project; isOnFrontPage: boolean }

/** The front page shows the first featured projects; the others say that they are not among them. */
export function StateMarks({ project: { featured, draft }, isOnFrontPage }: MarksProps) {
  const { projects: t } = useAdminTexts()
  const isShown = isOnFrontPage || draft
  return (
    <>
      {draft && <Badge tone="unfinished">{t.draft}</Badge>}
      {featured && <Badge tone={isShown ? 'solid' : 'accent'}>{isShown ? t.featured : t.featuredNotShown}</Badge>}
    </>
  )
}

export function ProjectMarks(marked: MarksProps) {
  const t = useAdminTexts()
  const { project } = marked
  return (
    <>
      <StateMarks {...marked} />
      {project.category && <Badge>{t.categories[project.category]}</Badge>}
      {[...otherLanguages, defaultLanguage].map((language) => (
        <MissingMark key={language} language={language} parts={missingTexts(project, language)} />
      ))}
    </>
  )
}

/** Lists the missing texts when pressed. */
function MissingMark({ language, parts }: { language: Language; parts: TextPart[] }) {
  const t = useAdminTexts()
  const shown = useLanguage()
  const id = useId()
  const [open, setOpen] = useState(false)
  if (parts.length === 0) return null
  const called = languageName(language, shown.language)
  const names = new Intl.ListFormat(t.locale).format(parts.map((part) => t.projects.parts[part]))
  return (
    <>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
        // The minimum touch target of buttons.
        className="relative flex rounded-[2px] after:absolute after:inset-x-0 after:-inset-y-2.5"
      >
        <Badge tone="warning">{t.projects.incomplete(called)}</Badge>
      </button>
      <p id={id} hidden={!open} className="order-last basis-full text-sm text-(--danger)">
        {t.projects.missing(called, names)}
      </p>
    </>
  )
}
