import type { Readable } from 'node:stream'

type StoredFile = { name: string; bytes: number; modifiedAt: Date }

/**
 * Where bytes live. Names are made by us, never by a visitor: lower-case words, digits, dots and dashes in at most a few
 * folders. A file is there whole or not at all.
 */
export type Storage = {
  put(name: string, content: Buffer | Readable): Promise<void>
  /** Takes over a finished file of this machine; it is gone from where it was. */
  putFile(name: string, file: string): Promise<void>
  /** Undefined when there is no such file. */
  read(name: string): Promise<Buffer | undefined>
  stream(name: string): Promise<{ content: Readable; bytes: number } | undefined>
  has(name: string): Promise<boolean>
  list(folder: string): Promise<StoredFile[]>
  remove(name: string): Promise<void>
  /** How much more can be stored; infinite where nobody counts. */
  freeBytes(): Promise<number>
  /** Fails when nothing can be stored. */
  check(): Promise<void>
}
