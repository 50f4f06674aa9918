import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { getHeapStatistics } from 'node:v8'
import { isInBackground, type WorkStep } from '#contract/backup-status.ts'
import { withTimeout } from '#server/clock.ts'
import type { Config } from '#server/config.ts'
import { Problem } from '#server/http/problem.ts'
import { lowerPriority, ownProgram, trimMemory } from '#server/own-program.ts'
import { reportBytes } from '#server/storage/storage.ts'
import { isScheduled, type Job, stopMessage } from './job.ts'
import type { ResultOf } from './run-job.ts'
import type { WorkerOrder } from './worker.ts'

export type WorkerMessage =
  | { progress: { step: WorkStep; done: number; total: number } }
  | { bytes: number }
  | { result: unknown }
  | { problem: Pick<Problem, 'code' | 'details' | 'fields'> & { cause?: unknown } }

type Current = { job: Job; ending: AbortController; done: Promise<unknown> }

export type Worker = ReturnType<typeof forkedWorker>

/** One job at a time. Copies and restore tests end where another one begins, and are due again later. */
export function createWorker(launch: (job: Job, signal: AbortSignal) => Promise<unknown>, check = async () => {}) {
  let current: Current | undefined
  let isRefused = (_job: Job) => false

  /** And waits for its end. */
  async function end(which: (job: Job) => boolean) {
    if (!current || !which(current.job)) return
    current.ending.abort()
    await current.done.catch(() => {})
  }

  return {
    /** `ending` ends it, as when a person has closed the preview. */
    async run<J extends Job>(job: J, ending = new AbortController()): Promise<ResultOf<J>> {
      const isInTheWay = (other: Job) =>
        // A person who types begins one preview after the other.
        (job.kind === 'preview' && other.kind === 'preview') || (isInBackground(other) && !isInBackground(job))
      while (current && isInTheWay(current.job)) await end(isInTheWay)
      const { signal } = ending
      if (current || signal.aborted || isRefused(job)) throw new Problem('backup_in_progress')
      // Not before the check: a worker would open a database that has replaced the site's own.
      const done = check()
        .then(() => launch(job, signal))
        .catch((error: unknown) => {
          throw signal.aborted ? new Problem('backup_in_progress', { cause: error }) : error
        })
        .finally(() => {
          current = undefined
        })
      current = { job, ending, done }
      return done as Promise<ResultOf<J>>
    },

    /** A copy or a restore test, which is due again. */
    endBackground: () => end(isInBackground),

    /** The site is stopping: what the schedule has begun ends, and nothing of it is begun any more. */
    endScheduled() {
      isRefused = isScheduled
      return end(isScheduled)
    },

    stop() {
      isRefused = () => true
      return end(isRefused)
    },
  }
}

type Parts = {
  config: Config
  check?: () => Promise<void>
  program?: { file: string; execArgv?: string[] }
  limits?: { silence: number; stop: number }
}

/** Half of what Node allows the site: a quarter of the machine's or container's memory, unless `--max-old-space-size` is set. */
const heapMegabytes = Math.min(1024, Math.max(128, Math.floor(getHeapStatistics().heap_size_limit / 2 ** 21)))
/** Photos are decoded outside of the heap. */
const imageMegabytes = 384
/** The lowest: what the site leaves of the processor. */
const priority = 19

/**
 * In milliseconds: without progress, and to end by itself. A share that hangs never answers. A database may be copied, or a
 * file be written to its disk, for minutes in one step.
 */
const usualLimits = { silence: 15 * 60_000, stop: 3_000 }

/** Starts the backup worker: a program of its own for every job. */
export function forkedWorker({ config, check, program = ownProgram('worker'), limits = usualLimits }: Parts) {
  function start(order: { job: Job } | { download: string }, settings = config) {
    const { file, execArgv = [] } = program
    const child = fork(file, {
      execArgv: [...execArgv, `--max-old-space-size=${heapMegabytes}`],
      env: { ...process.env, ...trimMemory },
      stdio: ['ignore', 'job' in order ? 'inherit' : 'pipe', 'inherit', 'ipc'],
      serialization: 'advanced',
    })
    lowerPriority(child.pid, priority)
    // One that could not be started has no channel: `exited` tells of it.
    child.send?.({ ...order, config: settings, maxMegabytes: heapMegabytes + imageMegabytes } satisfies WorkerOrder, () => {})

    let isSilent = false
    const timer = setTimeout(() => {
      isSilent = child.kill('SIGKILL')
    }, limits.silence).unref()
    let answer: WorkerMessage | undefined
    child.on('message', (message: WorkerMessage) => {
      timer.refresh()
      if ('result' in message || 'problem' in message) answer = message
    })
    // A second one, as of a kill that failed, is not heard below.
    child.on('error', () => {})
    // Also of one that could not be started.
    const exited = once(child, 'close').then(
      ([code, signal]) => signal ?? code,
      (error: unknown) => error,
    )
    /** Waits for the end: what it has answered before is done. */
    const done = exited.then((how) => {
      clearTimeout(timer)
      if (answer && 'result' in answer) return answer.result
      if (!answer || !('problem' in answer)) {
        const cause = new Error(`The backup worker ended with ${how}.`)
        throw new Problem(isSilent ? 'backup_stalled' : 'backup_job_ended', { cause })
      }
      const { code, details, fields, cause } = answer.problem
      throw new Problem(code, { ...(details && { details }), ...(fields && { fields }), cause })
    })
    return { child, exited, done, refresh: () => void timer.refresh() }
  }

  function launch(job: Job, signal: AbortSignal) {
    const { child, exited, done } = start({ job })
    const end = async () => {
      // It removes what it has written so far.
      if (child.connected) child.send(stopMessage, () => {})
      await withTimeout(limits.stop, exited, undefined)
      child.kill('SIGKILL')
    }
    if (signal.aborted) void end()
    signal.addEventListener('abort', end)
    return done
  }

  return {
    ...createWorker(launch, check),

    /** A backup, encrypted as it is read; the program ends with the stream. */
    async download(filename: string): Promise<{ content: Readable; bytes: number }> {
      const { child, done, refresh } = start({ download: filename }, { ...config, logLevel: 'silent' })
      const chunks = async function* () {
        yield* reportBytes(child.stdout as Readable, refresh)
        // Otherwise the end of a program that failed would look like the end of the file.
        await done
      }
      const [first] = await Promise.race([once(child, 'message') as Promise<[WorkerMessage]>, done.then(() => [])])
      if (!first || !('bytes' in first)) return done.then(() => Promise.reject(new Problem('backup_not_found')))
      done.catch(() => {})
      const content = Readable.from(chunks(), { objectMode: false })
      content.once('close', () => child.kill('SIGKILL'))
      return { content, bytes: first.bytes }
    },
  }
}
