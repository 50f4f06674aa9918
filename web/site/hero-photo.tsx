import photo from '#content/photos/hero.jpg?photo'
import tall from '#content/photos/hero-tall.jpg?photo'
import { useLanguage } from '../language/language.tsx'
import { Photo } from '../ui/photo.tsx'

/** Upright screens are shown another photo, made for them: what they would crop away they do not load. */
export const heroPhotos = [
  { source: tall, media: '(max-aspect-ratio: 1249/1000), (max-width: 33.99rem)', sizes: '100vw' },
  { source: photo, media: '(min-aspect-ratio: 5/4) and (min-width: 34rem)', sizes: 'max(100vw, 178vh)' },
] as const

export function HeroPhoto() {
  const { texts } = useLanguage()
  return (
    <Photo
      source={photo}
      alt={texts.hero.photo}
      sizes={heroPhotos[1].sizes}
      narrow={heroPhotos[0]}
      first
      className="absolute inset-0 size-full object-cover object-top wide:object-[0%_50%]"
    />
  )
}
