import type { CSSProperties } from 'react'
import photo from '#content/photos/hero.jpg?photo'
import tall from '#content/photos/hero-tall.jpg?photo'
import { heroWidths, variantAddress, variantFormats } from '#contract/first-visit.ts'
import { useLanguage } from '../../language/language.tsx'
import type { OwnPhoto, OwnSite } from '../../page.ts'
import { Photo, type PhotoSource } from '../../ui/photo.tsx'

/**
 * Upright screens load a photo of their own. If the maker has replaced only the wide one, both show that.
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

/** Keeps the text on the left readable on any photo of the maker. */
const darker = 'linear-gradient(to right,rgb(20 17 15/.86),rgb(20 17 15/.7) 46%,transparent 72%)'

export function HeroPhoto() {
  const { texts, maker, photos } = useLanguage()
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
      {maker.heroScale && <Scale label={texts.hero.scale} scale={maker.heroScale} />}
    </>
  )
}

const pointOf = (own: OwnSite['photos']['hero']) => own?.point ?? (own?.address && '50% 50%')

/** The photo is as large as the screen: nothing on it has a length, so that only the scale is told. */
function Scale({ label, scale }: { label: string; scale: string }) {
  return (
    <p
      aria-hidden="true"
      className="lettering absolute right-9 bottom-6 hidden border-b border-brass-light bg-ink/55 px-3 py-2 text-bone/85 lg:wide:block [@media(max-height:36rem)]:hidden"
    >
      {`${label} ${scale}`}
    </p>
  )
}

/** The maker's photo with the same copies as a built-in one, or the built-in one. */
export function ownOr<Built extends PhotoSource | undefined>(
  built: Built,
  own: OwnPhoto | undefined,
  shape: keyof typeof heroWidths = 'wide',
): Built | PhotoSource {
  const { address, facts } = own ?? {}
  if (!address || !facts) return built
  // Copies are never wider than the photo.
  const widths = heroWidths[shape].filter((_, index, all) => (all[index - 1] ?? 0) < facts.width)
  const [avif = '', webp = '', jpeg = ''] = variantFormats.map((format) =>
    widths.map((width) => `${variantAddress(address, width, format)} ${Math.min(width, facts.width)}w`).join(', '),
  )
  return { ...facts, src: variantAddress(address, 960, 'jpeg'), avif, webp, jpeg }
}
