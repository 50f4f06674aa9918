import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'

/** Files that are still being written. */
export type Unfinished = {
  folder: string
  /** A name of this process's own; the file is the caller's to move away or to remove. */
  newFile(): string
  /** Removes what was last written to before that moment. */
  clear(before: Date): Promise<void>
}

/** Not the number alone: it is reused by other processes. */
const ownMark = `${process.pid}-${randomUUID().slice(0, 8)}`

/**
 * Each file is named for the process that writes it, so that a starting site removes what a killed process left and nothing
 * that a command at the console is writing.
 */
export async function openUnfinished(folder: string, { readOnly = false } = {}): Promise<Unfinished> {
  if (!readOnly) await clearLeftovers(folder)
  return {
    folder,
    newFile: () => path.join(folder, `${ownMark}-${randomUUID()}`),
    async clear(before) {
      for (const name of await readdir(folder)) {
        const file = path.join(folder, name)
        // It may be moved away at this moment.
        const facts = await stat(file).catch(() => undefined)
        if (facts && facts.mtime < before) await rm(file, { recursive: true, force: true })
      }
    },
  }
}

async function clearLeftovers(folder: string) {
  await mkdir(folder, { recursive: true })
  const leftovers = (await readdir(folder)).filter((name) => !name.startsWith(ownMark) && !isBeingWritten(name))
  for (const name of leftovers) await rm(path.join(folder, name), { recursive: true, force: true })
}

function isBeingWritten(name: string) {
  const pid = Number(/^\d+(?=-)/.exec(name)?.[0] ?? process.pid)
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
