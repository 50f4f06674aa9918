import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { findPostgres } from '../scripts/test-tools.ts'

export type Cluster = {
  urlOf(database: string): string
  /** Ends every connection at once, as an administrator's restart does, and starts again after the work. */
  restart(whileDown?: () => Promise<void>): Promise<void>
  stop(): Promise<void>
}

type Options = {
  /** Further settings of the server, made once its data folder exists. */
  settings?: (data: string) => Promise<string[]>
}

/** A PostgreSQL of our own in a temporary folder, reachable through a socket in that folder and nowhere else. */
export async function startPostgres({ settings: moreSettings = async () => [] }: Options = {}): Promise<Cluster> {
  const bin = findPostgres()
  if (!bin) throw new Error('PostgreSQL was not found. npm test finds or installs it, or says how.')
  const folder = await mkdtemp(path.join(tmpdir(), 'vitrina-pg-'))
  const account = ordinaryAccount()
  if (account) await chown(folder, account.uid, account.gid)
  const options = { cwd: folder, ...account, stdio: ['ignore', 'ignore', 'pipe'] as ['ignore', 'ignore', 'pipe'] }
  const data = path.join(folder, 'data')

  const making = spawn(
    path.join(bin, 'initdb'),
    ['-D', data, '-U', 'vitrina', '-A', 'trust', '-E', 'UTF8', '--locale', 'C.UTF-8', '--no-sync'],
    options,
  )
  const complaints = making.stderr.toArray()
  const [code] = await once(making, 'close')
  if (code !== 0) throw new Error(`initdb failed:\n${(await complaints).join('')}`)

  // The tests kill processes, never the machine: what was written is there without waiting for the disk.
  const settings = ['listen_addresses=', 'max_connections=300', 'log_min_messages=log', 'lc_messages=C', 'fsync=off']
  settings.push(...(await moreSettings(data)))
  const start = async () => {
    const server = spawn(
      path.join(bin, 'postgres'),
      ['-D', data, '-k', folder, ...settings.flatMap((setting) => ['-c', setting])],
      options,
    )
    const ended = once(server, 'exit')
    const endWithUs = () => server.kill('SIGQUIT')
    process.once('exit', endWithUs)
    await readiness(server.stderr)
    return async (signal: 'SIGINT' | 'SIGQUIT') => {
      process.off('exit', endWithUs)
      server.kill(signal)
      await ended
    }
  }
  let end = await start()

  return {
    urlOf: (database) => `postgres://vitrina@/${database}?host=${encodeURIComponent(folder)}`,
    async restart(whileDown) {
      await end('SIGINT')
      await whileDown?.()
      end = await start()
    },
    async stop() {
      await end('SIGQUIT')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function readiness(output: NodeJS.ReadableStream) {
  const lines: string[] = []
  const reader = createInterface(output)
  for await (const line of reader) {
    lines.push(line)
    if (line.includes('ready to accept connections')) {
      output.resume()
      return
    }
  }
  throw new Error(`PostgreSQL did not start:\n${lines.join('\n')}`)
}

/** PostgreSQL refuses to run as root; root lends it the identity of somebody who may do less. */
function ordinaryAccount() {
  if (process.getuid?.() !== 0) return undefined
  const accounts = readFileSync('/etc/passwd', 'utf8').split('\n')
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = accounts.find((line) => line.startsWith(`${name}:`))?.split(':') ?? []
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) }
  }
  throw new Error('PostgreSQL does not run as root, and there is no account "postgres" or "nobody" to lend it.')
}
