import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { totalmem } from 'node:os'
import { Readable } from 'node:stream'
import type { FastifyBaseLogger } from 'fastify'
import type { WorkStep } from '#contract/backup-status.ts'
import type { ProblemCode } from '#contract/problems.ts'
import type { Config } from '#server/config.ts'
import { Problem } from '#server/http/problem.ts'
import { lowerPriority, ownProgram, trimMemory } from '#server/own-program.ts'
import type { Job } from './job.ts'
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

type Current = { job: Job; running: Running; reason?: ProblemCode; settled: Promise<void> }

export type Worker = ReturnType<typeof forkedWorker>

/** One job at a time. Those that nobody waits for give way to others, and are due again later. */
export function createWorker(launch: (job: Job) => Running, check = async () => {}) {
  let current: Current | undefined

  async function end(reason: ProblemCode) {
    const ending = current
    if (!ending) return
    ending.reason ??= reason
    await ending.running.kill()
    await ending.settled
  }

  const isOfNobody = ({ kind }: Job) => kind === 'copy' || kind === 'restore-test'
  // A person who types asks for one preview after the other.
  const givesWay = (job: Job, to: Job) =>
    (isOfNobody(job) && !isOfNobody(to)) || (job.kind === 'preview' && to.kind === 'preview')

  return {
    /** `signal` ends it, as when a person has closed the preview. */
    async run<J extends Job>(job: J, { signal }: { signal?: AbortSignal } = {}): Promise<ResultOf<J>> {
      // The worker would open a database that has replaced the site's own.
      await check()
      if (current && givesWay(current.job, job)) await end('backup_in_progress')
      if (current) throw new Problem('backup_in_progress')
      const running = launch(job)
      const settled = running.done
        .catch(() => {})
        .then(() => {
          current = undefined
        })
      const mine: Current = { job, running, settled }
      current = mine
      signal?.addEventListener('abort', () => current === mine && end('backup_job_ended'), { once: true })
      try {
        return (await running.done) as ResultOf<J>
      } catch (error) {
        throw mine.reason ? new Problem(mine.reason, { cause: error }) : error
      }
    },

    /** Ends what the schedule has begun: the site is stopping. */
    async endScheduled() {
      if (current && (isOfNobody(current.job) || current.job.kind === 'nightly')) await end('backup_in_progress')
    },

    stop: () => end('backup_job_ended'),
  }
}

type Parts = {
  config: Config
  log: FastifyBaseLogger
  /** Fails when the database cannot be used. */
  check?: () => Promise<void>
  program?: { file: string; execArgv?: string[] }
  /** In milliseconds without progress. */
  silence?: (job: Job) => number
}

/** A third of the memory of a small machine, and more than enough on a large one. */
const heapMegabytes = Math.min(1024, Math.max(128, Math.floor((process.constrainedMemory?.() || totalmem()) / 2 ** 20 / 4)))
/** Photos are decoded outside of the heap. */
const imageMegabytes = 384
/** A third of the processor while the site needs it; all of it otherwise. */
const priority = 10

const minute = 60_000
/** A share that hangs never answers. A database may be copied for minutes in one step. */
const longestSilence = ({ kind }: Job) => (kind === 'copy' ? 3 * minute : 15 * minute)

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
    lowerPriority(child.pid, priority)
    child.send(order, () => {})
    return child
  }
  const maxMegabytes = heapMegabytes + imageMegabytes

  function launch(job: Job): Running {
    const child = start({ config, maxMegabytes, job }, 'inherit')
    let isSilent = false
    let isEnded = false
    const timer = setTimeout(() => {
      isSilent = child.kill('SIGKILL')
    }, silence(job)).unref()
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
