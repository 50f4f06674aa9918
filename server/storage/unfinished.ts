import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { shareFileLock, tryFileLock } from '../database/file-lock.ts'

/** Files that are still being written. */
export type Unfinished = {
  /** The file is the caller's to move away or to remove. */
  newFile(): string
  /** Removes what was last written to before that moment. */
  clear(before: Date): Promise<void>
  /** For what is opened for a while; otherwise the process holds the folder until it ends. */
  release(): void
}

export async function openUnfinished(folder: string, { readOnly = false } = {}): Promise<Unfinished> {
  const lock = readOnly ? undefined : await shareFolder(folder)
  return {
    newFile: () => path.join(folder, randomUUID()),
    async clear(before) {
      for (const name of await readdir(folder)) {
        const file = path.join(folder, name)
        // It may be moved away at this moment.
        const facts = await stat(file).catch(() => undefined)
        if (facts && facts.mtime < before) await rm(file, { recursive: true, force: true })
      }
    },
    release: () => lock?.release(),
  }
}

/** For a file or a folder that the work alone needs. */
export async function withUnfinished<T>(folder: string, work: (file: string) => Promise<T>): Promise<T> {
  const { newFile, release } = await openUnfinished(folder)
  const file = newFile()
  try {
    return await work(file)
  } finally {
    await rm(file, { recursive: true, force: true })
    release()
  }
}

/**
 * Every process that writes into the folder shares its lock. One that is alone removes what killed processes have left. Their
 * ids would not tell: those of another container mean nothing in this one.
 */
async function shareFolder(folder: string) {
  await mkdir(folder, { recursive: true })
  const file = `${folder}.lock`
  const alone = tryFileLock(file)
  const leftovers = alone ? await readdir(folder) : []
  alone?.release()
  const lock = shareFileLock(file)
  for (const name of leftovers) await rm(path.join(folder, name), { recursive: true, force: true })
  return lock
}
