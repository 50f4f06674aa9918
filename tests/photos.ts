import sharp from 'sharp'

type Format = 'jpeg' | 'png' | 'webp' | 'avif' | 'gif'
type Details = { width?: number; height?: number; format?: Format; colour?: string; alpha?: boolean }

/** A small photo of one colour; another colour is another photo. */
export function aPhoto({ width = 64, height = 48, format = 'jpeg', colour = '#b8893b', alpha = false }: Details = {}) {
  const background = alpha ? { r: 184, g: 137, b: 59, alpha: 0.5 } : colour
  return sharp({ create: { width, height, channels: alpha ? 4 : 3, background } })
    .toFormat(format)
    .toBuffer()
}
