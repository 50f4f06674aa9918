import { type ChildProcess, fork } from 'node:child_process'
import { getPriority, setPriority } from 'node:os'
import type { FastifyBaseLogger } from 'fastify'
import { Problem } from '#server/http/problem.ts'
import type { Workshop } from './encoder.ts'
import type { Answer, Task } from './encoder-entry.ts'
import type { JudgedImage } from './judge-image.ts'
import type { PreparedImage } from './prepare-image.ts'

const { PATH, LD_LIBRARY_PATH, TMPDIR } = process.env

/** A third of the processor when both want it; all of it otherwise. */
const visitorsFirst = 5

/** The C library otherwise keeps a heap for each thread and gives little back: measured, 350 MB instead of 150. */
const thriftyMemory = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '65536', MALLOC_MMAP_THRESHOLD_: '65536' }

type Program = { file: string; execArgv?: string[]; log: FastifyBaseLogger; patience?: number; restAfter?: number }

/** Only a courtesy: who runs the site with little priority may not give others more, and need not. */
function stepBack(pid: number) {
  try {
    setPriority(pid, Math.max(visitorsFirst, getPriority()))
  } catch {
    // It works as well as the system lets it.
  }
}

/**
 * The image library in a process of its own, which begins with the first photo and ends when none has come for a while.
 * So the site stays small, a file that crashes a decoder crashes nothing else, and the decoder knows none of our secrets.
 */
export function encoderProcess({ file, execArgv = [], log, patience = 120_000, restAfter = 30_000 }: Program) {
  let child: ChildProcess | undefined
  let rest: NodeJS.Timeout | undefined
  let stopping = false

  function start() {
    const started = fork(file, {
      execArgv: [...execArgv, '--expose-gc'],
      serialization: 'advanced',
      env: { PATH, LD_LIBRARY_PATH, TMPDIR, ...thriftyMemory },
    })
    started.on('error', (error) => {
      log.warn({ err: error }, 'the encoder could not be reached')
      // One that never began never exits either.
      leave(started)
    })
    if (started.pid) stepBack(started.pid)
    started.once('exit', () => leave(started))
    return started
  }

  /** Forgotten before it is gone, so that a photo that comes in this moment begins a new one. */
  function leave(going: ChildProcess) {
    if (child === going) child = undefined
    if (going.connected) going.disconnect()
  }

  function ask(worker: ChildProcess, task: Task): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const outOfPatience = setTimeout(() => worker.kill('SIGKILL'), patience)
      const settle = (settled: () => void) => {
        clearTimeout(outOfPatience)
        worker.off('message', onMessage).off('exit', onExit).off('error', onError)
        settled()
      }
      const onExit = (code: number | null, signal: string | null) => {
        if (!stopping) log.warn({ code, signal, task: task.name }, 'the encoder ended in the middle of a photo')
        settle(() => resolve({ problem: 'image_broken' }))
      }
      const onMessage = (answer: Answer) => settle(() => resolve(answer))
      const onError = (error: Error) => settle(() => reject(error))
      worker.on('message', onMessage).on('exit', onExit).on('error', onError)
      worker.send(task)
    })
  }

  async function perform(task: Task): Promise<unknown> {
    clearTimeout(rest)
    child ??= start()
    const worker = child
    const answer = await ask(worker, task)
    rest = setTimeout(() => leave(worker), restAfter).unref()
    if ('problem' in answer) throw new Problem(answer.problem)
    if ('failure' in answer) throw new Error(answer.failure)
    return answer.result
  }

  const workshop: Workshop = {
    prepareImage: async (...given) => (await perform({ name: 'prepareImage', given })) as PreparedImage,
    copyImage: async (...given) => (await perform({ name: 'copyImage', given })) as Buffer,
    judgeImage: async (...given) => (await perform({ name: 'judgeImage', given })) as JudgedImage,
  }
  return {
    ...workshop,
    async stop() {
      stopping = true
      clearTimeout(rest)
      const ending = child
      if (!ending) return
      const ended = new Promise((resolve) => ending.once('exit', resolve).once('error', resolve))
      ending.kill('SIGKILL')
      await ended
    },
  }
}
