import { maker } from '#content/maker.ts'
import bench from '#content/photos/about-1.jpg?photo'
import hull from '#content/photos/about-2.jpg?photo'
import parts from '#content/photos/about-3.jpg?photo'
import { useLanguage } from '../language/language.tsx'
import { Photo } from '../ui/photo.tsx'
import { Section } from './section.tsx'

const figureNames = ['years', 'models', 'awards', 'articles'] as const

export function About() {
  const { texts } = useLanguage()
  const { label, title, paragraphs, figures, specialtiesTitle, specialties, photos } = texts.about
  return (
    <Section tone="ink" number="06" label={label} title={title} id="about">
      <div className="grid gap-12 lg:grid-cols-12">
        <div className="space-y-6 text-lg text-(--quiet) lg:col-span-6">
          {paragraphs.map((paragraph) => (
            <p key={paragraph} className="max-w-prose">
              {paragraph}
            </p>
          ))}
        </div>
        <div className="lg:col-span-5 lg:col-start-8">
          <h3 className="lettering text-(--accent)">{specialtiesTitle}</h3>
          <ul className="mt-4 border-t border-(--line)">
            {specialties.map((specialty) => (
              <li key={specialty} className="border-b border-(--line) py-3.5">
                {specialty}
              </li>
            ))}
          </ul>
        </div>
      </div>
      <dl className="mt-16 grid grid-cols-2 gap-y-10 border-y border-(--line) py-10 lg:grid-cols-4 lg:py-12">
        {figureNames.map((name) => (
          <div key={name} className="flex flex-col-reverse border-l border-(--accent) pl-5">
            <dt className="mt-2 text-[0.9375rem] text-(--quiet)">{figures[name]}</dt>
            <dd className="font-display text-5xl tracking-tight lg:text-6xl">{maker.figures[name]}</dd>
          </div>
        ))}
      </dl>
      <div className="mt-16 grid gap-4 sm:grid-cols-2 lg:grid-cols-[1.2fr_1.2fr_1fr] lg:gap-6">
        <Photo
          source={bench}
          alt={photos[0] ?? ''}
          sizes="(max-width: 40rem) 100vw, 33vw"
          className="aspect-[3/2] size-full object-cover lg:aspect-auto lg:h-80"
        />
        <Photo
          source={hull}
          alt={photos[1] ?? ''}
          sizes="(max-width: 40rem) 100vw, 33vw"
          className="aspect-[3/2] size-full object-cover lg:aspect-auto lg:h-80"
        />
        <Photo
          source={parts}
          alt={photos[2] ?? ''}
          sizes="(max-width: 64rem) 100vw, 30vw"
          className="aspect-[3/2] size-full object-cover sm:col-span-2 sm:aspect-[3/1] lg:col-span-1 lg:aspect-auto lg:h-80"
        />
      </div>
    </Section>
  )
}
