import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { DumpFailed, transientTables } from './dump.ts'
import { postgresEnvironment } from './postgres-pool.ts'
import { debianPostgresFolders, foldersOnPath, isProgram } from './postgres-programs.ts'

export type PgDump = { program: string; major: number }

export type DumpOptions = {
  /** Where pg_dump may be; the first that is new enough is taken. */
  folders?: readonly string[]
  /** In milliseconds. */
  timeout?: number
}

/** The last lines tell whether the dump is complete. */
const endBytes = 1_000

/** Writes the database as SQL. `serverMajor` is the version of the server: an older pg_dump does not understand it. */
export async function dumpPostgres(
  url: string,
  serverMajor: number,
  write: (content: Readable) => Promise<void>,
  { folders = [...foldersOnPath(), ...debianPostgresFolders()], timeout = 10 * 60 * 1000 }: DumpOptions = {},
) {
  const { program } = choosePgDump(await findPgDumps(folders), serverMajor)
  const leftOut = transientTables.map((table) => `--exclude-table-data=${table}`)
  const args = ['--no-owner', '--no-privileges', '--encoding=UTF8', ...leftOut]
  // In the environment of the machine these two would lead to another server than the address.
  const others = { ...process.env, PGSERVICE: undefined, PGHOSTADDR: undefined, PGCONNECT_TIMEOUT: '10' }
  const env = { ...others, ...postgresEnvironment(url) }
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'], timeout, killSignal: 'SIGKILL' })
  const closed = once(child, 'close')
  let end = Buffer.alloc(0)
  async function* rememberingTheEnd(content: AsyncIterable<Buffer>) {
    for await (const chunk of content) {
      end = Buffer.concat([end, chunk.subarray(-endBytes)]).subarray(-endBytes)
      yield chunk
    }
  }
  const writing = write(Readable.from(rememberingTheEnd(child.stdout), { objectMode: false })).catch((error: unknown) => {
    child.kill('SIGKILL')
    throw error
  })
  const [complaints, [code, signal]] = await Promise.all([text(child.stderr), closed, writing])
  if (signal) throw new DumpFailed('pg_dump_slow', `pg_dump was stopped by ${signal}: ${complaints}`)
  if (code !== 0) throw new DumpFailed('database_backup_failed', `pg_dump ended with ${code}: ${complaints}`)
  if (!end.includes('PostgreSQL database dump complete')) {
    throw new DumpFailed('database_backup_failed', 'pg_dump ended with 0, but its output is incomplete.')
  }
}

/** The first that is new enough. */
export function choosePgDump(installed: readonly PgDump[], serverMajor: number): PgDump {
  const fitting = installed.find(({ major }) => major >= serverMajor)
  if (fitting) return fitting
  if (installed.length === 0) throw new DumpFailed('pg_dump_missing', 'pg_dump was not found.')
  const versions = installed.map(({ program, major }) => `${program} (${major})`).join(', ')
  throw new DumpFailed('pg_dump_older', `PostgreSQL is ${serverMajor}, and of pg_dump there is only ${versions}.`)
}

async function findPgDumps(folders: readonly string[]): Promise<PgDump[]> {
  const programs = [...new Set(folders.map((folder) => path.join(folder, 'pg_dump')))].filter(isProgram)
  return (await Promise.all(programs.map(versionOf))).flatMap((pgDump) => pgDump ?? [])
}

async function versionOf(program: string): Promise<PgDump | undefined> {
  const child = spawn(program, ['--version'], { stdio: ['ignore', 'pipe', 'ignore'], timeout: 10_000 })
  child.on('error', () => {})
  const major = /\(PostgreSQL\) (\d+)/.exec(await text(child.stdout))?.[1]
  return major ? { program, major: Number(major) } : undefined
}
