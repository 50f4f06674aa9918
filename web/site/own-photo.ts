import { heroWidths, variantAddress, variantFormats } from '#contract/first-visit.ts'
import type { OwnPhoto } from '../page.ts'
import type { PhotoSource } from '../ui/photo.tsx'

/** The maker's own photo in all copies that the build makes of such a one, or that one. */
export function ownOr(built: PhotoSource, own: OwnPhoto | undefined, shape: keyof typeof heroWidths = 'wide'): PhotoSource {
  const { address, facts } = own ?? {}
  if (!address || !facts) return built
  // Of a photo that is less wide than a copy of it would be, the copy is as wide as the photo.
  const widths = heroWidths[shape].filter((_, index, all) => (all[index - 1] ?? 0) < facts.width)
  const [avif = '', webp = '', jpeg = ''] = variantFormats.map((format) =>
    widths.map((width) => `${variantAddress(address, width, format)} ${Math.min(width, facts.width)}w`).join(', '),
  )
  return { ...facts, src: variantAddress(address, 960, 'jpeg'), avif, webp, jpeg }
}
