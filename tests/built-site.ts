import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { projectRoot } from '#server/own-program.ts'

type Settings = Record<string, string>
type Account = { uid: number; gid: number }
export type Expected = { well?: boolean; account?: Account; root?: string }

/** `scripts/try-node.ts` names another release of Node. */
const node = process.env.NODE_OF_SITE ?? process.execPath

const running = new Set<ChildProcess>()
const endAll = () => {
  for (const child of running) child.kill('SIGKILL')
}
process.once('exit', endAll)
// Ctrl+C does not reach the sessions of these programs.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    endAll()
    process.kill(process.pid, signal)
  })
}

/** A program of the build, run with exactly these settings and nothing of the caller's own environment; ended with this process. */
export function runBuilt(
  program: 'main' | 'admin' | 'backup' | 'move' | 'doctor',
  settings: Settings,
  args: string[] = [],
  account?: Account,
  root = projectRoot,
) {
  const file = path.join(root, 'dist/server', `${program}.js`)
  if (!existsSync(file)) throw new Error('Nothing is built yet: npm run build')
  const child = spawn(node, [file, ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A session of its own: Linux shares the processor between sessions, so that the backup worker, which has the lowest
    // priority, waits for its own site and not for all other tests.
    detached: true,
    ...account,
  })
  running.add(child)
  const output = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text
  })
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null } & typeof output>((resolve) => {
    child.once('close', (code, signal) => {
      running.delete(child)
      resolve({ code, signal, ...output })
    })
  })
  return { child, ended, output }
}

export type BuiltSite = Awaited<ReturnType<typeof startBuiltSite>>

/** The built site on a free port, as it begins to start. */
export function beginBuiltSite(settings: Settings, account?: Account, root?: string) {
  const { child, ended, output } = runBuilt('main', { PORT: '0', LOG_LEVEL: 'info', ...settings }, [], account, root)
  return { child, ended, output, address: addressOf(child) }
}

/** The built site on a free port, once it answers. */
export async function startBuiltSite(settings: Settings, { well = true, account, root }: Expected = {}) {
  const { child, ended, output, address } = beginBuiltSite(settings, account, root)
  const url = await address
  if (!url) throw new Error(`The site did not start:\n${output.stdout}${output.stderr}`)
  const health = await fetch(new URL('/healthz', url))
  if (well && !health.ok) throw new Error(`The site started and is not well: ${await health.text()}`)
  return {
    url,
    pid: child.pid ?? 0,
    output,
    ended,
    /** Asks it to end and waits until it has. */
    async stop() {
      child.kill('SIGTERM')
      return ended
    },
    /** Pulls the plug. */
    async kill() {
      child.kill('SIGKILL')
      return ended
    },
    signal: (signal: NodeJS.Signals) => child.kill(signal),
  }
}

/** Where it says it is listening; undefined when it ends without ever doing so. */
async function addressOf({ stdout }: ChildProcess) {
  if (!stdout) return undefined
  for await (const line of createInterface(stdout)) {
    const address = /listening on (http:[^"]+)/.exec(line)?.[1]
    if (address) {
      stdout.resume()
      return address
    }
  }
  return undefined
}
