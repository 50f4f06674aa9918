import { crc32, deflateRawSync } from 'node:zlib'

/** An entry as an attacker would write it: everything it says of itself may be a lie. */
export type RawEntry = {
  name: string
  content: Buffer
  /** What the list at the end calls it, when that differs from what stands before the bytes. */
  listedAs?: string
  deflate?: boolean
  flags?: number
  method?: number
  claimedBytes?: number
  claimedStoredBytes?: number
  /** Points the list at the bytes of another entry. */
  offset?: number
}

/** A ZIP file, byte by byte, by no library and with no scruples. */
export function rawZip(entries: readonly RawEntry[]) {
  const parts: Buffer[] = []
  const listed: Buffer[] = []
  let at = 0
  for (const entry of entries) {
    const stored = entry.deflate ? deflateRawSync(entry.content) : entry.content
    const local = Buffer.concat([localHeader(entry, stored), Buffer.from(entry.name), stored])
    listed.push(centralHeader(entry, stored, entry.offset ?? at))
    parts.push(local)
    at += local.length
  }
  const central = Buffer.concat(listed)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...parts, central, end])
}

function localHeader(entry: RawEntry, stored: Buffer) {
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(20, 4)
  writeCommon(header, 6, entry, stored)
  header.writeUInt16LE(Buffer.byteLength(entry.name), 26)
  return header
}

function centralHeader(entry: RawEntry, stored: Buffer, offset: number) {
  const name = Buffer.from(entry.listedAs ?? entry.name)
  const header = Buffer.alloc(46)
  header.writeUInt32LE(0x02014b50, 0)
  header.writeUInt16LE(0x0314, 4)
  header.writeUInt16LE(20, 6)
  writeCommon(header, 8, entry, stored)
  header.writeUInt16LE(name.length, 28)
  header.writeUInt32LE((0o100644 << 16) >>> 0, 38)
  header.writeUInt32LE(offset, 42)
  return Buffer.concat([header, name])
}

/** Flags, method, time, sum and sizes stand in the same order in both headers. */
function writeCommon(header: Buffer, start: number, entry: RawEntry, stored: Buffer) {
  header.writeUInt16LE(entry.flags ?? 0x800, start)
  header.writeUInt16LE(entry.method ?? (entry.deflate ? 8 : 0), start + 2)
  header.writeUInt32LE(crc32(entry.content), start + 8)
  header.writeUInt32LE(entry.claimedStoredBytes ?? stored.length, start + 12)
  header.writeUInt32LE(entry.claimedBytes ?? entry.content.length, start + 16)
}
