import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyBaseLogger } from 'fastify'
import type { BackupFault, BackupStatus } from '#contract/backup-status.ts'
import { backupMaker } from '#contract/backups.ts'
import type { Clock } from '#server/clock.ts'
import type { BackupSecret, Config } from '#server/config.ts'
import type { Database } from '#server/database/open.ts'
import type { KnownBackupRow } from '#server/database/tables.ts'
import { Problem } from '#server/http/problem.ts'
import { type Storage, watchSource } from '#server/storage/storage.ts'
import { encryptedEnding } from './age.rules.ts'
import { forgetBackup, listCheckedBackups, recordCopied } from './backup-jobs.ts'
import { isOfFuture, listStoredBackups, madeAt, newestFirst, storedBackup } from './backup-names.ts'
import { openEncryption } from './encrypt.ts'
import type { Copy, OffsiteTarget } from './offsite-target.ts'
import { backupsToPrune } from './retention.rules.ts'
import { readRetention } from './retention.ts'

type Parts = {
  database: Database
  storage: Storage
  clock: Clock
  target: OffsiteTarget
  secret: BackupSecret | undefined
  log: Pick<FastifyBaseLogger, 'error' | 'info'>
  /** In milliseconds. */
  idleTimeout?: number
}

export async function describeOffsite(
  { config, database, clock }: { config: Pick<Config, 'offsite' | 'backupSecret'>; database: Database; clock: Clock },
  fault: BackupFault | null,
): Promise<BackupStatus['offsite']> {
  if (!config.offsite) return null
  const [newest] = [...(await listCheckedBackups(database.db)).values()]
    .filter(hasCopy)
    .filter(({ filename }) => !isOfFuture(filename, clock.now()))
    .toSorted((a, b) => newestFirst(a.filename, b.filename))
  const copied = newest && { filename: newest.filename, at: madeAt(newest.filename).toISOString(), copiedAt: newest.copiedAt }
  return { kind: config.offsite.kind, encrypted: config.backupSecret !== undefined, copied: copied ?? null, fault }
}

export async function waitingForCopy({ database }: { database: Database; storage: Storage; clock: Clock }) {
  const checked = [...(await listCheckedBackups(database.db)).values()]
  return checked.some((backup) => backupMaker(backup.filename) === 'night' && !hasCopy(backup))
}

/** Copies nightly backups to the off-site target, and prunes them there. */
export function createOffsiteCopies({ database, storage, clock, target, secret, log, idleTimeout = 180_000 }: Parts) {
  const { db } = database
  const encryption = secret && openEncryption(secret)

  /** Every error in `work` is one of the target. */
  async function callTarget<T>(signal: AbortSignal | undefined, work: (step: Step) => Promise<T>): Promise<T> {
    try {
      return await withIdleTimeout({ idleTimeout, signal }, work)
    } catch (error) {
      throw error instanceof Problem ? error : new Problem('elsewhere_unavailable', { cause: error })
    }
  }

  async function copyNow(signal?: AbortSignal) {
    const fault = await copyWaiting(signal)
    if (fault) throw fault
  }

  /** Checked nightly backups without a copy, newest first; the newest also when the target has lost all copies. */
  async function listWaiting({ isTargetEmpty = false } = {}) {
    const [listed, checked] = await Promise.all([listStoredBackups(storage, clock.now()), listCheckedBackups(db)])
    return listed
      .map(({ filename }) => checked.get(filename))
      .filter((backup) => backup !== undefined)
      .filter(({ filename }) => backupMaker(filename) === 'night')
      .filter(({ copiedAt }, index) => copiedAt === null || (isTargetEmpty && index === 0))
  }

  /** Returns the problem of a damaged backup, which does not keep the others from being copied. */
  async function copyWaiting(signal: AbortSignal | undefined): Promise<Problem | undefined> {
    const { copies, isTargetEmpty } = await findCopies(signal)
    const waiting = await listWaiting({ isTargetEmpty })
    const kept = await prune(copies, { countsNext: waiting.length > 0 }, signal)
    const filenames = [...kept, ...waiting].map(({ filename }) => filename)
    const pruned = new Set(backupsToPrune(filenames, await readRetention({ database, clock })))
    let fault: Problem | undefined
    for (const backup of waiting) {
      if (pruned.has(backup.filename)) continue
      await copyOne(backup, signal).catch(async (error: unknown) => {
        if (!(error instanceof Problem) || error.code !== 'backup_damaged') throw error
        fault ??= error
        // Otherwise it would be sent again every minute.
        await recordCopied(db, backup.filename, null)
        await forgetBackup(db, backup.filename)
      })
    }
    return fault
  }

  /**
   * The copies of this site on the target. One that is gone counts as not copied; but where all are gone the setting may name
   * the wrong target, and nothing is recorded until one copy of this site is there.
   */
  async function findCopies(signal: AbortSignal | undefined) {
    const copied = [...(await listCheckedBackups(db)).values()].filter(hasCopy).map(({ filename }) => filename)
    const listed = await callTarget(signal, (step) => target.list(step.signal, { hasCopies: copied.length > 0 }))
    // Others may belong to another site with the same target.
    const copies = listed.filter(({ filename }) => copied.includes(filename))
    const isTargetEmpty = copied.length > 0 && copies.length === 0
    const listedNames = new Set(copies.map(({ filename }) => filename))
    for (const filename of isTargetEmpty ? [] : copied.filter((each) => !listedNames.has(each))) await recordGone(filename)
    return { copies, isTargetEmpty }
  }

  /** Before the next copy, to make room for it. Returns the copies that are kept. */
  async function prune(copies: Copy[], { countsNext }: { countsNext: boolean }, signal: AbortSignal | undefined) {
    const filenames = copies.map(({ filename }) => filename)
    const old = new Set(backupsToPrune(filenames, await readRetention({ database, clock }), { countsNext }))
    for (const { filename, file } of copies.filter((copy) => old.has(copy.filename))) {
      await callTarget(signal, (step) => target.remove(file, step.signal))
      await recordGone(filename)
    }
    return copies.filter(({ filename }) => !old.has(filename))
  }

  async function recordGone(filename: string) {
    await recordCopied(db, filename, null)
    if (!(await storage.has(storedBackup(filename)))) await forgetBackup(db, filename)
  }

  async function copyOne({ filename, sha256 }: KnownBackupRow, signal: AbortSignal | undefined) {
    const file = encryption ? `${filename}${encryptedEnding}` : filename
    if (!(await send({ filename, sha256, file }, signal))) return
    const sum = await callTarget(signal, (step) => readBack(file, step))
    if (sum !== sha256) {
      await callTarget(signal, (step) => target.remove(file, step.signal))
      throw new Problem('copy_damaged', { cause: new Error(`${file} came back with the sum ${sum}.`) })
    }
    await recordCopied(db, filename, clock.now().toISOString())
    log.info({ filename }, 'a backup was copied off-site')
  }

  /** False where it was deleted meanwhile. */
  async function send({ filename, sha256, file }: { filename: string; sha256: string; file: string }, signal?: AbortSignal) {
    const hasCopies = [...(await listCheckedBackups(db)).values()].some(hasCopy)
    const local = await storage.stream(storedBackup(filename))
    if (!local) return false
    const source = watchSource(Readable.from(unlessDamaged(local.content, sha256), { objectMode: false }))
    const plain = { content: Readable.from(source.chunks, { objectMode: false }), bytes: local.bytes }
    const { content, bytes } = encryption ? await encryption.encrypt(plain.content, plain.bytes) : plain
    try {
      await callTarget(signal, (step) => target.put(file, watched(content, step), { bytes, signal: step.signal, hasCopies }))
    } catch (error) {
      throw source.fault() ?? error
    } finally {
      content.destroy()
      local.content.destroy()
    }
    return true
  }

  /** The SHA-256 of the decrypted copy; undefined where it cannot be decrypted. */
  async function readBack(file: string, step: Step) {
    const content = watched(await target.read(file, step.signal), step)
    const sum = createHash('sha256')
    try {
      for await (const chunk of encryption ? await encryption.decrypt(content) : content) sum.update(chunk)
    } catch (error) {
      if (error instanceof Problem) return undefined
      throw error
    }
    return sum.digest('hex')
  }

  return { copyNow }
}

function hasCopy(backup: KnownBackupRow): backup is KnownBackupRow & { copiedAt: string } {
  return backup.copiedAt !== null
}

/** Throws at the end where the sum is not the one of the checked backup: then no copy is kept. */
async function* unlessDamaged(content: Readable, sha256: string) {
  const sum = createHash('sha256')
  for await (const chunk of content) {
    sum.update(chunk)
    yield chunk
  }
  if (sum.digest('hex') !== sha256) throw new Problem('backup_damaged')
}

/** Every chunk restarts the idle timeout of the step; its end closes the source. */
function watched(content: Readable, { keepAlive, signal }: Step) {
  const chunks = async function* () {
    for await (const chunk of content) {
      keepAlive()
      yield chunk
    }
  }
  signal.addEventListener('abort', () => content.destroy(), { once: true })
  return Readable.from(chunks(), { objectMode: false })
}

/** One call of the target: aborted by its idle timeout, or with the site. */
type Step = { signal: AbortSignal; keepAlive(): void }

/** Rejects when nothing was transferred for so long: a share that hangs never answers. */
export async function withIdleTimeout<T>(
  { idleTimeout, signal }: { idleTimeout: number; signal?: AbortSignal | undefined },
  work: (step: Step) => Promise<T>,
): Promise<T> {
  const step = new AbortController()
  const timer = setTimeout(() => step.abort(new Error(`Nothing was transferred for ${idleTimeout} ms.`)), idleTimeout).unref()
  const either = signal ? AbortSignal.any([signal, step.signal]) : step.signal
  const aborted = new Promise<never>((_resolve, reject) => {
    either.addEventListener('abort', () => reject(either.reason), { once: true })
  })
  try {
    either.throwIfAborted()
    return await Promise.race([work({ signal: either, keepAlive: () => timer.refresh() }), aborted])
  } finally {
    clearTimeout(timer)
  }
}
