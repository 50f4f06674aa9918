import type { CSSProperties } from 'react'
import photo from '#content/photos/hero.jpg?photo'
import tall from '#content/photos/hero-tall.jpg?photo'
import { useLanguage } from '../language/language.tsx'
import type { OwnSite } from '../page.ts'
import { Photo } from '../ui/photo.tsx'
import { ownOr } from './own-photo.ts'

/**
 * Upright screens are shown another photo, made for them: what they would crop away they do not load. Where the maker has one
 * for wide screens only, both show that one.
 */
export function heroPhotos({ hero, heroTall }: OwnSite['photos'] = {}) {
  const upright = hero?.address && !heroTall?.address ? ownOr(photo, hero) : ownOr(tall, heroTall, 'tall')
  return {
    narrow: { source: upright, media: '(max-aspect-ratio: 1249/1000), (max-width: 33.99rem)', sizes: '100vw' },
    wide: {
      source: ownOr(photo, hero),
      media: '(min-aspect-ratio: 5/4) and (min-width: 34rem)',
      sizes: 'max(100vw, 178vh)',
    },
  }
}

/** Words stand on the left of it, and of the maker's own nobody knows how light that is. */
const darker = 'linear-gradient(to right,rgb(20 17 15/.86),rgb(20 17 15/.66) 46%,transparent 72%)'

export function HeroPhoto() {
  const { texts, photos } = useLanguage()
  const { hero, heroTall } = photos
  const { narrow, wide } = heroPhotos(photos)
  const points = { '--wide': pointOf(hero), '--tall': pointOf(hero?.address && !heroTall?.address ? hero : heroTall) }
  return (
    <>
      <Photo
        source={wide.source}
        alt={texts.hero.photo}
        sizes={wide.sizes}
        narrow={narrow}
        first
        className="absolute inset-0 size-full object-cover object-[var(--tall,top)] wide:object-[var(--wide,0%_50%)]"
        style={points as CSSProperties}
      />
      <div
        className="absolute inset-0 bg-[linear-gradient(to_top,var(--color-ink),transparent_30%)] wide:bg-[image:var(--shade,linear-gradient(to_right,rgb(20_17_15/0.7),transparent_50%))]"
        style={hero?.address ? ({ '--shade': darker } as CSSProperties) : undefined}
      />
    </>
  )
}

const pointOf = (own: OwnSite['photos']['hero']) => own?.point ?? (own?.address && '50% 50%')
