import bench from '#content/photos/about-1.jpg?photo'
import hull from '#content/photos/about-2.jpg?photo'
import parts from '#content/photos/about-3.jpg?photo'
import { useLanguage } from '../../language/language.tsx'
import type { OwnPhoto } from '../../page.ts'
import { cn } from '../../ui/cn.ts'
import { Photo } from '../../ui/photo.tsx'
import { ownOr } from './hero-photo.tsx'
import { shapeOf } from './plates.rules.ts'
import { Section } from './section.tsx'
import { useSectionTexts } from './static-sections.tsx'

/** `index` is the place of the alternative text. */
const plates = [
  { built: bench, name: 'about1', index: 0 },
  { built: parts, name: 'about3', index: 2 },
] as const

const figureNames = ['years', 'models', 'awards', 'articles'] as const

export function About() {
  const { maker, photos: own } = useLanguage()
  const { about } = useSectionTexts()
  const { label, title, paragraphs, figures, specialtiesTitle, specialties, photos } = about
  const portrait = ownOr(undefined, own.portrait, 'tall')
  return (
    <Section
      tone="ink"
      number="06"
      label={label}
      title={title}
      id="about"
      className="lazy [--height:156rem] md:[--height:138rem] xl:[--height:149rem]"
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
      <div
        className={cn('grid grid-cols-1 gap-12 lg:gap-x-24', portrait ? 'md:grid-cols-[5fr_7fr]' : 'lg:grid-cols-[6fr_5fr]')}
      >
        {portrait && (
          <figure className="max-w-md min-w-0 md:sticky md:top-24 md:row-span-2 md:self-start">
            <div className="corner-ticks print:hidden">
              <Photo
                source={portrait}
                style={atPoint(own.portrait)}
                alt={about.portrait || maker.name}
                sizes="(max-width: 48rem) 100vw, 28rem"
                className="aspect-[4/5] w-full object-cover"
              />
            </div>
            <figcaption>
              <Signature />
            </figcaption>
          </figure>
        )}
        <div className="min-w-0 space-y-6">
          {Object.entries(paragraphs).map(([place, paragraph]) => (
            <p
              key={place}
              className="max-w-prose text-lg not-first:text-(--quiet) first:font-display first:text-[clamp(1.375rem,1.2rem+0.9vw,1.75rem)] first:leading-snug"
            >
              {paragraph}
            </p>
          ))}
          {!portrait && <Signature />}
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

function Signature() {
  const { maker } = useLanguage()
  const { signature } = useSectionTexts().about
  return (
    (maker.name || signature) && (
      <div className="mt-9 border-l border-(--accent) pl-5">
        <p className="font-display text-2xl leading-tight">{maker.name}</p>
        <p className="mt-1 text-[0.9375rem] text-(--quiet)">{signature}</p>
      </div>
    )
  )
}

/** The focal point that the maker has set. */
const atPoint = (own: OwnPhoto | undefined) =>
  own?.point === undefined ? undefined : { objectPosition: own.point, backgroundPosition: own.point }
