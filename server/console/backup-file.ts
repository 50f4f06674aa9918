import { existsSync, rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { backupType } from '#contract/backups.ts'
import type { Config } from '../config.ts'
import { isBackupName, storedBackup } from '../features/backups/backup-names.ts'
import { openFrom, openPlace } from '../features/backups/elsewhere/place.ts'
import { unsealedName, withUnsealed } from '../features/backups/elsewhere/unsealed.ts'
import { openFolder } from '../storage/folder.ts'
import { openFile } from '../storage/open-file.ts'
import { openStorage } from '../storage/open-storage.ts'
import type { OpenFile, Storage } from '../storage/storage.ts'
import { WrongUse } from './wrong-use.ts'

/** `name` is the one of what is in it, where it was encrypted. */
type Use<T> = (found: { file: OpenFile; name: string }) => Promise<T>

/** A file of this machine, or a backup that the site has listed, here or elsewhere. What is encrypted is decrypted into the storage. */
export async function withBackupFile<T>(asked: string, config: Config, into: Storage, use: Use<T>): Promise<T> {
  const place = placeOf(asked)
  const found = existsSync(place)
    ? await openFile(place)
    : ((await openListed(asked, config)) ?? (await openCopy(asked, config)))
  if (!found) {
    throw new WrongUse(
      `There is no file ${place} that the account of the site can read, and no backup of that name on the site.`,
    )
  }
  const parts = { storage: into, secret: config.backupSecret }
  const name = unsealedName(path.basename(asked))
  return withUnsealed(found, parts, (file) => use({ file, name })).finally(() => found.close())
}

/** The same where there need be no site: what is encrypted is decrypted into a temporary folder. */
export async function withFileAlone<T>(asked: string, config: Config, use: Use<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'vitrina-'))
  // Also when somebody does not want to wait any longer: what lies there is decrypted.
  const interrupted = () => {
    rmSync(folder, { recursive: true, force: true })
    process.exit(130)
  }
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted)
  try {
    return await withBackupFile(asked, config, await openFolder(folder), use)
  } finally {
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted)
    await rm(folder, { recursive: true, force: true })
  }
}

async function openListed(name: string, config: Config) {
  if (!isBackupName(name) || (!config.bucket && !existsSync(config.dataDir))) return undefined
  return (await openStorage(config, { readOnly: true })).open(storedBackup(name))
}

async function openCopy(name: string, { offsite }: Config) {
  return offsite && isBackupName(unsealedName(name)) ? openFrom(openPlace(offsite), name) : undefined
}

/** npm runs its scripts in the project's folder; a path is meant from where it was typed. */
function placeOf(name: string) {
  return path.resolve(process.env.INIT_CWD ?? process.cwd(), name)
}

/** Also a database that was set aside, whatever its name. */
export function isDatabaseBackup(name: string) {
  const plain = unsealedName(path.basename(name))
  return plain.endsWith('.sqlite') || backupType(plain) === 'database'
}

export function isExport(name: string) {
  return unsealedName(name).toLowerCase().endsWith('.json')
}
