import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import type { FastifyBaseLogger } from 'fastify'
import { Problem } from '#server/http/problem.ts'
import { bareEnvironment, lowerPriority } from '#server/own-program.ts'
import type { Answer } from './encoder-entry.ts'
import type { Variant } from './image.rules.ts'
// Types only: the site's own process must not load the image library.
import type { ImagePlace, RunTask, Task } from './image-tasks.ts'

export type Encoder = ReturnType<typeof createEncoder>

type Priority = 'high' | 'visitors' | 'judged' | 'low'

type Worker = { run: RunTask; stop?: () => Promise<void> }

type Parts = Worker & {
  /** Starts one more, for a free core. */
  another?: () => Worker
  mayHelp?: typeof hasRoomForAnother
  /** Starting one takes half a second, which does not pay for fewer photos. */
  helpAfter?: number
}

/**
 * A queue in front of the image library: one image at a time, because a small machine has memory for one. Where there is more,
 * the photos of a restore are judged by several processes.
 */
export function createEncoder({ run, stop = async () => {}, another, mayHelp = hasRoomForAnother, helpAfter = 12 }: Parts) {
  const queues: Record<Priority, ((run: RunTask) => Promise<void>)[]> = { high: [], visitors: [], judged: [], low: [] }
  const background = () => queues.judged.shift() ?? queues.low.shift()
  const helpers: Worker[] = []
  const idle: Worker[] = []
  let helping = 0
  let judgedInARow = 0
  let running = false
  let isVisitorsTurn = false

  async function work() {
    if (running) return
    running = true
    for (;;) {
      // The maker's photos first. Visitors and background work take turns, so that a flood of visitors' photos does not stop it.
      const next =
        queues.high.shift() ??
        (isVisitorsTurn ? (queues.visitors.shift() ?? background()) : (background() ?? queues.visitors.shift()))
      if (!next) break
      isVisitorsTurn = !isVisitorsTurn
      await next(run)
    }
    judgedInARow = 0
    running = false
  }

  /** Takes photos of a restore only: a helper may be ended at any time, and its low priority would make people wait. */
  async function help() {
    if (!another || judgedInARow < helpAfter || !mayHelp(helping)) return
    helping += 1
    const helper = idle.pop() ?? another()
    if (!helpers.includes(helper)) helpers.push(helper)
    for (let next = queues.judged.shift(); next; next = queues.judged.shift()) await next(helper.run)
    idle.push(helper)
    helping -= 1
  }

  function enqueue<T>(priority: Priority, task: (run: RunTask) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      queues[priority].push((by) => task(by).then(resolve, reject))
      void work()
      if (queues.judged.length > 0) void help()
    })
  }

  return {
    /** Before every variant: a person waits for it. The file is loaded only then, so that the queue holds no files. */
    prepare: (load: () => Promise<Buffer>) => enqueue('high', async (run) => run('prepareImage', await load())),
    /** The same with a photo of a visitor, after the maker's; its longest side is at most so long. */
    prepareVisitors: (load: () => Promise<Buffer>, side: number) =>
      enqueue('visitors', async (run) => run('prepareVisitorsImage', await load(), side)),
    /** After what people wait for, and before every variant. */
    judge: (image: ImagePlace | Buffer) =>
      enqueue('judged', (run) => {
        judgedInARow += 1
        return run('judgeImage', image)
      }),
    makeVariant: (original: Buffer, variant: Variant) => enqueue('low', (run) => run('makeVariant', original, variant)),
    waiting: () => Object.values(queues).reduce((total, queue) => total + queue.length, 0),
    async stop() {
      await Promise.all([stop(), ...helpers.map((helper) => helper.stop?.())])
    },
  }
}

/** A third of the processor while the site needs it; all of it otherwise. */
const lowPriority = 5
/** Of those that help with a restore: a tenth. */
const helpersPriority = 10

/** More than a photo of a restore takes: on a machine of 512 MB there is one process. */
const bytesForAnother = 512 * 1024 * 1024
const mostHelpers = 3

/** Whether there is a core and memory for one process more beside so many that help already. */
export function hasRoomForAnother(
  helping: number,
  { cores, bytes } = { cores: availableParallelism(), bytes: process.availableMemory() },
) {
  return helping < Math.min(cores - 1, mostHelpers) && bytes >= bytesForAnother
}

/** Visitors' photos must not block the encoder for long. */
const timeoutOf = (name: Task[0]) => (name === 'prepareVisitorsImage' ? 20_000 : 120_000)

type Program = {
  file: string
  execArgv?: string[]
  log: FastifyBaseLogger
  timeout?: (name: Task[0]) => number
  idleTimeout?: number
  priority?: number
}

/**
 * Runs the image library in a child process, started for the first image and ended when idle. The site stays small, a file
 * that crashes a decoder fails alone, and the decoder knows none of the site's secrets.
 */
export function encoderProcess(program: Program) {
  const { file, execArgv = [], log, timeout = timeoutOf, idleTimeout = 30_000, priority = lowPriority } = program
  let child: ChildProcess | undefined
  let idleTimer: NodeJS.Timeout | undefined
  let stopping = false

  function start() {
    const started = fork(file, {
      execArgv: [...execArgv, '--expose-gc'],
      serialization: 'advanced',
      env: bareEnvironment,
    })
    // A process that could not be started emits no exit.
    started.on('error', (error) => {
      log.warn({ err: error }, 'the encoder could not be reached')
      release(started)
    })
    started.once('exit', () => release(started))
    lowerPriority(started.pid, priority)
    return started
  }

  /** Before the process has ended, so that the next image starts a new one. */
  function release(worker: ChildProcess) {
    if (child === worker) child = undefined
    if (worker.connected) worker.disconnect()
  }

  /** Rejects when the process emits an error. */
  async function ask(worker: ChildProcess, task: Task): Promise<Answer> {
    let isLate = false
    const timer = setTimeout(() => {
      isLate = worker.kill('SIGKILL')
    }, timeout(task[0]))
    const listening = new AbortController()
    try {
      const answered = once(worker, 'message', listening).then(([answer]) => answer as Answer)
      const crashed = once(worker, 'exit', listening).then(([code, signal]): Answer => {
        if (!stopping) log.warn({ code, signal, task: task[0] }, 'the encoder ended in the middle of a photo')
        if (isLate) return { problem: 'image_too_slow' }
        // The process kills itself when it needs too much memory, and so does the system.
        return { problem: signal === 'SIGKILL' ? 'image_needs_memory' : 'image_broken' }
      })
      worker.send(task)
      return await Promise.race([answered, crashed])
    } finally {
      clearTimeout(timer)
      listening.abort()
    }
  }

  async function run(...task: Task): Promise<unknown> {
    clearTimeout(idleTimer)
    child ??= start()
    const worker = child
    const answer = await ask(worker, task)
    idleTimer = setTimeout(() => release(worker), idleTimeout).unref()
    if ('problem' in answer) throw new Problem(answer.problem)
    if ('failure' in answer) throw new Error(answer.failure)
    return answer.result
  }

  return {
    run: run as RunTask,
    another: () => encoderProcess({ ...program, priority: helpersPriority }),
    async stop() {
      stopping = true
      clearTimeout(idleTimer)
      if (!child) return
      const ended = Promise.race([once(child, 'exit'), once(child, 'error')])
      child.kill('SIGKILL')
      await ended
    },
  }
}
