import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Storage } from './storage.ts'

/** The SHA-256 of a stored file, read piece by piece, as large as it may be. One that is missing counts as empty. */
export async function sumOf(name: string, storage: Storage) {
  const sum = createHash('sha256')
  for await (const chunk of (await storage.stream(name))?.content ?? Readable.from([])) sum.update(chunk)
  return sum.digest('hex')
}

/** The MD5 of stored files as the storage tells it, by the last part of their names. */
export function sumsIn(files: Awaited<ReturnType<Storage['list']>>) {
  return new Map(files.flatMap(({ name, md5 }) => (md5 ? [[name.slice(name.lastIndexOf('/') + 1), md5]] : [])))
}
