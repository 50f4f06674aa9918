import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir, userInfo } from 'node:os'
import path from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { CareFault } from '#contract/backup-status.ts'
import type { ProblemCode } from '#contract/problems.ts'
import { type Clock, daysBefore, isFuture } from '#server/clock.ts'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/database/open.ts'
import type { CareRow } from '#server/database/tables.ts'
import { asProblem } from '#server/http/problem.ts'
import { bareEnvironment, bucketEnvironment, lowerPriority, ownProgram } from '#server/own-program.ts'
import { freeBytesAt } from '#server/storage/disk.ts'
import type { Storage } from '#server/storage/storage.ts'
import { withUnfinished } from '#server/storage/unfinished.ts'
import { changeCare, readCare } from './backup-jobs.ts'
import { listStoredBackups, storedBackup } from './backup-names.ts'
import { ensureRoom, nightMargin } from './disk-space.ts'
import type { Difference } from './find-difference.ts'
import { isWhole } from './retention.rules.ts'
import { faultAfter, faultFoundBy } from './schedule.rules.ts'

type Settings = Pick<Config, 'dataDir' | 'databaseUrl' | 'bucket'>

/** What the program is asked, and what it answers: `server/backup/restore-test-entry.ts`. */
export type TrialOrder = { settings: Pick<Settings, 'dataDir' | 'bucket'>; filename: string; folder: string }
export type TrialAnswer = { difference: Difference | null } | { problem: ProblemCode; details: unknown } | { failure: string }

type Parts = {
  database: Database
  storage: Storage
  clock: Clock
  log: FastifyBaseLogger
  settings: Settings
  program?: { file: string; execArgv?: string[] }
}

/** Measured with 100,000 messages and photos of 12 megapixels: 151 MB in all, beside a site of 100 MB. */
const heapMegabytes = 96

/** Whatever else the machine does comes first. */
const lowestPriority = 19

/**
 * Tries out a backup once a month: a program of its own restores the newest one into a site of its own and compares the two.
 * The site goes on meanwhile, and other backups too.
 */
export function createTrials({ database, storage, clock, log, settings, program = ownProgram('trial') }: Parts) {
  const { db } = database
  const { dataDir, databaseUrl, bucket } = settings
  // With both elsewhere there may be no folder of the site's.
  const place = path.join(databaseUrl && bucket ? path.join(tmpdir(), `vitrina-${userInfo().uid}`) : dataDir, 'unfinished')

  async function run(folder: string, signal: AbortSignal | undefined) {
    const care = await readCare(db)
    const now = clock.now()
    if (!isTrialDue(care, now)) return
    const stored = await listStoredBackups(storage, now)
    const names = stored.map(({ filename }) => filename)
    const { createdAt: siteCreatedAt } = await db.selectFrom('site').select('createdAt').executeTakeFirstOrThrow()
    const filename = backupToTry(names, { siteCreatedAt, now })
    if (!filename || signal?.aborted) return
    const bytes = stored.find((backup) => backup.filename === filename)?.bytes ?? 0
    const fault = await tryOut({ filename, bytes, folder }, signal)
    // Stopped by the site, or deleted by somebody: that says nothing about backups.
    if (signal?.aborted || (fault && !(await storage.has(storedBackup(filename))))) return
    await changeCare(db, { trial: trialAfter(care.trial, { filename, fault }, clock.now()) })
    if (!fault) log.info({ filename }, 'a backup was tried out and is what it was made of')
  }

  /** What went wrong with it, which is in the log by then; undefined when all is well. */
  async function tryOut(
    { filename, bytes, folder }: { filename: string; bytes: number; folder: string },
    signal?: AbortSignal,
  ) {
    try {
      await ensureRoom({ freeBytes: () => freeBytesAt(place) }, bytes, nightMargin)
      const answer = await ask({ settings: { dataDir, bucket }, filename, folder }, signal)
      if ('difference' in answer && !answer.difference) return undefined
      log.error({ filename, ...answer }, 'a backup was tried out, and that did not go well')
      return faultIn(answer)
    } catch (error) {
      if (signal?.aborted) return undefined
      log.error({ err: error, filename }, 'a backup could not be tried out')
      return asProblem(error)
    }
  }

  async function ask(order: TrialOrder, signal?: AbortSignal): Promise<TrialAnswer> {
    const { file, execArgv = [] } = program
    const started = fork(file, {
      execArgv: [...execArgv, `--max-old-space-size=${heapMegabytes}`],
      env: { ...bareEnvironment, ...(bucket && bucketEnvironment()) },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    lowerPriority(started.pid, lowestPriority)
    const listening = new AbortController()
    const either = AbortSignal.any([listening.signal, ...(signal ? [signal] : [])])
    try {
      const ended = once(started, 'exit', { signal: either }).then(
        ([code, killed]): TrialAnswer => ({ failure: `The program ended with ${killed ?? code}.` }),
      )
      const answered = once(started, 'message', { signal: either }).then(([answer]) => answer as TrialAnswer)
      started.send(order)
      return await Promise.race([answered, ended])
    } finally {
      listening.abort()
      await end(started)
    }
  }

  return {
    /** Never fails: what went wrong is noted with the trial. The signal says that the site is being stopped. */
    async runIfDue(signal?: AbortSignal) {
      await database
        // Also when nothing is due: it removes what a killed process has left.
        .unlessBusy('backup trial', () => withUnfinished(place, (folder) => run(folder, signal)))
        .catch((error: unknown) => signal?.aborted || log.error({ err: error }, 'no backup could be tried out'))
    },
  }
}

/** Its files are removed only then. */
async function end(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null || !child.pid) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** What a restore refuses or a comparison finds is a backup that does not bring back what is in it. */
const ofTheBackup: readonly ProblemCode[] = ['archive_refused', 'backup_too_new']

function faultIn(answer: TrialAnswer): Pick<CareFault, 'code' | 'details'> {
  const differs: ProblemCode = 'trial_differs'
  if ('difference' in answer) return { code: differs, details: answer.difference }
  if ('failure' in answer) return { code: 'unexpected' satisfies ProblemCode }
  return { code: ofTheBackup.includes(answer.problem) ? differs : answer.problem, details: answer.details }
}

const daysBetweenTrials = 30
/** Until the next try after one that went wrong: it costs hours of a small machine. */
const waitMinutes = [24 * 60]

/** Whether the last trial is long enough ago; one that found a fault is repeated the next day. */
export function isTrialDue({ trial }: Pick<CareRow, 'trial'>, now: Date) {
  if (!trial) return true
  if (trial.fault) return trial.fault.nextTryAt <= now.toISOString()
  return trial.at <= daysBefore(now, daysBetweenTrials).toISOString()
}

type Ended = { filename: string; fault?: Pick<CareFault, 'code' | 'details'> | undefined }

/** What is remembered of one. What it has found wrong is not forgotten because there is no room for the next. */
export function trialAfter(before: CareRow['trial'], ended: Ended, now: Date): CareRow['trial'] {
  const found = faultFoundBy(before)
  const trial = { filename: ended.filename, at: now.toISOString(), fault: null }
  if (!ended.fault) return trial
  const after = { ...trial, fault: faultAfter(found, ended.fault, now, waitMinutes) }
  return before && found && !faultFoundBy(after) ? { ...before, fault: faultAfter(found, found, now, waitMinutes) } : after
}

/**
 * The newest whole complete backup, of names that are newest first. None on the first day of a site: it is being filled, and
 * whoever has just set it up needs its processor.
 */
export function backupToTry(filenames: readonly string[], { siteCreatedAt, now }: { siteCreatedAt: string; now: Date }) {
  const isNew = siteCreatedAt > daysBefore(now, 1).toISOString() && !isFuture(siteCreatedAt, now)
  if (isNew) return undefined
  return filenames.find(isWhole)
}
