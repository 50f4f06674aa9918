/** Whether a file of ours holds a picture and nothing else: no comments, no data of other programs, nothing behind its end. */
export function hasOnlyPicture(kind: 'jpeg' | 'webp', content: Buffer) {
  return kind === 'jpeg' ? isBareJpeg(content) : isBareWebp(content)
}

const startOfScan = 0xda
const comment = 0xfe
/** JFIF and Adobe's note on colours; all other application segments are somebody's notes. */
const harmlessNotes = [0xe0, 0xee]

function isBareJpeg(content: Buffer) {
  if (content.readUInt16BE(content.length - 2) !== 0xffd9) return false
  let at = 2
  while (at + 4 <= content.length) {
    if (content[at] !== 0xff) return false
    const marker = content[at + 1] ?? 0
    const isNote = marker >= 0xe0 && marker <= 0xef
    if (marker === comment || (isNote && !harmlessNotes.includes(marker))) return false
    if (marker === startOfScan) return true
    at += 2 + content.readUInt16BE(at + 2)
  }
  return false
}

const pictureChunks = ['VP8 ', 'VP8L', 'VP8X', 'ALPH']

function isBareWebp(content: Buffer) {
  if (content.length < 20 || content.readUInt32LE(4) + 8 !== content.length) return false
  let at = 12
  while (at + 8 <= content.length) {
    if (!pictureChunks.includes(content.toString('latin1', at, at + 4))) return false
    const bytes = content.readUInt32LE(at + 4)
    at += 8 + bytes + (bytes % 2)
  }
  return at === content.length
}
