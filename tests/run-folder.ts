import { existsSync, statfsSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

/**
 * The temporary folder of a whole run, for this process and those it starts. In memory where there is room: half of a run on a
 * disk would be waiting for fsync, which says nothing here. What a killed process has written stays written either way.
 */
export async function openRunFolder() {
  const memory = '/dev/shm'
  const { bavail, bsize } = existsSync(memory) ? statfsSync(memory) : { bavail: 0, bsize: 0 }
  const folder = await mkdtemp(path.join(bavail * bsize > 4 * 1024 ** 3 ? memory : tmpdir(), 'vitrina-run-'))
  // PostgreSQL, and programs the tests start under other accounts, have folders of their own in it.
  await chmod(folder, 0o755)
  process.env.TMPDIR = folder
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}
