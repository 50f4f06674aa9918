import { ArrowUpToLine, Ellipsis, ExternalLink, Eye, Globe, Star } from 'lucide-react'
import { type ProjectChanges, updateProject } from '#contract/projects.admin.ts'
import type { Project } from '#contract/projects.ts'
import { call } from '../../api/call.ts'
import { useLanguage } from '../../language/language.tsx'
import { timeSpentText } from '../../site/model/scale.rules.ts'
import { cn } from '../../ui/cn.ts'
import { DeleteButton, IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuItem, menuItem } from '../../ui/menu.tsx'
import { ActionError, withReason } from '../action-error.tsx'
import { useNotices } from '../notices.ts'
import { useAdminTexts } from '../texts.ts'
import { useFieldLabel } from './form-fields.ts'
import { titleOf } from './project.rules.ts'
import { useFrontPageNews, useProjectChange, withFrontPage } from './project-calls.ts'
import { ProjectMarks } from './project-marks.tsx'
import { ProjectThumbnail } from './project-thumbnail.tsx'

type Props = {
  project: Project
  /** The ids of the projects it shows. */
  frontPage: readonly string[]
  onEdit(project: Project): void
  onDelete(project: Project): void
  /** Undefined for the first project. */
  onMoveToTop: ((project: Project) => void) | undefined
}

/** A restored project takes the focus there. */
export const tileIdOf = (id: string) => `project-${id}`

/** A photo of the contact sheet with what belongs to it. A press anywhere on it opens the form. */
export function ProjectTile({ project, frontPage, onEdit, onDelete, onMoveToTop }: Props) {
  const t = useAdminTexts()
  const { language, link } = useLanguage()
  const notices = useNotices()
  const labelOf = useFieldLabel()
  const newsOf = useFrontPageNews()
  const title = titleOf(project, language, t)
  const { id, draft, scale, timeSpent } = project
  const { mutateAsync, isPending, variables, error } = useProjectChange((body: ProjectChanges) =>
    call(updateProject, { params: { id }, query: withFrontPage, body }),
  )

  // Shown at once; goes back when the call fails.
  const featured = (isPending ? variables.featured : undefined) ?? project.featured
  const update = (changes: ProjectChanges) => notices.attempt(mutateAsync(changes), () => t.projects.updateFailed)
  const toggle = async () => {
    const changed = isPending ? undefined : await update({ featured: !featured })
    if (changed) notices.done(t.projects.updated, { note: newsOf(changed) })
  }
  const setDraft = async (next: boolean) => {
    const changed = await update({ draft: next })
    if (!changed) return
    if (next) return notices.done(t.projects.updated, { note: t.projects.unpublished(title) })
    const note = [t.projects.published(title), project.featured && newsOf(changed)].filter(Boolean).join('\n')
    notices.done(t.projects.updated, { note, undo: () => setDraft(true) })
  }
  const publish = async () => {
    // The rules of the form, which the list does not need otherwise.
    const rules = await notices.attempt(import('./project-form.rules.ts'), t.projects.updateFailed)
    if (!rules) return
    const unfit = rules.unfitToPublish(project)
    if (unfit.length === 0) return setDraft(false)
    onEdit(project)
    notices.fail(t.projects.unfitToPublish(unfit.map(labelOf).join(', ')))
  }
  return (
    <li
      id={tileIdOf(id)}
      tabIndex={-1}
      className="group relative flex min-w-0 flex-col border border-(--line) bg-(--raised) outline-none focus:border-brass focus:bg-brass/10"
    >
      <ProjectThumbnail
        project={project}
        sizes="(width < 48rem) 50vw, (width < 80rem) 33vw, 20rem"
        className="motion-safe:[&_img]:transition-transform [&_img]:duration-300 group-hover:[&_img]:scale-[1.02]"
      />
      {/* Over the whole card; of what comes after it, positioned elements lie above it. */}
      <button
        type="button"
        aria-label={t.projects.edit(title)}
        onClick={() => onEdit(project)}
        className="absolute inset-0 focus-visible:outline-2 focus-visible:outline-(--focus)"
      />
      <div className="flex min-w-0 flex-1 flex-col px-3 pt-2.5 sm:px-4 sm:pt-3">
        <h3 className="line-clamp-3 text-base leading-snug wrap-anywhere sm:text-[1.1875rem]">{title}</h3>
        <p className="mt-0.5 font-mono text-[0.8125rem] tracking-tight wrap-anywhere text-(--quiet)">
          {t.projects.facts(
            scale ?? t.projects.unknown,
            timeSpent ? timeSpentText(timeSpent, t.projects.hours, language) : t.projects.unknown,
          )}
        </p>
        <div className="mt-auto flex flex-wrap items-center justify-end gap-x-2 pt-1.5">
          <div className="mr-auto flex min-w-0 flex-wrap gap-1.5 py-1.5">
            <ProjectMarks project={project} isOnFrontPage={frontPage.includes(id)} />
          </div>
          <div className="relative -mr-2.5 flex shrink-0 items-center sm:-mr-3">
            <DeleteButton label={t.projects.delete(title)} tip={t.projects.deleteTip} onClick={() => onDelete(project)} />
            <Menu
              label={t.projects.actions(title)}
              button={(state) => <IconButton icon={Ellipsis} label={t.projects.actions(title)} {...state} />}
            >
              <a {...menuItem} href={link('/', { project: project.slug })} target="_blank" rel="noreferrer">
                {draft ? <Eye /> : <ExternalLink />}
                {draft ? t.projects.preview : t.projects.view}
                <span className="sr-only">{t.projects.newTab}</span>
              </a>
              {draft && (
                <MenuItem onClick={() => void publish()}>
                  <Globe />
                  {t.projects.publish}
                </MenuItem>
              )}
              {onMoveToTop && (
                <MenuItem onClick={() => onMoveToTop(project)}>
                  <ArrowUpToLine />
                  {t.projects.toTop}
                </MenuItem>
              )}
            </Menu>
          </div>
        </div>
        {error && <ActionError>{withReason(t.projects.updateFailed, error, t)}</ActionError>}
      </div>
      <IconButton
        label={t.projects.feature(title)}
        tip={featured ? t.projects.unfeatureTip : t.projects.featureTip}
        aria-pressed={featured}
        onClick={toggle}
        className={cn(
          'absolute top-1.5 right-1.5 rounded-full bg-ink/65 text-bone backdrop-blur-xs hover:bg-ink/85 hover:text-brass-light',
          featured && 'text-brass-light',
        )}
      >
        <Star fill={featured ? 'currentColor' : 'none'} />
      </IconButton>
    </li>
  )
}
