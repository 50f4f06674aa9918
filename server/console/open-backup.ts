import { existsSync, rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { backupType } from '#contract/backups.ts'
import { isBackupName, storedBackup } from '../backup/backup-names.ts'
import { decryptedName, encryptedEnding, withPlainFile } from '../backup/encryption.ts'
import type { Job } from '../backup/job.ts'
import { openTarget } from '../backup/offsite-copies.ts'
import { runJob } from '../backup/run-job.ts'
import { systemClock as clock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Database } from '../database/open.ts'
import { openLog } from '../log.ts'
import { openFile } from '../storage/disk.ts'
import { openFolder } from '../storage/folder.ts'
import { openStorage } from '../storage/open-storage.ts'
import type { OpenFile, Storage } from '../storage/storage.ts'
import { WrongUse } from './args.ts'
import { withProgress } from './output.ts'

/** `name` is without the `.age` of an encrypted file. */
type Use<T> = (opened: { file: OpenFile; name: string }) => Promise<T>

/** A file of this machine, a listed backup, or an off-site copy. An encrypted one is decrypted into the storage. */
export async function withBackupFile<T>(input: string, config: Config, into: Storage, use: Use<T>): Promise<T> {
  const file = pathOf(input)
  const opened = existsSync(file)
    ? await openFile(file)
    : ((await openListed(input, config)) ?? (await openOffsite(input, config)))
  if (!opened) {
    throw new WrongUse(
      `There is no file ${file} that the account of the site can read, and no backup of that name on the site.`,
    )
  }
  const parts = { storage: into, secret: config.backupSecret }
  const name = decryptedName(path.basename(input))
  return withPlainFile(opened, parts, (file) => use({ file, name })).finally(() => opened.close())
}

/** The same without a site: an encrypted file is decrypted into a temporary folder. */
export async function withFileAlone<T>(input: string, config: Config, use: Use<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'vitrina-'))
  // Also after Ctrl+C: the folder holds decrypted data.
  const interrupted = () => {
    rmSync(folder, { recursive: true, force: true })
    process.exit(130)
  }
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted)
  try {
    return await withBackupFile(input, config, await openFolder(folder), use)
  } finally {
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted)
    await rm(folder, { recursive: true, force: true })
  }
}

async function openListed(name: string, config: Config) {
  if (!isBackupName(name) || (!config.bucket && !existsSync(config.dataDir))) return undefined
  return (await openStorage(config, { ours: false })).open(storedBackup(name))
}

async function openOffsite(input: string, { offsite }: Config) {
  const name = decryptedName(input)
  if (!offsite || !isBackupName(name)) return undefined
  const target = await openTarget(offsite)
  return (await target.open(storedBackup(`${name}${encryptedEnding}`))) ?? target.open(storedBackup(name))
}

/** npm runs scripts in the project's folder; a path is relative to where it was typed. */
function pathOf(name: string) {
  return path.resolve(process.env.INIT_CWD ?? process.cwd(), name)
}

/** Also a database out of `set-aside`, whatever its name. */
export function isDatabaseBackup(name: string) {
  const plain = decryptedName(path.basename(name))
  return plain.endsWith('.sqlite') || backupType(plain) === 'database'
}

export function isExport(name: string) {
  return decryptedName(name).toLowerCase().endsWith('.json')
}

export type Site = Awaited<ReturnType<typeof openSite>>

/** What jobs run with, here in the foreground. */
export async function openSite(config: Config, { database, storage }: { database: Database; storage: Storage }) {
  const log = await openLog({ logLevel: 'silent' })
  const parts = { config, database, storage, clock, log }
  return {
    ...parts,
    run: <J extends Job>(job: J) => withProgress((progress) => runJob(parts, job, progress)),
    close: database.close,
  }
}
