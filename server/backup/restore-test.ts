import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir, userInfo } from 'node:os'
import path from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { BackupFault } from '#contract/backup-status.ts'
import type { ProblemCode } from '#contract/problems.ts'
import { type Clock, daysBefore, isFuture } from '#server/clock.ts'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/database/open.ts'
import type { BackupJobsRow } from '#server/database/tables.ts'
import { asProblem } from '#server/http/problem.ts'
import { bareEnvironment, bucketEnvironment, lowerPriority, ownProgram } from '#server/own-program.ts'
import { freeBytesAt } from '#server/storage/disk.ts'
import type { Storage } from '#server/storage/storage.ts'
import { withUnfinished } from '#server/storage/unfinished.ts'
import { readBackupJobs, updateBackupJobs } from './backup-jobs.ts'
import { listStoredBackups, storedBackup } from './backup-names.ts'
import { ensureRoom, nightMargin } from './disk-space.ts'
import type { Difference } from './find-difference.ts'
import { isWhole } from './retention.rules.ts'
import { faultAfter, restoreTestFault } from './schedule.rules.ts'

type Settings = Pick<Config, 'dataDir' | 'databaseUrl' | 'bucket'>

/** What `restore-test-entry.ts` is sent, and what it sends back. */
export type RestoreTestOrder = { settings: Pick<Settings, 'dataDir' | 'bucket'>; filename: string; folder: string }
export type RestoreTestResult =
  | { difference: Difference | null }
  | { problem: ProblemCode; details: unknown }
  | { failure: string }

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

const lowestPriority = 19

/**
 * Once a month a program of its own restores the newest backup into an empty site and compares the two. Visitors and other
 * backups do not wait for it.
 */
export function createRestoreTests({ database, storage, clock, log, settings, program = ownProgram('restore-test') }: Parts) {
  const { db } = database
  const { dataDir, databaseUrl, bucket } = settings
  // With PostgreSQL and a bucket the site may have no data folder.
  const parent = path.join(databaseUrl && bucket ? path.join(tmpdir(), `vitrina-${userInfo().uid}`) : dataDir, 'unfinished')

  async function run(folder: string, signal: AbortSignal | undefined) {
    const jobs = await readBackupJobs(db)
    const now = clock.now()
    if (!isRestoreTestDue(jobs, now)) return
    const stored = await listStoredBackups(storage, now)
    const names = stored.map(({ filename }) => filename)
    const { createdAt: siteCreatedAt } = await db.selectFrom('site').select('createdAt').executeTakeFirstOrThrow()
    const filename = backupToTest(names, { siteCreatedAt, now })
    if (!filename || signal?.aborted) return
    const bytes = stored.find((backup) => backup.filename === filename)?.bytes ?? 0
    const fault = await testBackup({ filename, bytes, folder }, signal)
    // Stopped with the site, or the backup was deleted meanwhile: no result.
    if (signal?.aborted || (fault && !(await storage.has(storedBackup(filename))))) return
    await updateBackupJobs(db, { trial: restoreTestAfter(jobs.trial, { filename, fault }, clock.now()) })
    if (!fault) log.info({ filename }, 'restore test passed')
  }

  /** Returns and logs the fault; undefined when the test has passed. */
  async function testBackup(
    { filename, bytes, folder }: { filename: string; bytes: number; folder: string },
    signal?: AbortSignal,
  ) {
    try {
      await ensureRoom({ freeBytes: () => freeBytesAt(parent) }, bytes, nightMargin)
      const answer = await runProgram({ settings: { dataDir, bucket }, filename, folder }, signal)
      if ('difference' in answer && !answer.difference) return undefined
      log.error({ filename, ...answer }, 'restore test failed')
      return faultIn(answer)
    } catch (error) {
      if (signal?.aborted) return undefined
      log.error({ err: error, filename }, 'restore test could not be run')
      return asProblem(error)
    }
  }

  async function runProgram(order: RestoreTestOrder, signal?: AbortSignal): Promise<RestoreTestResult> {
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
        ([code, killed]): RestoreTestResult => ({ failure: `The program ended with ${killed ?? code}.` }),
      )
      const answered = once(started, 'message', { signal: either }).then(([answer]) => answer as RestoreTestResult)
      started.send(order)
      return await Promise.race([answered, ended])
    } finally {
      listening.abort()
      await end(started)
    }
  }

  return {
    /** Never rejects: a fault is stored with the test. The signal stops it together with the site. */
    async runIfDue(signal?: AbortSignal) {
      await database
        // Also when none is due: it removes the folder of a killed test.
        .unlessBusy('backup trial', () => withUnfinished(parent, (folder) => run(folder, signal)))
        .catch((error: unknown) => signal?.aborted || log.error({ err: error }, 'restore test could not be started'))
    },
  }
}

/** Waits for the end: its files are removed afterwards. */
async function end(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null || !child.pid) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** Problems that are those of the backup, and not of the machine. */
const ofTheBackup: readonly ProblemCode[] = ['archive_refused', 'backup_too_new']

function faultIn(answer: RestoreTestResult): Pick<BackupFault, 'code' | 'details'> {
  const differs: ProblemCode = 'trial_differs'
  if ('difference' in answer) return { code: differs, details: answer.difference }
  if ('failure' in answer) return { code: 'unexpected' satisfies ProblemCode }
  return { code: ofTheBackup.includes(answer.problem) ? differs : answer.problem, details: answer.details }
}

const daysBetweenTests = 30
/** Until the next test after a failed one: it takes hours on a small machine. */
const retryMinutes = [24 * 60]

/** Monthly; the next day after a fault. */
export function isRestoreTestDue({ trial }: Pick<BackupJobsRow, 'trial'>, now: Date) {
  if (!trial) return true
  if (trial.fault) return trial.fault.nextTryAt <= now.toISOString()
  return trial.at <= daysBefore(now, daysBetweenTests).toISOString()
}

type Ended = { filename: string; fault?: Pick<BackupFault, 'code' | 'details'> | undefined }

/** The stored result. A fault stays when the next test finds no room on the disk: that one has tested nothing. */
export function restoreTestAfter(before: BackupJobsRow['trial'], ended: Ended, now: Date): BackupJobsRow['trial'] {
  const fault = restoreTestFault(before)
  const passed = { filename: ended.filename, at: now.toISOString(), fault: null }
  if (!ended.fault) return passed
  const after = { ...passed, fault: faultAfter(fault, ended.fault, now, retryMinutes) }
  return before && fault && !restoreTestFault(after) ? { ...before, fault: faultAfter(fault, fault, now, retryMinutes) } : after
}

/**
 * The newest whole complete backup, of names that are newest first. None on the first day of a site: setting it up needs the
 * processor.
 */
export function backupToTest(filenames: readonly string[], { siteCreatedAt, now }: { siteCreatedAt: string; now: Date }) {
  const isNew = siteCreatedAt > daysBefore(now, 1).toISOString() && !isFuture(siteCreatedAt, now)
  if (isNew) return undefined
  return filenames.find(isWhole)
}
