import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'

type StoredFile = { name: string; bytes: number; modifiedAt: Date }

/**
 * Where bytes live. Names are made by us, never by a visitor: lower-case words, digits, dots and dashes in at most a few
 * folders. A file is there whole or not at all.
 */
export type Storage = {
  /** `contentType` is for what visitors are shown, and says that the content under this name will never be another. */
  put(name: string, content: Buffer | Readable, about?: { contentType: string }): Promise<void>
  /** Undefined when there is no such file. */
  read(name: string): Promise<Buffer | undefined>
  stream(name: string): Promise<{ content: Readable; bytes: number } | undefined>
  /** For random access, as archives are read. */
  open(name: string): Promise<OpenFile | undefined>
  has(name: string): Promise<boolean>
  list(folder: string): Promise<StoredFile[]>
  remove(name: string): Promise<void>
  /** Does nothing when there is no such file. */
  move(from: string, to: string): Promise<void>
  newDraft(): Draft
  /** Removes drafts and partial files that were begun before that moment and never finished; or what is partial in one folder. */
  clearUnfinished(before: Date, only?: string): Promise<void>
  /** How much more can be stored, also in a folder on another disk; infinite in a bucket. Fails where nothing can be. */
  freeBytes(folder?: string): Promise<number>
  /** Fails when it does not answer. */
  check(): Promise<void>
  /** How browsers reach the files without the site; only where they can. */
  direct?: DirectAccess
}

export type OpenFile = {
  bytes: number
  /** Where a process of this machine can read it as well. */
  file?: string
  read(start: number, bytes: number): Promise<Buffer>
  close(): Promise<void>
}

/** A file without a name: it is written, looked at, and then kept under a name or dropped. */
export type Draft = {
  write(content: Readable): Promise<void>
  open(): Promise<OpenFile>
  /** Copies it where it cannot be renamed, and reports then that it moves. */
  keepAs(name: string, onProgress?: () => void): Promise<void>
  /** Does nothing to what is kept already. */
  drop(): Promise<void>
}

export type DirectAccess = {
  /** An address that takes exactly so many bytes of that type for a while, without signing in. */
  uploadAddress(name: string, upload: { bytes: number; contentType: string; seconds: number }): Promise<string>
  /** Where those addresses lead. */
  uploadOrigin: string
  /** What stands before the name in the public address of a file; undefined when there is none. */
  publicUrl: string | undefined
}

export class StorageFailed extends Error {
  constructor(cause: unknown) {
    super('The storage failed.', { cause })
    this.name = 'StorageFailed'
  }
}

const safeName = /^[a-z0-9][a-z0-9_.TZ-]*(\/[a-z0-9][a-z0-9_.TZ-]*)*$/

/** The last check: no name may lead out of the storage. */
export function checkedName(name: string) {
  if (!safeName.test(name)) throw new Error(`Not a name for a stored file: ${name}`)
  return name
}

/** The SHA-256 of a stored file, read piece by piece. A missing one counts as empty. */
export async function sumOf(name: string, storage: Storage) {
  const sum = createHash('sha256')
  for await (const chunk of (await storage.stream(name))?.content ?? Readable.from([])) sum.update(chunk)
  return sum.digest('hex')
}

/** A photo at once: each piece is a request to a bucket. */
const piece = 2 * 1024 * 1024

/** A part of a file, or all of it. */
export async function* piecesOf(file: OpenFile, start = 0, end = file.bytes): AsyncGenerator<Buffer> {
  for (let at = start; at < end; at += piece) yield await file.read(at, Math.min(piece, end - at))
}

/** Passes content on, and reports how many bytes have passed. */
export function reportBytes<Chunk extends Uint8Array>(
  content: AsyncIterable<Chunk>,
  report: (bytes: number, chunk: Chunk) => void,
): Readable {
  async function* chunks() {
    let bytes = 0
    for await (const chunk of content) {
      bytes += chunk.length
      report(bytes, chunk)
      yield chunk
    }
  }
  return Readable.from(chunks(), { objectMode: false })
}

/** Passes chunks on, and remembers whether it was the source that failed, and not the target. */
export function watchSource(content: Readable) {
  let fault: unknown
  async function* chunks(): AsyncGenerator<Buffer> {
    const source: AsyncIterator<Buffer> = content[Symbol.asyncIterator]()
    const next = () =>
      source.next().catch((error: unknown) => {
        fault = error
        throw error
      })
    try {
      for (let chunk = await next(); !chunk.done; chunk = await next()) yield chunk.value
    } finally {
      content.destroy()
    }
  }
  return { chunks: chunks(), fault: () => fault }
}

/** Works on so many items at a time. The first failure ends it, once the work that has begun is done. */
export async function forEachConcurrently<Item>(
  items: Iterable<Item>,
  concurrency: number,
  work: (item: Item) => Promise<void>,
) {
  // Shared by all workers. One that fails leaves its loop, which closes the queue for the others.
  const queue = (function* () {
    yield* items
  })()
  const worker = async () => {
    for (const item of queue) await work(item)
  }
  const results = await Promise.allSettled(Array.from({ length: concurrency }, worker))
  const failure = results.find((result) => result.status === 'rejected')
  if (failure) throw failure.reason
}
