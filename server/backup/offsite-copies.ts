import { createHash } from 'node:crypto'
import { mkdir, readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import type { BackupFault, BackupStatus } from '#contract/backup-status.ts'
import { backupMaker } from '#contract/backups.ts'
import { daysBefore, withTimeout } from '#server/clock.ts'
import type { Config, OffsiteSettings } from '#server/config.ts'
import type { KnownBackupRow } from '#server/database/tables.ts'
import { asProblem, Problem } from '#server/http/problem.ts'
import { openFolder } from '#server/storage/folder.ts'
import { reportBytes, type Storage, watchSource } from '#server/storage/storage.ts'
import { backupsFolder, madeAt, newestFirst, storedBackup } from './backup-names.ts'
import { forgetBackup, listCheckedBackups, recordCopied } from './backup-state.ts'
import { decryptedName, encryptedEnding, openEncryption } from './encryption.ts'
import { type Progress, usualMargin } from './job.ts'
import type { BackupParts, JobParts } from './make-backup.ts'
import { findPruned } from './retention.ts'

/** Looks like the storage of a site. `folder` is a place on another disk or a share. */
export type OffsiteTarget = Storage & { folder?: string }

/** Does not connect yet. What speaks to a bucket is loaded only where there is one. */
export async function openTarget(settings: OffsiteSettings): Promise<OffsiteTarget> {
  if (settings.kind === 'bucket') return (await import('#server/storage/s3.ts')).openBucket(settings.bucket)
  return { ...(await openFolder(settings.folder, { ours: false })), folder: settings.folder }
}

/** A copy there goes with the disk. */
export async function isOnSameDisk({ offsite, dataDir }: Pick<Config, 'offsite' | 'dataDir'>) {
  if (offsite?.kind !== 'folder') return false
  const disks = Promise.all([diskOf(offsite.folder), diskOf(dataDir)])
  const [there, here] = await withTimeout(2_000, disks, [undefined, undefined])
  return there !== undefined && there === here
}

const asked = new Map<string, Promise<number | undefined>>()

function diskOf(folder: string) {
  return joinPending(asked, folder, async () => (await stat(folder).catch(() => undefined))?.dev)
}

/** Waits for what is under way: a share that is away never answers, and each question would hold a thread. */
export function joinPending<T>(pending: Map<string, Promise<T>>, key: string, begin: () => Promise<T>) {
  const work = pending.get(key) ?? begin().finally(() => pending.delete(key))
  pending.set(key, work)
  return work
}

/** From the database alone: the target may be slow or away. */
export async function describeOffsite(parts: BackupParts, fault: BackupFault | null): Promise<BackupStatus['offsite']> {
  const { config } = parts
  if (!config.offsite) return null
  const newest = (await listChecked(parts)).find(({ copiedAt }) => copiedAt)
  const { filename, copiedAt } = newest ?? {}
  const copied = filename && copiedAt ? { filename, at: madeAt(filename).toISOString(), copiedAt } : null
  return { kind: config.offsite.kind, encrypted: config.backupSecret !== undefined, copied, fault }
}

/** Newest first. */
async function listChecked({ database, clock }: BackupParts) {
  const inOrder = newestFirst(clock.now())
  return [...(await listCheckedBackups(database.db)).values()].toSorted((a, b) => inOrder(a.filename, b.filename))
}

/** Checked nightly backups without a copy that retention would keep off-site, newest first. Does not reach for the target. */
export async function listWaiting(parts: BackupParts) {
  const known: KnownBackupRow[] = []
  for (const backup of await listChecked(parts)) {
    const { filename, copiedAt } = backup
    if (backupMaker(filename) === 'night' && (copiedAt || (await parts.storage.has(storedBackup(filename))))) known.push(backup)
  }
  const pruned = await findPruned(
    parts,
    known.map(({ filename }) => filename),
  )
  return known.filter(({ filename, copiedAt }) => !copiedAt && !pruned.includes(filename))
}

/** Copies nightly backups to the off-site target, reads the copies back, and prunes them there. */
export async function copyOffsite(parts: JobParts, target: OffsiteTarget, progress: Progress) {
  const copies = await findCopies(parts, target)
  const waiting = await listWaiting(parts)
  for (const filename of await findPruned(parts, [...copies.keys()])) {
    await ofTarget(target.remove(storedBackup(copies.get(filename) ?? filename)))
    await recordGone(parts, filename)
  }
  // Left by processes that were killed; younger ones may be written by another site. Not every service lists them.
  await target.clearUnfinished(daysBefore(new Date(), 1), backupsFolder).catch(() => {})
  for (const backup of waiting) await copyOne(parts, target, backup, progress)
}

/** The files of this site's copies by backup; others may belong to another site. One that is gone counts as not copied. */
async function findCopies(parts: JobParts, target: OffsiteTarget) {
  const copied = (await listChecked(parts)).filter(({ copiedAt }) => copiedAt)
  if (target.folder) await ofTarget(findFolder(target.folder, { isNew: copied.length === 0 }))
  const files = (await ofTarget(target.list(backupsFolder))).map(({ name }) => path.basename(name))
  const fileOf = new Map(files.map((file) => [decryptedName(file), file]))
  const copies = new Map<string, string>()
  for (const { filename } of copied) {
    const file = fileOf.get(filename)
    if (file) copies.set(filename, file)
    else await recordGone(parts, filename)
  }
  return copies
}

/** Makes it with the first copy alone, and never the folder above it: that of a share which is not mounted is on this disk. */
async function findFolder(root: string, { isNew }: { isNew: boolean }) {
  if ((await readdir(root)).includes(backupsFolder)) return
  if (!isNew) throw new Problem('elsewhere_empty')
  await mkdir(path.join(root, backupsFolder))
}

async function recordGone({ database: { db }, storage }: JobParts, filename: string) {
  await recordCopied(db, filename, null)
  if (!(await storage.has(storedBackup(filename)))) await forgetBackup(db, filename)
}

async function copyOne(parts: JobParts, target: OffsiteTarget, { filename, sha256 }: KnownBackupRow, progress: Progress) {
  const { config, database, storage, clock, log } = parts
  const encryption = config.backupSecret && openEncryption(config.backupSecret)
  const file = storedBackup(encryption ? `${filename}${encryptedEnding}` : filename)
  const local = await storage.stream(storedBackup(filename))
  if (!local) return
  const source = watchSource(local.content)
  const checked = async function* () {
    const sum = createHash('sha256')
    for await (const chunk of reportBytes(source.chunks, (bytes) => progress('writing', bytes, local.bytes))) {
      sum.update(chunk)
      yield chunk
    }
    if (sum.digest('hex') === sha256) return
    // Otherwise it would be sent again with every try, and no other one be copied.
    await forgetBackup(database.db, filename)
    // Before the end of the content: the target keeps what it had.
    throw new Problem('backup_damaged')
  }
  const plain = Readable.from(checked(), { objectMode: false })
  const { content, bytes } = encryption ? await encryption.encrypt(plain, local.bytes) : { content: plain, bytes: local.bytes }
  const put = async () => {
    const free = await target.freeBytes(backupsFolder)
    if (free < bytes + usualMargin) throw new Error(`${free} bytes are free where ${bytes} come.`)
    await target.put(file, content)
  }
  await ofTarget(put())
    .catch((error: unknown) => {
      // Otherwise the target would be blamed for it.
      throw source.fault() ? asProblem(source.fault()) : error
    })
    .finally(() => local.content.destroy())

  const readBack = async () => {
    const copy = await target.stream(file)
    if (!copy) throw new Error(`${file} is not there.`)
    const sum = createHash('sha256')
    const decrypted = encryption ? encryption.decrypt(copy.content) : copy.content
    for await (const chunk of reportBytes(decrypted, (done) => progress('checking', done, local.bytes))) sum.update(chunk)
    return sum.digest('hex')
  }
  const sum = await ofTarget(readBack()).catch((error: Problem) => {
    // Of the copy itself, and not of the way to it.
    if (!['secret_wrong', 'file_damaged'].includes(error.code)) throw error
    return error.code
  })
  if (sum !== sha256) {
    await ofTarget(target.remove(file))
    throw new Problem('copy_damaged', { cause: new Error(`${file} came back as ${sum}.`) })
  }
  await recordCopied(database.db, filename, clock.now().toISOString())
  log.info({ filename }, 'a backup was copied off-site')
}

/** Every other error is one of the target. */
function ofTarget<T>(answer: Promise<T>): Promise<T> {
  return answer.catch((error: unknown) => {
    throw error instanceof Problem ? error : new Problem('elsewhere_unavailable', { cause: error })
  })
}
