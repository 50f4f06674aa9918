import { useId, useState } from 'react'
import type { Language } from '#contract/languages.ts'
import type { Project } from '#contract/projects.ts'
import { Badge } from '../../ui/badge.tsx'
import { useAdminTexts } from '../texts.ts'
import { missingTexts, type TextPart } from './project.rules.ts'

export function DraftMark({ project }: { project: Project }) {
  const t = useAdminTexts()
  return project.draft && <Badge tone="unfinished">{t.projects.draft}</Badge>
}

export function FrontPageMark() {
  const t = useAdminTexts()
  return <Badge tone="accent">{t.projects.frontPage}</Badge>
}

export function ProjectMarks({ project, isOnFrontPage }: { project: Project; isOnFrontPage: boolean }) {
  const t = useAdminTexts()
  const { en, es } = missingTexts(project)
  return (
    <>
      <DraftMark project={project} />
      {project.featured && <Badge tone="solid">{t.projects.featured}</Badge>}
      {isOnFrontPage && <FrontPageMark />}
      <Badge>{t.categories[project.category]}</Badge>
      {es.length > 0 && <MissingMark language="es" parts={es} />}
      {en.length > 0 && <MissingMark language="en" parts={en} />}
    </>
  )
}

/** Says on request what is missing. */
function MissingMark({ language, parts }: { language: Language; parts: TextPart[] }) {
  const t = useAdminTexts()
  const id = useId()
  const [open, setOpen] = useState(false)
  const names = new Intl.ListFormat(t.locale).format(parts.map((part) => t.projects.parts[part]))
  return (
    <>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
        // As large to a finger as other buttons.
        className="relative flex rounded-[2px] after:absolute after:inset-x-0 after:-inset-y-2.5"
      >
        <Badge tone="warning">{t.projects.incomplete[language]}</Badge>
      </button>
      <p id={id} hidden={!open} className="order-last basis-full text-sm text-(--danger)">
        {t.projects.missing[language](names)}
      </p>
    </>
  )
}
