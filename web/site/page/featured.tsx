import { useLanguage } from '../../language/language.tsx'
import type { ListedProject } from '../../page.ts'
import { Photo, storedPhoto } from '../../ui/photo.tsx'
import { beginningOf, projectTexts } from '../model/project-texts.ts'
import type { OpenProject, ReachForProject } from '../model/use-open-project.ts'
import { MissingPhoto } from './missing-photo.tsx'
import { ratioOf, rowsOf, shapeOf } from './plates.rules.ts'
import { ProjectLink } from './project-link.tsx'
import { Section, SectionButton } from './section.tsx'

type Props = { projects: ListedProject[]; onOpen: OpenProject; onIntent: ReachForProject }

/** The featured models, in rows of equal height. */
export function Featured({ projects, onOpen, onIntent }: Props) {
  const { texts } = useLanguage()
  const rows = rowsOf(projects, ({ image }) => ratioOf(image))
  return (
    <Section
      tone="ink"
      number="01"
      label={texts.featured.label}
      title={texts.featured.title}
      className="lazy [--height:135rem] md:[--height:100rem] print:hidden"
    >
      {rows.length > 0 ? (
        <div className="grid gap-10 md:gap-14">
          {rows.map((row) => (
            <div
              key={row[0]?.id}
              className="plates mx-auto w-full md:max-w-[calc(82svh*var(--ratios))]"
              style={{ '--ratios': row.reduce((sum, { image }) => sum + ratioOf(image), 0) } as React.CSSProperties}
            >
              {row.map((project) => (
                <Plate key={project.id} project={project} share={1 / row.length} onOpen={onOpen} onIntent={onIntent} />
              ))}
            </div>
          ))}
        </div>
      ) : (
        <div className="border border-dashed border-(--line) px-6 py-16 text-center">
          <p className="mx-auto max-w-[44ch] text-lg text-(--quiet)">{texts.featured.empty}</p>
          <div className="mt-8">
            <SectionButton to="contact">{texts.featured.emptyAction}</SectionButton>
          </div>
        </div>
      )}
    </Section>
  )
}

type PlateProps = { project: ListedProject; share: number; onOpen: OpenProject; onIntent: ReachForProject }

function Plate({ project, share, onOpen, onIntent }: PlateProps) {
  const { texts, language } = useLanguage()
  const { title, description } = projectTexts(project, language)
  return (
    <article style={shapeOf(project.image)} className="plate-column group relative">
      <div className="corner-ticks max-md:-mx-5 max-md:before:hidden max-md:after:hidden">
        <div className="plate overflow-hidden bg-ink-raised">
          <Photo
            source={storedPhoto(project.imageUrl, project.image)}
            alt=""
            sizes={`(max-width: 48rem) 100vw, ${Math.round(share * 130)}vw`}
            className="size-full object-cover transition-transform duration-300 ease-settle group-hover:scale-[1.02]"
            missing={<MissingPhoto />}
          />
        </div>
      </div>
      <p className="lettering mt-5 flex flex-wrap gap-x-3 text-(--quiet) md:mt-6">
        <span>{project.category && texts.gallery.categories[project.category]}</span>
        {project.scale && <span className="wrap-anywhere text-(--accent)">{project.scale}</span>}
      </p>
      <h3 className="mt-2 text-2xl wrap-anywhere md:text-3xl">
        <ProjectLink project={project} label={texts.featured.open(title)} onOpen={onOpen} onIntent={onIntent}>
          {title}
        </ProjectLink>
      </h3>
      <p className="mt-2 line-clamp-3 max-w-prose wrap-anywhere text-(--quiet) max-md:hidden">
        {beginningOf(description, 150)}
      </p>
    </article>
  )
}
