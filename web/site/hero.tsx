import photo from '#content/photos/hero.jpg?photo'
import tall from '#content/photos/hero-tall.jpg?photo'
import { useLanguage } from '../language/language.tsx'
import { Button } from '../ui/button.tsx'
import { Photo } from '../ui/photo.tsx'
import { scrollToSection } from './scroll-to.ts'

/** A phone is shown another cut of the same photo: what it would crop away it does not load. */
export const heroPhotos = [
  { source: tall, media: '(max-width: 48rem)', sizes: '145vw' },
  { source: photo, media: '(min-width: 48.01rem)', sizes: '100vw' },
] as const

export function Hero() {
  const { texts } = useLanguage()
  const words = texts.hero.title.split(' ')
  const last = words.pop()
  return (
    <section
      id="home"
      tabIndex={-1}
      aria-labelledby="hero-title"
      className="on-ink relative isolate overflow-hidden outline-none"
    >
      <div className="absolute inset-x-0 top-16 bottom-0 -z-10">
        <Photo
          source={photo}
          alt={texts.hero.photo}
          sizes={heroPhotos[1].sizes}
          narrow={heroPhotos[0]}
          first
          className="size-full object-cover object-[30%_50%] md:object-[60%_50%]"
        />
        <div className="absolute inset-0 bg-[linear-gradient(to_top,var(--color-ink)_4%,rgb(20_17_15/0.78)_34%,rgb(20_17_15/0.05)_72%)] lg:bg-[linear-gradient(to_right,rgb(20_17_15/0.82),rgb(20_17_15/0.35)_45%,transparent_70%)]" />
      </div>
      <div className="mx-auto flex min-h-[max(40rem,100svh)] max-w-[82rem] flex-col justify-end px-5 pt-28 pb-14 sm:px-8 lg:justify-center lg:pb-24 lg:px-12">
        <div className="max-w-[38rem]">
          <h1 id="hero-title" className="text-[clamp(3rem,2rem+4.6vw,5.75rem)] leading-[0.98] tracking-[-0.025em]">
            {words.join(' ')} <span className="text-brass-light">{last}</span>
          </h1>
          <p className="mt-6 max-w-[29rem] text-lg text-bone/85 md:text-xl">{texts.hero.subtitle}</p>
          <div className="mt-9 flex flex-wrap gap-3">
            <Button tone="brass" onClick={() => scrollToSection('gallery')}>
              {texts.hero.toGallery}
            </Button>
            <Button onClick={() => scrollToSection('about')}>{texts.hero.toAbout}</Button>
          </div>
        </div>
      </div>
      <ScaleBar label={texts.hero.scale} />
    </section>
  )
}

/** The graphic scale in the corner of every technical drawing. */
function ScaleBar({ label }: { label: string }) {
  return (
    <div aria-hidden="true" className="lettering absolute right-12 bottom-8 hidden items-end gap-4 text-bone/75 lg:flex">
      <span>{label} 1:32</span>
      <span className="grid">
        <span className="flex justify-between text-[0.625rem]">
          <span>0</span>
          <span>1</span>
          <span>2 m</span>
        </span>
        <span className="flex h-1.5 w-40 border border-bone/70">
          <span className="w-1/4 bg-bone/70" />
          <span className="w-1/4" />
          <span className="w-1/4 bg-bone/70" />
        </span>
      </span>
    </div>
  )
}
