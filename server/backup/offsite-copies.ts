import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyBaseLogger } from 'fastify'
import type { BackupFault, BackupStatus } from '#contract/backup-status.ts'
import { backupMaker } from '#contract/backups.ts'
import type { Clock } from '#server/clock.ts'
import type { Config, OffsiteSettings } from '#server/config.ts'
import type { Database } from '#server/database/open.ts'
import type { KnownBackupRow } from '#server/database/tables.ts'
import { asProblem, Problem } from '#server/http/problem.ts'
import type { Storage } from '#server/storage/storage.ts'
import { isOfFuture, madeAt, newestFirst, storedBackup } from './backup-names.ts'
import { forgetBackup, listCheckedBackups, recordCopied } from './backup-state.ts'
import { decryptedName, encryptedEnding, openEncryption } from './encryption.ts'
import { type Progress, reportBytes } from './job.ts'
import type { OffsiteTarget } from './offsite-bucket.ts'
import { openFolderTarget } from './offsite-folder.ts'
import { backupsToPrune, readRetention } from './retention.ts'

type Stores = { database: Database; storage: Storage; clock: Clock }
type Parts = Stores & { config: Pick<Config, 'backupSecret'>; log: Pick<FastifyBaseLogger, 'info'> }

/** Does not connect yet. What speaks to a bucket is loaded only where there is one. */
export async function openTarget(settings: OffsiteSettings): Promise<OffsiteTarget> {
  if (settings.kind === 'folder') return openFolderTarget(settings.folder)
  return (await import('./offsite-bucket.ts')).openBucketTarget(settings.bucket)
}

/** From the database alone: the target may be slow or away. */
export async function describeOffsite(
  { config, database, clock }: { config: Pick<Config, 'offsite' | 'backupSecret'>; database: Database; clock: Clock },
  fault: BackupFault | null,
): Promise<BackupStatus['offsite']> {
  if (!config.offsite) return null
  const [newest] = (await listCopied(database))
    .filter(({ filename }) => !isOfFuture(filename, clock.now()))
    .toSorted((a, b) => newestFirst(a.filename, b.filename))
  const copied = newest && { filename: newest.filename, at: madeAt(newest.filename).toISOString(), copiedAt: newest.copiedAt }
  return { kind: config.offsite.kind, encrypted: config.backupSecret !== undefined, copied: copied ?? null, fault }
}

/** Whether there is something to copy, without reaching for the target. */
export async function waitingForCopy(parts: Stores) {
  return (await listWaiting(parts)).length > 0
}

/** Checked nightly backups without a copy that retention would keep off-site, newest first. */
async function listWaiting({ database, storage, clock }: Stores) {
  const checked = [...(await listCheckedBackups(database.db)).values()].toSorted((a, b) => newestFirst(a.filename, b.filename))
  const waiting: KnownBackupRow[] = []
  for (const backup of checked.filter(({ filename }) => backupMaker(filename) === 'night')) {
    if (!hasCopy(backup) && (await storage.has(storedBackup(backup.filename)))) waiting.push(backup)
  }
  if (waiting.length === 0) return []
  const filenames = [...checked.filter(hasCopy), ...waiting].map(({ filename }) => filename)
  const pruned = new Set(backupsToPrune(filenames, await readRetention({ database, clock })))
  return waiting.filter(({ filename }) => !pruned.has(filename))
}

/**
 * Copies nightly backups to the off-site target, reads the copies back, and prunes them there. A backup that is damaged on the
 * server does not keep the others from being copied.
 */
export async function copyOffsite(parts: Parts, target: OffsiteTarget, progress: Progress) {
  const { copies, hasFolder } = await findCopies(parts, target)
  const waiting = await listWaiting(parts)
  // Before the next copy, to make room for it.
  const names = copies.map(({ filename }) => filename)
  const old = new Set(backupsToPrune(names, await readRetention(parts), { countsNext: waiting.length > 0 }))
  for (const { filename, file } of copies.filter((copy) => old.has(copy.filename))) {
    await ofTarget(target.remove(file))
    await recordGone(parts, filename)
  }
  let damaged: Problem | undefined
  for (const [index, backup] of waiting.entries()) {
    await copyOne(parts, target, { backup, isFirst: !hasFolder && index === 0, progress }).catch(async (error: unknown) => {
      if (!(error instanceof Problem) || error.code !== 'backup_damaged') throw error
      damaged ??= error
      // Otherwise it would be sent again with every try.
      await forgetBackup(parts.database.db, backup.filename)
    })
  }
  if (damaged) throw damaged
}

/** The copies of this site on the target: others may belong to another site. One that is gone counts as not copied. */
async function findCopies(parts: Parts, target: OffsiteTarget) {
  const copied = (await listCopied(parts.database)).map(({ filename }) => filename)
  const listed = await ofTarget(target.list())
  if (!listed && copied.length > 0) throw new Problem('elsewhere_empty')
  const files = (listed ?? []).map((file) => ({ file, filename: decryptedName(file) }))
  const copies = files.filter(({ filename }) => copied.includes(filename))
  const gone = copied.filter((filename) => !copies.some((copy) => copy.filename === filename))
  for (const filename of gone) await recordGone(parts, filename)
  return { copies, hasFolder: listed !== undefined }
}

async function recordGone({ database: { db }, storage }: Parts, filename: string) {
  await recordCopied(db, filename, null)
  if (!(await storage.has(storedBackup(filename)))) await forgetBackup(db, filename)
}

type Copying = { backup: KnownBackupRow; isFirst: boolean; progress: Progress }

async function copyOne(parts: Parts, target: OffsiteTarget, { backup: { filename, sha256 }, isFirst, progress }: Copying) {
  const { config, database, storage, clock, log } = parts
  const encryption = config.backupSecret && openEncryption(config.backupSecret)
  const file = encryption ? `${filename}${encryptedEnding}` : filename
  const local = await storage.stream(storedBackup(filename))
  if (!local) return
  const checked = async function* () {
    const sum = createHash('sha256')
    try {
      for await (const chunk of reportBytes(local.content, (bytes) => progress('writing', bytes, local.bytes))) {
        sum.update(chunk)
        yield chunk
      }
    } catch (error) {
      // Otherwise the target would be blamed for it.
      throw asProblem(error)
    }
    // Before the end of the content: the target does not keep what it has of it.
    if (sum.digest('hex') !== sha256) throw new Problem('backup_damaged')
  }
  const plain = Readable.from(checked(), { objectMode: false })
  const { content, bytes } = encryption ? await encryption.encrypt(plain, local.bytes) : { content: plain, bytes: local.bytes }
  await ofTarget(target.put(file, content, { bytes, isFirst })).finally(() => {
    content.destroy()
    local.content.destroy()
  })

  const readBack = async () => {
    const copy = await target.read(file)
    const sum = createHash('sha256')
    const decrypted = encryption ? encryption.decrypt(copy) : copy
    for await (const chunk of reportBytes(decrypted, (done) => progress('checking', done, local.bytes))) sum.update(chunk)
    return sum.digest('hex')
  }
  const sum = await ofTarget(readBack()).catch((error: Problem) => {
    if (error.code === 'elsewhere_unavailable') throw error
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

function hasCopy(backup: KnownBackupRow): backup is KnownBackupRow & { copiedAt: string } {
  return backup.copiedAt !== null
}

async function listCopied({ db }: Database) {
  return [...(await listCheckedBackups(db)).values()].filter(hasCopy)
}
