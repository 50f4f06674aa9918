import bench from '#content/photos/about-1.jpg?photo'
import hull from '#content/photos/about-2.jpg?photo'
import parts from '#content/photos/about-3.jpg?photo'
import { useLanguage } from '../../language/language.tsx'
import type { OwnPhoto } from '../../page.ts'
import { Photo } from '../../ui/photo.tsx'
import { ownOr } from './hero-photo.tsx'
import { shapeOf } from './plates.rules.ts'
import { Section } from './section.tsx'

/** `index` is the place of the alternative text. */
const plates = [
  { built: bench, name: 'about1', index: 0 },
  { built: parts, name: 'about3', index: 2 },
] as const

const figureNames = ['years', 'models', 'awards', 'articles'] as const

export function About() {
  const { texts, maker, photos: own } = useLanguage()
  const { label, title, paragraphs, figures, specialtiesTitle, specialties, photos } = texts.about
  return (
    <Section
      tone="ink"
      number="06"
      label={label}
      title={title}
      id="about"
      className="lazy [--height:146rem] md:[--height:126rem] xl:[--height:135rem]"
      before={
        <Photo
          source={ownOr(hull, own.about2)}
          style={atPoint(own.about2)}
          alt={photos[1] ?? ''}
          sizes="100vw"
          className="aspect-[3/2] max-h-[72svh] w-full object-cover object-[50%_60%] md:aspect-[21/9] print:hidden"
        />
      }
    >
      <div className="grid grid-cols-1 gap-12 lg:grid-cols-[6fr_5fr] lg:gap-24">
        <div className="min-w-0 space-y-6 text-lg text-(--quiet)">
          {Object.entries(paragraphs).map(([place, paragraph]) => (
            <p key={place} className="max-w-prose">
              {paragraph}
            </p>
          ))}
        </div>
        <div className="min-w-0">
          <h3 className="lettering text-(--accent)">{specialtiesTitle}</h3>
          <ul className="mt-4 border-t border-(--line)">
            {Object.entries(specialties).map(([place, specialty]) => (
              <li key={place} className="border-b border-(--line) py-3.5">
                {specialty}
              </li>
            ))}
          </ul>
        </div>
      </div>
      <dl className="mt-12 grid grid-cols-2 gap-y-10 border-y border-(--line) py-10 md:mt-16 lg:grid-cols-4 lg:py-12">
        {figureNames.map((name) => (
          <div key={name} className="flex min-w-0 flex-col-reverse border-l border-(--accent) pr-2 pl-5">
            <dt className="mt-2 text-[0.9375rem] text-(--quiet)">{figures[name]}</dt>
            <dd className="font-display text-[clamp(2.5rem,2rem+2.4vw,3.75rem)] leading-none tracking-tight">
              {maker.figures[name]}
            </dd>
          </div>
        ))}
      </dl>
      <div className="plates mt-12 md:mt-16 print:hidden">
        {plates.map(({ built, name, index }) => (
          <div key={name} style={shapeOf(ownOr(built, own[name]))} className="plate">
            <Photo
              source={ownOr(built, own[name])}
              style={atPoint(own[name])}
              alt={photos[index] ?? ''}
              sizes="(max-width: 48rem) 100vw, 60vw"
              className="size-full object-cover"
            />
          </div>
        ))}
      </div>
    </Section>
  )
}

/** The focal point that the maker has set. */
const atPoint = (own: OwnPhoto | undefined) =>
  own?.point === undefined ? undefined : { objectPosition: own.point, backgroundPosition: own.point }
