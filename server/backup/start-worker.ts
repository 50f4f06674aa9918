import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { totalmem } from 'node:os'
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { WorkStep } from '#contract/backup-status.ts'
import type { Config } from '#server/config.ts'
import { Problem } from '#server/http/problem.ts'
import { lowerPriority, ownProgram, trimMemory } from '#server/own-program.ts'
import { givesWay, isScheduled, type Job, stopMessage } from './job.ts'
import type { ResultOf } from './run-job.ts'
import type { WorkerOrder } from './worker.ts'

export type WorkerMessage =
  | { progress: { step: WorkStep; done: number; total: number } }
  | { bytes: number }
  | { result: unknown }
  | { problem: Pick<Problem, 'code' | 'details' | 'fields'> & { cause?: unknown } }

/** One job under way, wherever it runs. */
type Running = {
  done: Promise<unknown>
  /** Ends it, and waits for its end. */
  kill(): Promise<void>
}

type Current = { job: Job; running: Running; isEnded?: boolean; settled: Promise<void> }

export type Worker = ReturnType<typeof forkedWorker>

/** One job at a time. Copies and restore tests end where another one begins, and are due again later. */
export function createWorker(launch: (job: Job) => Running, check = async () => {}) {
  const current = new Set<Current>()
  let isStopped = (_job: Job) => false

  /** Not before the check: a worker would open a database that has replaced the site's own. */
  function start(job: Job): Running {
    const launched = check().then(() => launch(job))
    return { done: launched.then(({ done }) => done), kill: () => launched.then(({ kill }) => kill()).catch(() => {}) }
  }

  async function end(which: (job: Job) => boolean) {
    const ending = [...current].filter(({ job }) => which(job))
    for (const each of ending) each.isEnded = true
    await Promise.all(ending.map(({ running, settled }) => running.kill().then(() => settled)))
  }

  return {
    /** `signal` ends it, as when a person has closed the preview. */
    async run<J extends Job>(job: J, { signal }: { signal?: AbortSignal } = {}): Promise<ResultOf<J>> {
      const isInTheWay = (other: Job) =>
        // A person who types begins one preview after the other.
        (job.kind === 'preview' && other.kind === 'preview') || (givesWay(other) && !givesWay(job))
      while ([...current].some((other) => isInTheWay(other.job))) await end(isInTheWay)
      if (current.size > 0 || signal?.aborted || isStopped(job)) throw new Problem('backup_in_progress')
      const running = start(job)
      const settled = running.done.then(
        () => {},
        () => {},
      )
      const mine: Current = { job, running, settled: settled.then(() => void current.delete(mine)) }
      current.add(mine)
      signal?.addEventListener('abort', () => void end((each) => each === job), { once: true })
      try {
        return (await running.done) as ResultOf<J>
      } catch (error) {
        throw mine.isEnded ? new Problem('backup_in_progress', { cause: error }) : error
      }
    },

    /** The site is stopping: what the schedule has begun ends, and nothing of it is begun any more. */
    endScheduled() {
      isStopped = isScheduled
      return end(isScheduled)
    },

    stop() {
      isStopped = () => true
      return end(isStopped)
    },
  }
}

type Parts = {
  config: Config
  log: FastifyBaseLogger
  /** Fails when the database cannot be used. */
  check?: () => Promise<void>
  program?: { file: string; execArgv?: string[] }
  /** In milliseconds without progress. */
  silence?: number
}

/** Of a machine or container without a limit Node tells one of exabytes. */
const memory = Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem())
const heapMegabytes = Math.min(1024, Math.max(128, Math.floor(memory / 2 ** 20 / 4)))
/** Photos are decoded outside of the heap. */
const imageMegabytes = 384
/** The lowest: what the site leaves of the processor. */
const priority = 19

const timeToStop = 3_000
/** A share that hangs never answers. A database may be copied, or a file be written to its disk, for minutes in one step. */
const longestSilence = 15 * 60_000

/** Starts the backup worker: a program of its own for every job. */
export function forkedWorker({ config, log, check, program = ownProgram('worker'), silence = longestSilence }: Parts) {
  function start(order: WorkerOrder, stdout: 'inherit' | 'pipe') {
    const { file, execArgv = [] } = program
    const child = fork(file, {
      execArgv: [...execArgv, `--max-old-space-size=${heapMegabytes}`],
      env: { ...process.env, ...trimMemory },
      stdio: ['ignore', stdout, 'inherit', 'ipc'],
      serialization: 'advanced',
    })
    // One that could not be started has no channel, and its error must have a listener: `hasEnded` tells of it.
    child.on('error', () => {})
    lowerPriority(child.pid, priority)
    child.send?.(order, () => {})
    return child
  }
  const maxMegabytes = heapMegabytes + imageMegabytes

  function launch(job: Job): Running {
    const child = start({ config, maxMegabytes, job }, 'inherit')
    let isSilent = false
    let isEnded = false
    const timer = setTimeout(() => {
      isSilent = child.kill('SIGKILL')
    }, silence).unref()
    child.on('message', () => timer.refresh())
    const done = answerOf(child).catch((error: unknown) => {
      if (error instanceof Problem && error.code !== 'backup_job_ended') throw error
      if (!isEnded) log.error({ err: error, job: job.kind, isSilent }, 'the backup worker ended before its job was done')
      throw isSilent ? new Problem('backup_stalled', { cause: error }) : error
    })
    const exited = hasEnded(child)
    return {
      done: done.finally(() => clearTimeout(timer)),
      async kill() {
        isEnded = true
        // It removes what it has written so far.
        if (child.connected) {
          child.send(stopMessage, () => {})
          await Promise.race([exited, wait(timeToStop, undefined, { ref: false })])
        }
        child.kill('SIGKILL')
        await exited
      },
    }
  }

  return {
    ...createWorker(launch, check),

    /** A backup, encrypted as it is read; the program ends with the stream. */
    async download(filename: string): Promise<{ content: Readable; bytes: number }> {
      const child = start({ config: { ...config, logLevel: 'silent' }, maxMegabytes, download: filename }, 'pipe')
      const done = answerOf(child)
      const chunks = async function* () {
        yield* child.stdout as Readable
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

/** Waits for the end: what it has answered before is done. */
async function answerOf(child: ChildProcess): Promise<unknown> {
  let answer: WorkerMessage | undefined
  child.on('message', (message: WorkerMessage) => {
    if ('result' in message || 'problem' in message) answer = message
  })
  const how = await hasEnded(child)
  if (answer && 'result' in answer) return answer.result
  if (!answer || !('problem' in answer)) throw new Problem('backup_job_ended', { cause: new Error(`It ended with ${how}.`) })
  const { code, details, fields, cause } = answer.problem
  throw new Problem(code, { ...(details && { details }), ...(fields && { fields }), cause })
}

/** With its code or signal, and after its last message. A program that could not be started emits no exit. */
function hasEnded(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      if (child.connected) child.once('disconnect', () => resolve(signal ?? code))
      else resolve(signal ?? code)
    })
    child.once('error', resolve)
  })
}
