import type { CSSProperties } from 'react'
import type { Filter } from '../../api/project-lists.ts'
import { useLanguage } from '../../language/language.tsx'
import type { ListedProject } from '../../page.ts'
import { Photo, storedPhoto } from '../../ui/photo.tsx'
import { beginningOf, projectTexts } from '../model/project-texts.ts'
import type { OpenProject, ReachForProject } from '../model/use-open-project.ts'
import type { Place } from './masonry.rules.ts'
import { MissingPhoto } from './missing-photo.tsx'
import { commonShape } from './plates.rules.ts'
import { ProjectLink } from './project-link.tsx'

/** Where it goes in two columns, in three and in four. */
export type Places = Record<'two' | 'three' | 'four', Place>

type Props = {
  project: ListedProject
  filter: Filter
  shown: string | undefined
  places: Places
  /** One of few. */
  isLarge: boolean
  onOpen: OpenProject
  onIntent: ReachForProject
}

export function ProjectCard({ project, filter, shown, places, isLarge, onOpen, onIntent }: Props) {
  const { texts, language } = useLanguage()
  const { title, description } = projectTexts(project, language)
  const { width, height } = project.image ?? commonShape
  return (
    <li id={project.id} style={styleOf(places, width / height)} className="masonry-card group relative">
      <article>
        <div className="masonry-photo relative overflow-hidden bg-bone-line">
          <Photo
            source={storedPhoto(project.imageUrl, project.image)}
            alt={title}
            sizes={`(max-width: 45rem) calc(100vw - 2.5rem), (max-width: 70rem) ${places.two.span * 46}vw, ${isLarge ? '50vw' : `${places.three.span * 25}rem`}`}
            className="size-full object-cover transition-transform duration-300 ease-settle group-hover:scale-[1.025]"
            missing={<MissingPhoto />}
          />
        </div>
        <div className="masonry-caption">
          <p className="lettering flex flex-wrap gap-x-3 overflow-hidden text-(--quiet)">
            <span>{project.category && texts.gallery.categories[project.category]}</span>
            {project.scale && <span className="min-w-0 truncate text-(--accent)">{project.scale}</span>}
          </p>
          <h3>
            <ProjectLink
              project={project}
              filter={filter}
              shown={shown}
              onOpen={onOpen}
              onIntent={onIntent}
              className="line-clamp-2 wrap-anywhere decoration-brass decoration-1 underline-offset-4 group-hover:underline"
            >
              {title}
            </ProjectLink>
          </h3>
          <p className="masonry-description line-clamp-2 wrap-anywhere text-(--quiet)">{beginningOf(description, 84)}</p>
        </div>
      </article>
    </li>
  )
}

function styleOf(places: Places, ratio: number) {
  const areas = Object.entries(places).flatMap(([columns, { row, column, rows, span }]) => [
    [`--${columns}`, `${row} / ${column} / span ${rows} / span ${span}`],
    [`--${columns}-across`, span],
  ])
  return { '--ratio': Math.round(ratio * 1000) / 1000, ...Object.fromEntries(areas) } as CSSProperties
}
