import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { appendFile, rm } from 'node:fs/promises'
import { Problem } from '#server/http/problem.ts'
import { writeNewFile } from '#server/storage/disk.ts'
import type { Storage } from '#server/storage/storage.ts'

const megabyte = 1024 * 1024

/** What stays free for the database and the log. */
export const usualMargin = 32 * megabyte
/** More for nightly backups: the maker must be able to upload photos until the warning is read. */
export const nightMargin = 256 * megabyte

/** Refuses before anything is written when it would not fit. */
export async function ensureRoom(disk: { freeBytes(): Promise<number> }, bytes: number, margin = usualMargin) {
  const free = await disk.freeBytes()
  if (free >= bytes + margin) return
  throw new Problem('disk_full', {
    details: { neededMegabytes: inMegabytes(bytes), freeMegabytes: inMegabytes(Math.max(0, free - margin)) },
  })
}

function inMegabytes(bytes: number) {
  return Math.ceil(bytes / 1_000_000)
}

export type LocalFile = ReturnType<typeof openLocalFile>

/** Read and written within transactions: a slow bucket would keep them open. */
export async function withLocalFile<T>(storage: Storage, work: (file: LocalFile) => Promise<T>): Promise<T> {
  const file = storage.newLocalFile()
  try {
    return await work(openLocalFile(file, storage))
  } finally {
    await rm(file, { force: true })
  }
}

function openLocalFile(file: string, storage: Storage) {
  return {
    reserve: (bytes: number) => ensureRoom(storage, bytes),

    async write(content: AsyncIterable<string>) {
      const sum = createHash('sha256')
      let bytes = 0
      const measured = async function* () {
        for await (const text of content) {
          sum.update(text)
          bytes += Buffer.byteLength(text)
          yield text
        }
      }
      await writeNewFile(file, measured, { mode: 0o600 })
      return { bytes, sha256: sum.digest('hex') }
    },

    appendLines: (values: readonly unknown[]) =>
      appendFile(file, values.map((value) => `${JSON.stringify(value)}\n`).join(''), { mode: 0o600 }),

    /** The appended lines, some at a time. */
    async *readLines(): AsyncGenerator<unknown[]> {
      let rest = ''
      for await (const text of createReadStream(file, { encoding: 'utf8' })) {
        const lines = `${rest}${text}`.split('\n')
        rest = lines.pop() ?? ''
        yield lines.map((line): unknown => JSON.parse(line))
      }
    },

    read: () => createReadStream(file, { highWaterMark: 256 * 1024 }),
  }
}
