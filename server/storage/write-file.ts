import { createWriteStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

type Content = Readable | (() => AsyncIterable<string>)

/** Ends when the file is closed, also after a failure: one that is opened later than it is removed would stay. */
export async function writeFile(place: string, content: Content, options: { flush?: boolean; mode?: number } = {}) {
  const file = createWriteStream(place, { flags: 'wx', ...options })
  const closed = new Promise<void>((resolve) => file.once('close', resolve))
  await pipeline(content, file).finally(() => closed)
}
