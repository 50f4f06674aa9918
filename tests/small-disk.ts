import { spawnSync } from 'node:child_process'
import { closeSync, openSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from './temporary-folder.ts'

function run(program: string, ...args: string[]) {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} needs root, as in a container: ${stderr}`)
}

/** A disk of its own, in memory, that a test can fill up or make read-only. It is gone when the test is over. */
export async function smallDisk({ megabytes = 64 } = {}) {
  const folder = await temporaryFolder()
  run('mount', '-t', 'tmpfs', '-o', `size=${megabytes}m`, 'vitrina-test', folder)
  onTestFinished(() => run('umount', '-l', folder))
  const filler = path.join(folder, 'filler')
  return {
    folder,
    /** Leaves not a byte. */
    fill() {
      const file = openSync(filler, 'a')
      try {
        for (const bytes of [1024 * 1024, 4096]) fillWith(file, Buffer.alloc(bytes))
      } finally {
        closeSync(file)
      }
    },
    free: () => rmSync(filler),
    /** Fills it but for so many. */
    leave(megabytes: number) {
      this.fill()
      truncateSync(filler, statSync(filler).size - megabytes * 1024 * 1024)
    },
    makeReadOnly: () => run('mount', '-o', 'remount,ro', folder),
  }
}

/** That folder alone, as a disk of its own would be, until the test is over. */
export function mountReadOnly(folder: string) {
  run('mount', '--bind', folder, folder)
  onTestFinished(() => run('umount', '-l', folder))
  run('mount', '-o', 'remount,bind,ro', folder)
}

function fillWith(file: number, chunk: Buffer) {
  try {
    for (;;) writeSync(file, chunk)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
}
