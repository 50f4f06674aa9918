import { variantFormats, variantWidths } from '#contract/image-addresses.ts'

export type VariantFormat = (typeof variantFormats)[number]
export type Variant = { width: number; format: VariantFormat }

/** Every copy that is ever made of a photo; the narrow ones first, because phones ask for them first. */
export const allVariants: readonly Variant[] = variantWidths.flatMap((width) =>
  variantFormats.map((format) => ({ width, format })),
)

/** WebP has no room for a longer side, and AVIF for hardly one. */
export const longestSide = 16_383

const beginnings = [
  { kind: 'jpeg', matches: (head: Buffer) => head.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])) },
  { kind: 'png', matches: (head: Buffer) => head.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')) },
  { kind: 'gif', matches: (head: Buffer) => /^GIF8[79]a/.test(head.toString('latin1', 0, 6)) },
  {
    kind: 'webp',
    matches: (head: Buffer) => head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP',
  },
  // The first brand may be one that AVIF and HEIC share; the ones after it then tell which it is.
  { kind: 'avif', matches: (head: Buffer) => brandsOf(head).some((brand) => /^avi[fs]$/.test(brand)) },
  { kind: 'heic', matches: (head: Buffer) => brandsOf(head).some((brand) => /^(hei[cxms]|hev[cxms]|mif1|msf1)$/.test(brand)) },
] as const
type ImageKind = (typeof beginnings)[number]['kind']

/** What the first bytes say the file is; its name and its declared type are not asked. */
export function kindOf(file: Buffer): ImageKind | undefined {
  return beginnings.find(({ matches }) => matches(file))?.kind
}

function brandsOf(file: Buffer): string[] {
  if (file.length < 16 || file.toString('latin1', 4, 8) !== 'ftyp') return []
  const box = file.subarray(0, Math.min(file.readUInt32BE(0), 256)).toString('latin1')
  return [box.slice(8, 12), ...(box.slice(16).match(/.{4}/gs) ?? [])]
}

export function objectName(hash: string) {
  return `objects/${hash}`
}

export function variantName(hash: string, { width, format }: Variant) {
  return `variants/${hash}-${width}.${format}`
}

/** The photo that a file of the two folders above belongs to. */
export function hashIn(name: string) {
  return /[0-9a-f]{64}/.exec(name)?.[0] ?? ''
}

/** What a file of these folders is served as, when the photos' own types are known; undefined for files of other folders. */
export function contentTypeOf(name: string, originals: ReadonlyMap<string, string>) {
  const format = /^variants\/.+\.(\w+)$/.exec(name)?.[1]
  return format ? `image/${format}` : name.startsWith('objects/') ? originals.get(hashIn(name)) : undefined
}

/** Until a copy is ready, the best stand-in: a wider one before a narrower one, the same format before another. */
export function standIns(wanted: Variant): Variant[] {
  const distance = (variant: Variant) =>
    Math.abs(variant.width - wanted.width) +
    (variant.width < wanted.width ? 10_000 : 0) +
    (variant.format === wanted.format ? 0 : 1)
  return allVariants
    .filter((variant) => variant.format !== 'avif' || wanted.format === 'avif')
    .toSorted((a, b) => distance(a) - distance(b))
}

/** Where an upload waits to be judged. */
export function uploadName(id: string) {
  return `uploads/${id}`
}

/** The upload in an address that leads straight to where it waits. */
export function uploadIn(address: string) {
  const path = URL.canParse(address) ? new URL(address).pathname : ''
  return /\/uploads\/([0-9a-f]{64})$/.exec(path)?.[1]
}
