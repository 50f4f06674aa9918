const pngSignature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

/** The chunks a picture is made of, and what its colours and its orientation depend on. */
const pictureChunks = new Set(
  ['IHDR', 'PLTE', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'iCCP', 'cICP', 'eXIf', 'IDAT', 'IEND'].map((type) =>
    Buffer.from(type).readUInt32BE(),
  ),
)

/** A PNG without its texts: 10 MB of them take the decoder half a minute to unpack. Other files are answered as they are. */
export function withoutTexts(file: Buffer) {
  if (!file.subarray(0, 8).equals(pngSignature)) return file
  const kept = Buffer.alloc(file.length)
  let length = file.copy(kept, 0, 0, 8)
  for (let at = 8, end = 0; at + 8 <= file.length; at = end) {
    end = at + 12 + file.readUInt32BE(at)
    if (pictureChunks.has(file.readUInt32BE(at + 4))) length += file.copy(kept, length, at, end)
  }
  return kept.subarray(0, length)
}

const isJpeg = (file: Buffer) => file[0] === 0xff && file[1] === 0xd8
const isWebp = (file: Buffer) => file.toString('latin1', 0, 4) === 'RIFF' && file.toString('latin1', 8, 12) === 'WEBP'

const endOfImage = 0xd9

/** As a decoder reads them: all of a JPEG to its end, those between two scans too. Pixels are passed over. */
function* segmentsOf(jpeg: Buffer) {
  let at = jpeg.indexOf(0xff, 2)
  while (at !== -1 && at + 1 < jpeg.length) {
    const marker = jpeg[at + 1] ?? 0
    // A byte of the pixels, a restart, or padding.
    const isSegment = marker >= 0x02 && (marker < 0xd0 || marker > 0xd8) && marker !== 0xff
    const hasLength = isSegment && marker !== endOfImage && at + 4 <= jpeg.length
    const end = at + 2 + (hasLength ? jpeg.readUInt16BE(at + 2) : 0)
    if (isSegment) yield { marker, bytes: end - at, end }
    if (marker === endOfImage) return
    at = jpeg.indexOf(0xff, marker === 0xff ? at + 1 : end)
  }
}

/** More than a camera writes: the decoder keeps each of them, 800 MB of memory for a file of 10 MB. */
const maxNotes = 1_000

/** Whether a JPEG consists of what surrounds pixels, and hardly of pixels. */
export function hasManyNotes(file: Buffer) {
  let notes = 0
  if (isJpeg(file)) for (const { marker } of segmentsOf(file)) if (marker >= 0xe0 && ++notes > maxNotes) return true
  return false
}

/** What our encoder writes: the size in dots, tables, frames, scans, the end. */
const jfif = { marker: 0xe0, bytes: 18 }
const ownMarkers = new Set([0xc0, 0xc1, 0xc2, 0xc4, 0xda, 0xdb, 0xdd, endOfImage])
const ownChunks = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH'])

/** Whether a file is a JPEG or a WebP as the site stores them, with nothing in or behind it but the picture. */
export function isBare(file: Buffer) {
  if (isJpeg(file)) {
    for (const { marker, bytes, end } of segmentsOf(file)) {
      if (!ownMarkers.has(marker) && !(marker === jfif.marker && bytes === jfif.bytes)) return false
      if (marker === endOfImage && end !== file.length) return false
    }
    return true
  }
  if (!isWebp(file) || file.readUInt32LE(4) + 8 < file.length) return false
  const seen = new Set<string>()
  for (let at = 12; at + 8 <= file.length; ) {
    const chunk = file.toString('latin1', at, at + 4)
    if (!ownChunks.has(chunk) || seen.has(chunk)) return false
    seen.add(chunk)
    const bytes = file.readUInt32LE(at + 4)
    at += 8 + bytes + (bytes % 2)
  }
  return true
}
