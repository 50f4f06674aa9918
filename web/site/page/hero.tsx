import type { CSSProperties } from 'react'
import { useLanguage } from '../../language/language.tsx'
import { HeroPhoto } from './hero-photo.tsx'
import { SectionButton } from './section.tsx'

/** The text is below the photo on an upright screen, and over its dark left part on a wide one. */
export function Hero() {
  const { texts } = useLanguage()
  const words = texts.hero.title.split(' ')
  const last = words.pop()
  const fit = titleFit(texts.hero.title)
  return (
    <section
      id="home"
      tabIndex={-1}
      aria-labelledby="hero-title"
      className="on-ink relative isolate flex min-h-svh flex-col overflow-hidden pt-16 outline-none wide:justify-center print:min-h-0 print:pt-0"
    >
      <div className="relative min-h-44 flex-1 wide:absolute wide:inset-x-0 wide:top-16 wide:bottom-0 wide:-z-10 print:hidden">
        <HeroPhoto />
      </div>
      <div className="page-width w-full wide:py-[min(3rem,3svh)]">
        <div className="pt-[min(1.5rem,2svh)] pb-[min(3rem,4svh)] wide:w-[44vw] wide:max-w-[52rem]">
          <h1
            id="hero-title"
            className="text-[calc(clamp(2.125rem,11.8vw,5rem)*var(--fit,1))] leading-[0.98] tracking-[-0.025em] wide:text-[calc(min(5.7vw,13svh,7rem)*var(--fit,1))]"
            style={fit < 1 ? ({ '--fit': fit } as CSSProperties) : undefined}
          >
            {`${words.join(' ')} `}
            <span className="text-brass-light print:text-ink">{last}</span>
          </h1>
          <p className="mt-[min(1.5rem,2.4svh)] max-w-[29rem] text-[clamp(1rem,0.8rem+0.9vw,1.25rem)] leading-[1.5] text-bone/85 print:text-ink wide:max-w-[min(29rem,37vw)] wide:text-[clamp(0.9375rem,0.6rem+0.9vw,1.25rem)]">
            {texts.hero.subtitle}
          </p>
          <div className="mt-[min(2.25rem,3svh)] flex flex-wrap gap-3 print:hidden">
            <SectionButton to="gallery" tone="brass">
              {texts.hero.toGallery}
            </SectionButton>
            <SectionButton to="about">{texts.hero.toAbout}</SectionButton>
          </div>
        </div>
      </div>
    </section>
  )
}

/** Letters that fit into a line at full size, and at a reduced one, whose letters are wider. */
const [most, mostSmall] = [18, 15]

/** A word that is still too long at this size breaks. */
const smallest = 0.5

/** The factor by which a title is reduced to fit two lines. */
export function titleFit(title: string) {
  const words = title.split(' ')
  const longest = Math.min(
    ...words.map((_, at) => Math.max(widthOf(words.slice(0, at).join(' ')), widthOf(words.slice(at).join(' ')))),
  )
  return longest > most ? Math.max(smallest, mostSmall / longest) : 1
}

/** Capitals, m and w count one and a half. */
const widthOf = (line: string) => line.length + (line.match(/[\p{Lu}mw]/gu)?.length ?? 0) / 2
