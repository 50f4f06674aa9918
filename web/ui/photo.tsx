import { type CSSProperties, type ReactNode, useState } from 'react'
import { shownWidths, storedHash, variantAddress } from '#contract/first-visit.ts'
import type { ImageFacts } from '#contract/images.ts'
import { cn } from './cn.ts'

/** A photo in several widths and formats, from the store or from the build. */
export type PhotoSource = ImageFacts & { src: string; avif: string; webp: string; jpeg: string }

type Props = {
  source: PhotoSource
  alt: string
  sizes: string
  narrow?: { source: PhotoSource; media: string; sizes: string }
  /** Above the fold: loaded eagerly with high priority. */
  first?: boolean
  className?: string
  style?: CSSProperties | undefined
  missing?: ReactNode
}

/** Reserves its space and shows a blurred placeholder until it has loaded. */
export function Photo({ source, alt, sizes, narrow, first = false, className, style, missing }: Props) {
  const [failed, setFailed] = useState(false)
  if ((failed || !source.src) && missing) return missing
  return (
    <picture data-slot="photo" className="contents [&>source]:hidden">
      {narrow && (
        <>
          <source media={narrow.media} type="image/avif" srcSet={narrow.source.avif} sizes={narrow.sizes} />
          <source media={narrow.media} type="image/webp" srcSet={narrow.source.webp} sizes={narrow.sizes} />
          <source media={narrow.media} srcSet={narrow.source.jpeg} sizes={narrow.sizes} />
        </>
      )}
      {source.avif && <source type="image/avif" srcSet={source.avif} sizes={sizes} />}
      {source.webp && <source type="image/webp" srcSet={source.webp} sizes={sizes} />}
      <img
        src={source.src}
        {...(source.jpeg && { srcSet: source.jpeg, sizes })}
        alt={alt}
        width={source.width}
        height={source.height}
        loading={first ? 'eager' : 'lazy'}
        decoding={first ? 'sync' : 'async'}
        {...(first && { fetchPriority: 'high' })}
        ref={(image) => {
          // It may have failed before hydration.
          if (image?.complete && image.currentSrc && image.naturalWidth === 0) setFailed(true)
        }}
        onError={() => setFailed(true)}
        className={cn('bg-cover bg-center', className)}
        style={{ ...(source.placeholder && { backgroundImage: `url(${source.placeholder})` }), ...style }}
      />
    </picture>
  )
}

/** The copies of a stored photo; an external one has none, and a common shape is assumed. */
export function storedPhoto(address: string, facts: ImageFacts | null): PhotoSource {
  const { width, height, placeholder } = facts ?? { width: 1600, height: 1067, placeholder: '' }
  if (storedHash(address) === undefined) return { src: address, width, height, placeholder, avif: '', webp: '', jpeg: '' }
  const src = variantAddress(address, 960, 'jpeg')
  const setOf = (format: 'avif' | 'webp' | 'jpeg') =>
    shownWidths.map((each) => `${variantAddress(address, each, format)} ${each}w`).join(', ')
  return { src, width, height, placeholder, avif: setOf('avif'), webp: setOf('webp'), jpeg: setOf('jpeg') }
}
