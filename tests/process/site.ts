import { cp, readFile } from 'node:fs/promises'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { openDatabase } from '#server/database/open.ts'
import { openFolder } from '#server/storage/folder.ts'
import type { fill } from '../backups.ts'
import { type BuiltSite, type Expected, startBuiltSite } from '../built-site.ts'
import type { Place } from '../test-database.ts'

export const owner = { ADMIN_USERNAME: 'Álvaro', ADMIN_PASSWORD: 'brass and pear' }
export const ownerAccount = { username: owner.ADMIN_USERNAME, password: owner.ADMIN_PASSWORD }

/** The built site as a process of its own, gone when the test is over. With an owner it starts without demo content. */
export async function startSite(settings: Record<string, string>, expected?: Expected): Promise<BuiltSite> {
  const site = await startBuiltSite({ ...owner, ...settings }, expected)
  onTestFinished(async () => {
    await site.kill()
  })
  return site
}

export const settingsOf = ({ dataDir, url }: Place) => ({ ...owner, DATA_DIR: dataDir, ...(url && { DATABASE_URL: url }) })

/** Works on a site from outside, whether it runs or not; makes the tables where there are none. */
export async function within<T>(place: Place, work: (site: Parameters<typeof fill>[0]) => Promise<T>) {
  const { db, close } = await openDatabase(place)
  try {
    return await work({ db, storage: await openFolder(path.join(place.dataDir, 'files')) })
  } finally {
    await close()
  }
}

/**
 * The data folder of a site that is not running, for another one. What this process had open of the database goes when its
 * statements are collected, maybe while it is copied, and the main file has everything.
 */
export function copySite(from: string, to: string) {
  return cp(from, to, { recursive: true, filter: (file) => !/-(shm|wal)$/.test(file) })
}

/** The backup worker of a site; undefined while there is none. */
export async function findWorker({ pid }: { pid: number }) {
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')).split(' ').filter(Boolean)
  for (const child of children) {
    const command = await readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '')
    if (command.includes('worker')) return Number(child)
  }
  return undefined
}
