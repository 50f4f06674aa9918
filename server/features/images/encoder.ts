import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { FastifyBaseLogger } from 'fastify'
import { Problem } from '#server/http/problem.ts'
import { bareEnvironment, lowerPriority } from '#server/own-program.ts'
import type { Answer } from './encoder-entry.ts'
import type { Variant } from './image.rules.ts'
// Types only: the site's own process must not load the image library.
import type { ImagePlace, RunTask, Task } from './image-tasks.ts'

export type Encoder = ReturnType<typeof createEncoder>

type Priority = 'high' | 'visitors' | 'low'

type Parts = { run: RunTask; stop?: () => Promise<void> }

/** A queue in front of the image library: one image at a time, because a small machine has memory for one. */
export function createEncoder({ run, stop = async () => {} }: Parts) {
  const queues: Record<Priority, (() => Promise<void>)[]> = { high: [], visitors: [], low: [] }
  let running = false
  let isVisitorsTurn = false

  async function work() {
    if (running) return
    running = true
    for (;;) {
      const { high, visitors, low } = queues
      // The maker's photos first. Visitors and background work take turns, so that a flood of visitors' photos does not stop it.
      const next = high.shift() ?? (isVisitorsTurn ? (visitors.shift() ?? low.shift()) : (low.shift() ?? visitors.shift()))
      if (!next) break
      isVisitorsTurn = !isVisitorsTurn
      await next()
    }
    running = false
  }

  function enqueue<T>(priority: Priority, task: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      queues[priority].push(() => task().then(resolve, reject))
      void work()
    })
  }

  return {
    /** Before every variant: a person waits for it. The file is loaded only then, so that the queue holds no files. */
    prepare: (load: () => Promise<Buffer>) => enqueue('high', async () => run('prepareImage', await load())),
    /** The same with a photo of a visitor, after the maker's; its longest side is at most so long. */
    prepareVisitors: (load: () => Promise<Buffer>, side: number) =>
      enqueue('visitors', async () => run('prepareVisitorsImage', await load(), side)),
    judge: (image: ImagePlace | Buffer) => enqueue('low', () => run('judgeImage', image)),
    makeVariant: (original: Buffer, variant: Variant, priority: Priority = 'low') =>
      enqueue(priority, () => run('makeVariant', original, variant)),
    waiting: () => Object.values(queues).reduce((total, queue) => total + queue.length, 0),
    stop,
  }
}

/** A third of the processor while the site needs it; all of it otherwise. */
const lowPriority = 5

/** Visitors' photos must not block the encoder for long. */
const timeoutOf = (name: Task[0]) => (name === 'prepareVisitorsImage' ? 20_000 : 120_000)

type Program = {
  file: string
  execArgv?: string[]
  log: FastifyBaseLogger
  timeout?: (name: Task[0]) => number
  idleTimeout?: number
}

/**
 * Runs the image library in a child process, started for the first image and ended when idle. The site stays small, a file
 * that crashes a decoder fails alone, and the decoder knows none of the site's secrets.
 */
export function encoderProcess(program: Program) {
  const { file, execArgv = [], log, timeout = timeoutOf, idleTimeout = 30_000 } = program
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
    lowerPriority(started.pid, lowPriority)
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
