import { ArrowUpToLine, GripVertical } from 'lucide-react'
import { type MouseEvent, useLayoutEffect, useRef } from 'react'
import type { Project } from '#contract/projects.ts'
import { useLanguage } from '../../language/language.tsx'
import { cn } from '../../ui/cn.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { MoveButtons, Sortable, useSortableItem } from '../../ui/sortable.tsx'
import { useAdminTexts } from '../texts.ts'
import { titleOf } from './project.rules.ts'
import { StateMarks } from './project-marks.tsx'
import { ProjectThumbnail } from './project-thumbnail.tsx'

type Props = {
  projects: Project[]
  /** Includes projects that are not loaded yet. */
  count: number
  frontPage: readonly string[]
  /** `to` is an index in `projects`, or one past the last when more are not loaded. */
  onMove(id: string, to: number): void
  onMoveToTop(project: Project): void
}

export function ProjectOrder({ projects, count, frontPage, onMove, onMoveToTop }: Props) {
  const t = useAdminTexts()
  const { language } = useLanguage()
  const titleOfId = (id: string) => {
    const project = projects.find((each) => each.id === id)
    return project ? titleOf(project, language, t) : ''
  }
  const keepInPlace = useKeepInPlace()
  return (
    <Sortable
      ids={projects.map(({ id }) => id)}
      more={projects.length < count}
      onMove={onMove}
      said={(id, place) => t.projects.moved(titleOfId(id), place, count)}
    >
      <ol aria-label={t.projects.orderList} onClickCapture={keepInPlace}>
        {projects.map((project, index) => (
          <OrderRow
            key={project.id}
            project={project}
            place={t.projects.place(index + 1, count)}
            isOnFrontPage={frontPage.includes(project.id)}
            onMoveToTop={index > 0 ? onMoveToTop : undefined}
          />
        ))}
      </ol>
    </Sortable>
  )
}

type RowProps = {
  project: Project
  place: string
  isOnFrontPage: boolean
  onMoveToTop: ((project: Project) => void) | undefined
}

function OrderRow({ project, place, isOnFrontPage, onMoveToTop }: RowProps) {
  const t = useAdminTexts()
  const { language } = useLanguage()
  const title = titleOf(project, language, t)
  const { entry, grip, area, dragging } = useSortableItem(project.id)
  return (
    <li
      {...entry}
      className={cn(
        'flex items-center gap-1 border-b border-(--line) py-1.5 sm:gap-2',
        dragging && 'on-bone -mx-3 border-transparent px-3 shadow-dialog outline-1 outline-brass',
      )}
    >
      {/* For mouse and finger; the keyboard has the buttons. */}
      <span
        {...grip}
        data-slot="grip"
        aria-hidden="true"
        className="-ml-3 grid h-14 w-11 shrink-0 place-items-center text-(--quiet) hover:text-ink active:cursor-grabbing"
      >
        <GripVertical className="size-5" />
      </span>
      <div {...area} className="flex min-w-0 flex-1 items-center gap-3 select-none sm:gap-5">
        <ProjectThumbnail project={project} className="w-14 shrink-0 sm:w-18" />
        <div className="min-w-0 flex-1 sm:flex sm:items-center sm:gap-6">
          <div className="min-w-0 flex-1">
            <h3 className="line-clamp-2 text-base leading-snug wrap-anywhere sm:text-[1.0625rem]">{title}</h3>
            <p className="font-mono text-[0.8125rem] text-(--quiet)">{place}</p>
          </div>
          <div className="flex flex-wrap gap-1.5 max-sm:mt-1 max-sm:empty:hidden sm:justify-end">
            <StateMarks project={project} isOnFrontPage={isOnFrontPage} />
          </div>
        </div>
      </div>
      <div className="-mr-3 flex shrink-0 items-center">
        <IconButton
          icon={ArrowUpToLine}
          label={t.projects.moveTop(title)}
          tip={t.projects.toTop}
          aria-disabled={!onMoveToTop}
          onClick={() => onMoveToTop?.(project)}
          className="aria-disabled:opacity-40 max-sm:hidden"
        />
        <MoveButtons
          id={project.id}
          earlier={{ label: t.projects.moveUp(title), tip: t.projects.moveUpTip }}
          later={{ label: t.projects.moveDown(title), tip: t.projects.moveDownTip }}
        />
      </div>
    </li>
  )
}

/** Scrolls the list so that the moved row stays under the pointer. */
function useKeepInPlace() {
  const pressed = useRef<{ button: Element; top: number }>(undefined)
  useLayoutEffect(() => {
    if (!pressed.current) return
    const { button, top } = pressed.current
    pressed.current = undefined
    scrollBy({ top: button.getBoundingClientRect().top - top, behavior: 'instant' })
  })
  return ({ target }: MouseEvent) => {
    const button = target instanceof Element && target.closest('button')
    pressed.current = button ? { button, top: button.getBoundingClientRect().top } : undefined
  }
}
