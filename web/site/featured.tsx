import type { Project } from '#contract/projects.ts'
import { useLanguage } from '../language/language.tsx'
import { Button } from '../ui/button.tsx'
import { cn } from '../ui/cn.ts'
import { Photo, storedPhoto } from '../ui/photo.tsx'
import { MissingPhoto } from './missing-photo.tsx'
import { projectTexts } from './project-texts.ts'
import { toForm } from './scroll-to.ts'
import { Section } from './section.tsx'

type OpenProject = (id: string) => void

type Props = { projects: Project[]; onOpen: OpenProject; onIntent: () => void }

export function Featured({ projects, onOpen, onIntent }: Props) {
  const { texts } = useLanguage()
  const [first, ...others] = projects
  // A tall one alone hangs in the middle, two hang side by side as equals. Of more, the others share the height of the first.
  const alone = others.length === 0
  const pair = others.length === 1
  const half = pair || isTall(first)
  const plate = { onOpen, onIntent }
  return (
    <Section tone="ink" number="02" label={texts.featured.label} title={texts.featured.title}>
      {first ? (
        <div className={cn('grid gap-10 lg:gap-12', !alone && (half ? 'lg:grid-cols-2' : 'lg:grid-cols-[2fr_1fr]'))}>
          <Plate project={first} {...plate} large className={alone && half && 'lg:mx-auto lg:w-1/2'} />
          {!alone && (
            <div className="grid gap-8 sm:auto-cols-fr sm:grid-flow-col lg:auto-rows-fr lg:grid-flow-row">
              {others.map((project) => (
                <Plate key={project.id} project={project} {...plate} large={pair} beside={others.length === 3} />
              ))}
            </div>
          )}
        </div>
      ) : (
        <div className="border border-dashed border-(--line) px-6 py-16 text-center">
          <p className="mx-auto max-w-[44ch] text-lg text-(--quiet)">{texts.featured.empty}</p>
          <Button className="mt-8" onClick={toForm}>
            {texts.featured.emptyAction}
          </Button>
        </div>
      )}
    </Section>
  )
}

function isTall(project: Project | undefined) {
  return project?.image ? project.image.height > project.image.width : false
}

type PlateProps = {
  project: Project
  onOpen: OpenProject
  onIntent: () => void
  large?: boolean
  /** The words beside the photo, not below it. */
  beside?: boolean
  className?: string | false
}

function Plate({ project, onOpen, onIntent, large = false, beside = false, className }: PlateProps) {
  const { texts, language } = useLanguage()
  const { title, description } = projectTexts(project, language)
  return (
    <article
      className={cn(
        'group relative',
        large ? 'corner-ticks self-start' : 'lg:grid lg:gap-x-6',
        !large && (beside ? 'lg:grid-cols-[1.5fr_1fr]' : 'lg:grid-rows-[1fr_auto]'),
        className,
      )}
    >
      <div
        className={cn(
          'relative overflow-hidden bg-ink-raised',
          !large
            ? 'aspect-[4/3] lg:aspect-auto'
            : isTall(project)
              ? 'aspect-[4/5] md:max-lg:aspect-[4/3]'
              : 'aspect-[4/3] md:aspect-[3/2]',
        )}
      >
        <Photo
          source={storedPhoto(project.imageUrl, project.image)}
          alt=""
          sizes={large ? '(max-width: 64rem) 100vw, 54rem' : '(max-width: 40rem) 100vw, (max-width: 64rem) 33vw, 29rem'}
          className="absolute inset-0 size-full object-cover transition-transform duration-300 ease-settle group-hover:scale-[1.02]"
          missing={<MissingPhoto />}
        />
      </div>
      <div
        className={cn(
          large ? 'mt-6 grid gap-x-10 gap-y-2 pb-2 md:grid-cols-[1fr_1.2fr]' : 'mt-4',
          beside && 'lg:mt-0 lg:self-center',
        )}
      >
        <div>
          <p className="lettering flex flex-wrap gap-x-3 text-(--quiet)">
            <span>{texts.gallery.categories[project.category]}</span>
            {project.scale && <span className="text-(--accent)">{project.scale}</span>}
          </p>
          <h3 className={cn('mt-2', large ? 'text-3xl md:text-4xl' : 'text-xl')}>
            <button
              type="button"
              onClick={() => onOpen(project.id)}
              onPointerEnter={onIntent}
              onFocus={onIntent}
              aria-label={texts.featured.open(title)}
              className="text-left after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-offset-4 focus-visible:after:outline-(--focus)"
            >
              {title}
            </button>
          </h3>
        </div>
        {large && <p className="max-w-prose self-end text-(--quiet)">{description}</p>}
      </div>
    </article>
  )
}
