import { createReadStream, createWriteStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Storage } from '#server/storage/storage.ts'

export type LocalFile = {
  bytes(): Promise<number>
  write(content: AsyncIterable<string | Uint8Array>): Promise<void>
  /** From its beginning, each time. */
  read(): Readable
}

/** Between a transaction and a storage that may be a bucket: neither ever waits for the other. */
export async function withLocalFile<T>(storage: Storage, work: (file: LocalFile) => Promise<T>): Promise<T> {
  const place = storage.newLocalFile()
  try {
    return await work({
      bytes: async () => (await stat(place)).size,
      write: (content) => pipeline(content, createWriteStream(place, { flags: 'wx', mode: 0o600 })),
      read: () => createReadStream(place, { highWaterMark: 256 * 1024 }),
    })
  } finally {
    await rm(place, { force: true })
  }
}
