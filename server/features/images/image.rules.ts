import { variantFormats, variantWidths } from '#contract/images.ts'

export type VariantFormat = (typeof variantFormats)[number]
export type Variant = { width: number; format: VariantFormat }

/** Every copy that is ever made of a photo; the narrow ones first, because phones ask for them first. */
export const allVariants: readonly Variant[] = variantWidths.flatMap((width) =>
  variantFormats.map((format) => ({ width, format })),
)

const kinds = [
  { kind: 'jpeg', matches: (head: Buffer) => head.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])) },
  { kind: 'png', matches: (head: Buffer) => head.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')) },
  { kind: 'gif', matches: (head: Buffer) => /^GIF8[79]a/.test(head.toString('latin1', 0, 6)) },
  {
    kind: 'webp',
    matches: (head: Buffer) => head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP',
  },
  { kind: 'avif', matches: (head: Buffer) => /^ftypavi[fs]/.test(head.toString('latin1', 4, 12)) },
  { kind: 'heic', matches: (head: Buffer) => /^ftyp(hei[cxms]|hev[cx]|mif1|msf1)/.test(head.toString('latin1', 4, 12)) },
] as const
export type ImageKind = (typeof kinds)[number]['kind']

/** What the first bytes say the file is; its name and its declared type are not asked. */
export function kindOf(head: Buffer): ImageKind | undefined {
  return kinds.find(({ matches }) => matches(head))?.kind
}

export function objectName(hash: string) {
  return `objects/${hash}`
}

export function variantName(hash: string, { width, format }: Variant) {
  return `variants/${hash}-${width}.${format}`
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
