import { ImageOff, Pencil, Star, Trash2 } from 'lucide-react'
import type { Project } from '#contract/projects.ts'
import { useLanguage } from '../../language/language.tsx'
import { projectTexts, timeSpentText } from '../../site/project-texts.ts'
import { Badge } from '../../ui/badge.tsx'
import { cn } from '../../ui/cn.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Photo, storedPhoto } from '../../ui/photo.tsx'
import { ActionError } from '../action-error.tsx'
import { withReason } from '../failures.ts'
import { useNotices } from '../notices.ts'
import { useAdminTexts } from '../texts.ts'
import { spanishIncomplete } from './project.rules.ts'
import { useChangeProject } from './project-calls.ts'

type Props = { project: Project; onEdit(project: Project): void; onDelete(project: Project): void }

export function ProjectRow({ project, onEdit, onDelete }: Props) {
  const t = useAdminTexts()
  const { language } = useLanguage()
  const { title } = projectTexts(project, language)
  const { scale, timeSpent } = project
  const change = useChangeProject(project.id)
  return (
    <li className="grid grid-cols-[4.5rem_minmax(0,1fr)_auto] grid-rows-[auto_1fr] gap-x-4 border-b border-(--line) py-3 sm:grid-cols-[5.5rem_minmax(0,1fr)_auto] sm:gap-x-5">
      <div className="row-span-2 aspect-[4/3] overflow-hidden bg-bone-line sm:self-center">
        <Photo
          key={project.imageUrl}
          source={storedPhoto(project.imageUrl, project.image)}
          alt=""
          sizes="88px"
          className="size-full object-cover"
          missing={<NoPhoto />}
        />
      </div>
      <div className="max-sm:col-span-2 sm:self-end">
        <h3 className="text-[1.1875rem] leading-snug wrap-anywhere">{title}</h3>
        <p className="mt-0.5 font-mono wrap-anywhere text-[0.8125rem] text-(--quiet)">
          {t.projects.facts(
            scale ?? t.projects.unknown,
            timeSpent ? timeSpentText(timeSpent, t.projects.hours, language) : t.projects.unknown,
          )}
        </p>
      </div>
      <div className="col-start-2 row-start-2 mt-2 flex max-[22rem]:col-span-2 flex-wrap content-start gap-1.5">
        {project.featured && <Badge tone="solid">{t.projects.featured}</Badge>}
        <Badge>{t.categories[project.category]}</Badge>
        {spanishIncomplete(project) && <Badge tone="warning">{t.projects.spanishIncomplete}</Badge>}
      </div>
      <div className="col-start-3 flex items-center justify-end max-sm:row-start-2 max-sm:-mr-3 max-sm:-mb-2 max-[22rem]:col-span-full max-[22rem]:col-start-1 max-[22rem]:row-start-3 sm:row-span-2 sm:row-start-1">
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
      </div>
      {change.error && (
        <div className="col-span-full row-start-4 mt-3">
          <ActionError>{withReason(t.projects.updateFailed, change.error, t)}</ActionError>
        </div>
      )}
    </li>
  )
}

type ToggleProps = { project: Project; title: string; change: ReturnType<typeof useChangeProject> }

/** Shows the new state at once, and goes back to the old one if the call fails. */
function FeatureToggle({ project, title, change }: ToggleProps) {
  const t = useAdminTexts()
  const notices = useNotices()
  const featured = change.isPending ? Boolean(change.variables.featured) : project.featured
  const toggle = () => {
    if (change.isPending) return
    change.mutate(
      { featured: !featured },
      {
        onSuccess: () => notices.done(t.projects.updated),
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

function NoPhoto() {
  return (
    <div className="grid size-full place-items-center text-(--quiet)">
      <ImageOff className="size-5" aria-hidden />
    </div>
  )
}
