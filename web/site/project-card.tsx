import type { CSSProperties } from 'react'
import type { Project } from '#contract/projects.ts'
import { useLanguage } from '../language/language.tsx'
import { Photo, storedPhoto } from '../ui/photo.tsx'
import type { Place } from './masonry.rules.ts'
import { MissingPhoto } from './missing-photo.tsx'
import { projectTexts } from './project-texts.ts'

type Props = { project: Project; inTwo: Place; inThree: Place; onOpen: (id: string) => void; onIntent: () => void }

const sizes = '(max-width: 45rem) calc(100vw - 2.5rem), (max-width: 70rem) 46vw, 25rem'

/** The whole card opens the project; its title is the button that says so. */
export function ProjectCard({ project, inTwo, inThree, onOpen, onIntent }: Props) {
  const { texts, language } = useLanguage()
  const { title, description } = projectTexts(project, language)
  const { width, height } = project.image ?? { width: 3, height: 2 }
  return (
    <li style={placeOf(inTwo, inThree)} className="masonry-card group relative">
      <article>
        <div className="relative overflow-hidden bg-bone-line" style={{ aspectRatio: `${width} / ${height}` }}>
          <Photo
            source={storedPhoto(project.imageUrl, project.image)}
            alt={title}
            sizes={sizes}
            className="size-full object-cover transition-transform duration-300 ease-settle group-hover:scale-[1.025]"
            missing={<MissingPhoto />}
          />
          {project.scale && (
            <span className="lettering absolute top-3 left-3 bg-ink/85 px-2 py-1 text-brass-light">{project.scale}</span>
          )}
        </div>
        <div className="masonry-caption">
          <p className="lettering text-(--quiet)">{texts.gallery.categories[project.category]}</p>
          <h3>
            <button
              type="button"
              onClick={() => onOpen(project.id)}
              onPointerEnter={onIntent}
              onFocus={onIntent}
              className="line-clamp-2 text-left decoration-brass decoration-1 underline-offset-4 after:absolute after:inset-0 group-hover:underline focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-offset-4 focus-visible:after:outline-(--focus)"
            >
              {title}
            </button>
          </h3>
          <p className="masonry-description line-clamp-2 text-(--quiet)">{description}</p>
        </div>
      </article>
    </li>
  )
}

function placeOf(inTwo: Place, inThree: Place) {
  return {
    '--two': `${inTwo.row} / ${inTwo.column} / span ${inTwo.rows} / span 1`,
    '--three': `${inThree.row} / ${inThree.column} / span ${inThree.rows} / span 1`,
  } as CSSProperties
}
