import { ArrowUpToLine, ExternalLink, Eye, Globe, Pencil, Star, Trash2 } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { Project } from '#contract/projects.ts'
import { useLanguage } from '../../language/language.tsx'
import { timeSpentText } from '../../site/model/project-texts.ts'
import { cn } from '../../ui/cn.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuItem, MenuLink } from '../../ui/menu.tsx'
import { ActionError, withReason } from '../action-error.tsx'
import { useNotices } from '../notices.ts'
import { useAdminTexts } from '../texts.ts'
import { useFieldLabel } from './field-label.ts'
import { titleOf } from './project.rules.ts'
import { useChangeProject, useFrontPageNews } from './project-calls.ts'
import { unfitToPublish } from './project-form.rules.ts'
import { ProjectMarks } from './project-marks.tsx'
import { ProjectThumbnail } from './project-thumbnail.tsx'

type Change = ReturnType<typeof useChangeProject>

type Props = {
  project: Project
  /** The ids of the projects it shows. */
  frontPage: readonly string[]
  onEdit(project: Project): void
  onDelete(project: Project): void
  /** Undefined for the first project. */
  onMoveToTop: ((project: Project) => void) | undefined
  /** Just restored: takes the focus. */
  isReturning: boolean
}

export function ProjectRow({ project, frontPage, onEdit, onDelete, onMoveToTop, isReturning }: Props) {
  const t = useAdminTexts()
  const { language } = useLanguage()
  const title = titleOf(project, language, t)
  const { scale, timeSpent } = project
  const change = useChangeProject(project.id)
  const row = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isReturning) row.current?.focus()
  }, [isReturning])
  return (
    <li
      ref={row}
      tabIndex={-1}
      className="grid grid-cols-[4.5rem_minmax(0,1fr)] content-start items-start gap-x-4 border-b border-(--line) py-3 outline-none focus:bg-brass/10 sm:grid-cols-[5.5rem_minmax(0,1fr)_auto] sm:gap-x-5"
    >
      <ProjectThumbnail project={project} className="sm:row-span-2" />
      <div className="min-w-0">
        <h3 className="text-[1.1875rem] leading-snug wrap-anywhere">{title}</h3>
        <p className="mt-0.5 font-mono wrap-anywhere text-[0.8125rem] text-(--quiet)">
          {t.projects.facts(
            scale ?? t.projects.unknown,
            timeSpent ? timeSpentText(timeSpent, t.projects.hours, language) : t.projects.unknown,
          )}
        </p>
      </div>
      <div className="col-span-2 flex flex-wrap items-center justify-end gap-x-3 sm:contents">
        <div className="mr-auto flex min-w-0 flex-wrap gap-1.5 max-sm:pt-2.5 max-sm:pb-0.5 sm:col-start-2 sm:mt-2">
          <ProjectMarks project={project} isOnFrontPage={frontPage.includes(project.id)} />
        </div>
        <div className="flex shrink-0 items-center max-sm:-mr-3 max-sm:-mb-2 sm:col-start-3 sm:row-span-2 sm:row-start-1">
          <FeatureToggle project={project} title={title} change={change} />
          <IconButton label={t.projects.edit(title)} tip={t.projects.editTip} onClick={() => onEdit(project)}>
            <Pencil aria-hidden />
          </IconButton>
          <IconButton
            label={t.projects.delete(title)}
            tip={t.projects.deleteTip}
            onClick={() => onDelete(project)}
            className="hover:text-oxide"
          >
            <Trash2 aria-hidden />
          </IconButton>
          <MoreActions {...{ project, title, change, onEdit, onMoveToTop }} />
        </div>
      </div>
      {change.error && (
        <div className="col-span-full mt-3">
          <ActionError>{withReason(t.projects.updateFailed, change.error, t)}</ActionError>
        </div>
      )}
    </li>
  )
}

type ToggleProps = { project: Project; title: string; change: Change }

/** Optimistic: goes back when the call fails. */
function FeatureToggle({ project, title, change }: ToggleProps) {
  const t = useAdminTexts()
  const notices = useNotices()
  const newsOf = useFrontPageNews()
  const featured = (change.isPending ? change.variables.featured : undefined) ?? project.featured
  const toggle = () => {
    if (change.isPending) return
    change.mutate(
      { featured: !featured },
      {
        onSuccess: (changed) => {
          const note = newsOf(changed)
          notices.done(t.projects.updated, note ? { note } : {})
        },
        onError: (error) => notices.failed(error, t.projects.updateFailed),
      },
    )
  }
  return (
    <IconButton
      label={t.projects.feature(title)}
      tip={featured ? t.projects.unfeatureTip : t.projects.featureTip}
      aria-pressed={featured}
      onClick={toggle}
      className={cn(featured && 'text-brass-deep')}
    >
      <Star aria-hidden fill={featured ? 'currentColor' : 'none'} />
    </IconButton>
  )
}

type MoreProps = Pick<Props, 'project' | 'onEdit' | 'onMoveToTop'> & { title: string; change: Change }

function MoreActions({ project, title, change, onEdit, onMoveToTop }: MoreProps) {
  const t = useAdminTexts()
  const notices = useNotices()
  const { link } = useLanguage()
  const labelOf = useFieldLabel()
  const newsOf = useFrontPageNews()
  const setDraft = async (draft: boolean) => {
    try {
      // Awaited: callbacks of `mutate` do not run after the row unmounts.
      const changed = await change.mutateAsync({ draft })
      if (draft) return notices.done(t.projects.updated, { note: t.projects.unpublished(title) })
      const note = [t.projects.published(title), project.featured && newsOf(changed)].filter(Boolean).join('\n')
      const undo = { label: t.projects.undo, hint: t.projects.undoHint, run: () => void setDraft(true) }
      notices.done(t.projects.updated, { note, action: undo })
    } catch (error) {
      notices.failed(error, t.projects.updateFailed)
    }
  }
  const publish = () => {
    const unfit = unfitToPublish(project)
    if (unfit.length === 0) return void setDraft(false)
    onEdit(project)
    notices.fail(t.projects.unfitToPublish(unfit.map(labelOf).join(', ')))
  }
  return (
    <Menu label={t.projects.actions(title)}>
      <MenuLink href={link('/', { project: project.slug })}>
        {project.draft ? <Eye aria-hidden /> : <ExternalLink aria-hidden />}
        {project.draft ? t.projects.preview : t.projects.view}
        <span className="sr-only">{t.projects.newTab}</span>
      </MenuLink>
      {project.draft && (
        <MenuItem onSelect={publish}>
          <Globe aria-hidden />
          {t.projects.publish}
        </MenuItem>
      )}
      {onMoveToTop && (
        <MenuItem onSelect={() => onMoveToTop(project)}>
          <ArrowUpToLine aria-hidden />
          {t.projects.toTop}
        </MenuItem>
      )}
    </Menu>
  )
}
