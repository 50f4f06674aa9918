import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir, userInfo } from 'node:os'
import path from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { BackupFault } from '#contract/backup-status.ts'
import type { ProblemCode } from '#contract/problems.ts'
import type { Clock } from '#server/clock.ts'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/database/open.ts'
import { asProblem, Problem } from '#server/http/problem.ts'
import { bareEnvironment, bucketEnvironment, lowerPriority, ownProgram } from '#server/own-program.ts'
import { freeBytesAt } from '#server/storage/disk.ts'
import type { Storage } from '#server/storage/storage.ts'
import { withUnfinished } from '#server/storage/unfinished.ts'
import { listStoredBackups } from './backup-names.ts'
import { ensureRoom, nightMargin } from './disk-space.ts'
import type { Difference } from './find-difference.ts'
import { isWhole } from './retention.rules.ts'

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
export function createRestoreTests({ storage, clock, log, settings, program = ownProgram('restore-test') }: Parts) {
  const { dataDir, databaseUrl, bucket } = settings
  // With PostgreSQL and a bucket the site may have no data folder.
  const parent = path.join(databaseUrl && bucket ? path.join(tmpdir(), `vitrina-${userInfo().uid}`) : dataDir, 'unfinished')

  async function run(folder: string, signal: AbortSignal | undefined) {
    const stored = await listStoredBackups(storage, clock.now())
    const filename = stored.map(({ filename }) => filename).find(isWhole)
    if (!filename || signal?.aborted) return
    const bytes = stored.find((backup) => backup.filename === filename)?.bytes ?? 0
    const fault = await testBackup({ filename, bytes, folder }, signal)
    if (fault) throw new Problem(fault.code as ProblemCode, { details: fault.details as never })
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
    run: (signal?: AbortSignal) => withUnfinished(parent, (folder) => run(folder, signal)),
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
