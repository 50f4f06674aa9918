import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyBaseLogger } from 'fastify'
import type { BackupState } from '#contract/backup-status.ts'
import { backupMaker } from '#contract/backups.ts'
import type { Clock } from '#server/clock.ts'
import type { BackupSecret } from '#server/config.ts'
import type { Database } from '#server/database/open.ts'
import type { KnownBackupRow } from '#server/database/tables.ts'
import { asProblem, Problem } from '#server/http/problem.ts'
import { type Storage, watchSource } from '#server/storage/storage.ts'
import { sealedEnding } from './age.rules.ts'
import { changeCare, findLastCopy, forgetBackup, listKnown, noteCopied, readCare } from './backup-jobs.ts'
import { isOfFuture, listStoredBackups, madeAt, newestFirst, storedBackup } from './backup-names.ts'
import { openSeal } from './encrypt.ts'
import type { Copy, Place } from './offsite-target.ts'
import { toLetGo } from './retention.rules.ts'
import { readKeeping } from './retention.ts'
import { faultAfter } from './schedule.rules.ts'

type Parts = {
  database: Database
  storage: Storage
  clock: Clock
  place: Place
  secret: BackupSecret | undefined
  log: Pick<FastifyBaseLogger, 'error' | 'info'>
  /** In milliseconds. */
  idleLimit?: number
}

/** Brings the backups of the nights to the second place, and looks after them there. */
export function createCopies({ database, storage, clock, place, secret, log, idleLimit = 180_000 }: Parts) {
  const { db } = database
  const seal = secret && openSeal(secret)
  // Once after each start: the settings may name another place than before, or one that cannot be used.
  let hasLooked = false

  /** A failure in there is one of the place. */
  async function ask<T>(signal: AbortSignal | undefined, work: (step: Step) => Promise<T>): Promise<T> {
    try {
      return await whileAlive({ idleLimit, signal }, work)
    } catch (error) {
      throw error instanceof Problem ? error : new Problem('elsewhere_unavailable', { cause: error })
    }
  }

  /** In one process at a time. Never fails: what goes wrong is noted and tried again. */
  async function bring(signal?: AbortSignal) {
    await database
      .unlessBusy('backup copies', async () => {
        const { copyFault } = await readCare(db)
        if (copyFault && Date.parse(copyFault.nextTryAt) > clock.now().getTime()) return
        if (hasLooked && !copyFault && (await listWaiting()).length === 0) return
        const fault = await bringWaiting(signal).catch(asProblem)
        hasLooked = true
        if (signal?.aborted) return
        if (fault) log.error({ err: fault.cause ?? fault }, 'a backup could not be copied elsewhere')
        await changeCare(db, { copyFault: fault ? faultAfter(copyFault, fault, clock.now()) : null })
      })
      .catch((error: unknown) => log.error({ err: error }, 'it could not be seen whether a backup is to be copied elsewhere'))
  }

  /**
   * What the site has made in the nights, and has read again, and is not there yet. The newest first, which is brought again
   * where nothing is left.
   */
  async function listWaiting({ isNothingLeft = false } = {}) {
    const [listed, known] = await Promise.all([listStoredBackups(storage, clock.now()), listKnown(db)])
    return listed
      .map(({ filename }) => known.get(filename))
      .filter((backup) => backup !== undefined)
      .filter(({ filename }) => backupMaker(filename) === 'night')
      .filter(({ copiedAt }, index) => copiedAt === null || (isNothingLeft && index === 0))
  }

  /** Answers what is wrong with a backup and is no reason not to copy the others. */
  async function bringWaiting(signal: AbortSignal | undefined): Promise<Problem | undefined> {
    const { copies, isNothingLeft } = await findCopies(signal)
    const waiting = await listWaiting({ isNothingLeft })
    const there = await letGo(copies, { isOneComing: waiting.length > 0 }, signal)
    const filenames = [...there, ...waiting].map(({ filename }) => filename)
    const unwanted = new Set(toLetGo({ filenames, ...(await readKeeping({ database, clock })) }))
    let fault: Problem | undefined
    for (const backup of waiting) {
      if (unwanted.has(backup.filename)) continue
      await bringOne(backup, signal).catch(async (error: unknown) => {
        if (!(error instanceof Problem) || error.code !== 'backup_damaged') throw error
        fault ??= error
        // It is as good as not there, and is not sent again.
        await noteCopied(db, backup.filename, null)
        await forgetBackup(db, backup.filename)
      })
    }
    return fault
  }

  /**
   * What this site has brought there. What is gone from there counts as not copied, but not when all of it is: a setting that
   * names another place may be a mistake, and is believed the next time, when something of this site is there.
   */
  async function findCopies(signal: AbortSignal | undefined) {
    const brought = [...(await listKnown(db)).values()].filter(hasCopy).map(({ filename }) => filename)
    const listed = await ask(signal, (step) => place.list(step.signal, { hasCopies: brought.length > 0 }))
    // Others may be of another site that shares the place.
    const copies = listed.filter(({ filename }) => brought.includes(filename))
    const isNothingLeft = brought.length > 0 && copies.length === 0
    const there = new Set(copies.map(({ filename }) => filename))
    for (const filename of isNothingLeft ? [] : brought.filter((each) => !there.has(each))) await noteGone(filename)
    return { copies, isNothingLeft }
  }

  /** First, to make room for the one that is coming. Answers what stays. */
  async function letGo(there: Copy[], { isOneComing }: { isOneComing: boolean }, signal: AbortSignal | undefined) {
    const filenames = there.map(({ filename }) => filename)
    const old = new Set(toLetGo({ filenames, ...(await readKeeping({ database, clock })), isOneComing }))
    for (const { filename, file } of there.filter((copy) => old.has(copy.filename))) {
      await ask(signal, (step) => place.remove(file, step.signal))
      await noteGone(filename)
    }
    return there.filter(({ filename }) => !old.has(filename))
  }

  async function noteGone(filename: string) {
    await noteCopied(db, filename, null)
    if (!(await storage.has(storedBackup(filename)))) await forgetBackup(db, filename)
  }

  async function bringOne({ filename, sha256 }: KnownBackupRow, signal: AbortSignal | undefined) {
    const file = seal ? `${filename}${sealedEnding}` : filename
    if (!(await send({ filename, sha256, file }, signal))) return
    const found = await ask(signal, (step) => readBack(file, step))
    if (found !== sha256) {
      await ask(signal, (step) => place.remove(file, step.signal))
      throw new Problem('copy_damaged', { cause: new Error(`${file} came back with the sum ${found}.`) })
    }
    await noteCopied(db, filename, clock.now().toISOString())
    log.info({ filename }, 'a backup was copied elsewhere')
  }

  /** False when it has been deleted meanwhile. */
  async function send({ filename, sha256, file }: { filename: string; sha256: string; file: string }, signal?: AbortSignal) {
    const hasCopies = (await findLastCopy(db)) !== null
    const local = await storage.stream(storedBackup(filename))
    if (!local) return false
    const source = watchSource(Readable.from(unlessDamaged(local.content, sha256), { objectMode: false }))
    const plain = { content: Readable.from(source.chunks, { objectMode: false }), bytes: local.bytes }
    const { content, bytes } = seal ? await seal.seal(plain.content, plain.bytes) : plain
    try {
      await ask(signal, (step) => place.put(file, watched(content, step), { bytes, signal: step.signal, hasCopies }))
    } catch (error) {
      throw source.fault() ?? error
    } finally {
      content.destroy()
      local.content.destroy()
    }
    return true
  }

  /** The SHA-256 of what can be opened there; undefined when that is not possible. */
  async function readBack(file: string, step: Step) {
    const content = watched(await place.read(file, step.signal), step)
    const sum = createHash('sha256')
    try {
      for await (const chunk of seal ? await seal.unseal(content) : content) sum.update(chunk)
    } catch (error) {
      if (error instanceof Problem) return undefined
      throw error
    }
    return sum.digest('hex')
  }

  return {
    bring,

    /** How copies fare, from what is known: the place is not asked. */
    async describe(): Promise<NonNullable<BackupState['elsewhere']>> {
      const [known, { copyFault }] = await Promise.all([listKnown(db), readCare(db)])
      const now = clock.now()
      const [newest] = [...known.values()]
        .filter(hasCopy)
        .filter(({ filename }) => !isOfFuture(filename, now))
        .toSorted((a, b) => newestFirst(a.filename, b.filename))
      return {
        kind: place.kind,
        encrypted: seal !== undefined,
        copied: newest
          ? { filename: newest.filename, at: madeAt(newest.filename).toISOString(), copiedAt: newest.copiedAt }
          : null,
        fault: copyFault,
      }
    },
  }
}

function hasCopy(backup: KnownBackupRow): backup is KnownBackupRow & { copiedAt: string } {
  return backup.copiedAt !== null
}

/** Fails at the end, so that nothing is kept, when it is not what was read again after it was made. */
async function* unlessDamaged(content: Readable, sha256: string) {
  const sum = createHash('sha256')
  for await (const chunk of content) {
    sum.update(chunk)
    yield chunk
  }
  if (sum.digest('hex') !== sha256) throw new Problem('backup_damaged')
}

/** As long as it gets on, so does the step; when that is given up, nothing is left open. */
function watched(content: Readable, { alive, signal }: Step) {
  const chunks = async function* () {
    for await (const chunk of content) {
      alive()
      yield chunk
    }
  }
  signal.addEventListener('abort', () => content.destroy(), { once: true })
  return Readable.from(chunks(), { objectMode: false })
}

/** Of one step: given up when nothing has got on for so long, or when the site is being stopped. */
type Step = { signal: AbortSignal; alive(): void }

/** A place that hangs is not waited for. */
export async function whileAlive<T>(
  { idleLimit, signal }: { idleLimit: number; signal?: AbortSignal | undefined },
  work: (step: Step) => Promise<T>,
): Promise<T> {
  const step = new AbortController()
  const timer = setTimeout(() => step.abort(new Error(`Nothing has got on for ${idleLimit} ms.`)), idleLimit).unref()
  const either = signal ? AbortSignal.any([signal, step.signal]) : step.signal
  const givenUp = new Promise<never>((_resolve, reject) => {
    either.addEventListener('abort', () => reject(either.reason), { once: true })
  })
  try {
    either.throwIfAborted()
    return await Promise.race([work({ signal: either, alive: () => timer.refresh() }), givenUp])
  } finally {
    clearTimeout(timer)
  }
}
