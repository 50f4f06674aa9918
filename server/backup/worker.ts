import { writeFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { inspect } from 'node:util'
import { systemClock as clock } from '../clock.ts'
import { type Config, ConfigError } from '../config.ts'
import { DatabaseUnreachable } from '../database/database-errors.ts'
import { openDatabase } from '../database/open.ts'
import { asProblem, Problem } from '../http/problem.ts'
import { openLog } from '../log.ts'
import { keepFilesPrivate } from '../start/data-folder.ts'
import { openStorage } from '../storage/open-storage.ts'
import { storedBackup } from './backup-names.ts'
import { openEncryption } from './encryption.ts'
import { type Job, stopMessage } from './job.ts'
import { runJob } from './run-job.ts'
import type { WorkerMessage } from './start-worker.ts'

/** What the site sends: a job, or a backup that is written to the standard output, encrypted. */
export type WorkerOrder = { config: Config; maxMegabytes: number } & ({ job: Job } | { download: string })

let isStopping = false

async function run(config: Config, job: Job) {
  const log = await openLog(config)
  const database = await openDatabase({
    url: config.databaseUrl,
    dataDir: config.dataDir,
    asGuest: true,
    unchecked: true,
    maxConnections: 2,
    onLost: (error) => log.warn({ err: error }, 'the database dropped an idle connection'),
  })
  const storage = await openStorage(config)
  try {
    return await runJob({ config, database, storage, clock, log }, job, (step, done, total) => {
      if (isStopping) throw new Problem('backup_in_progress')
      send({ progress: { step, done, total } })
    })
  } finally {
    // What was done is done.
    await database.close().catch((error: unknown) => log.warn({ err: error }, 'the database could not be closed'))
  }
}

async function download(config: Config, filename: string) {
  const stored = await (await openStorage(config, { ours: false })).stream(storedBackup(filename))
  if (!stored || !config.backupSecret) throw new Problem('backup_not_found')
  const { content, bytes } = await openEncryption(config.backupSecret).encrypt(stored.content, stored.bytes)
  send({ bytes })
  await pipeline(content, process.stdout)
}

function send(message: WorkerMessage) {
  if (process.connected) process.send?.(message)
}

function asMessage(thrown: unknown): WorkerMessage {
  const { code, details, fields, cause } = asProblem(unreachable(thrown))
  // With the causes of the cause, as the log has them.
  return { problem: { code, details, fields, cause: cause === undefined ? undefined : inspect(cause) } }
}

/** What stops a start is an outage for a site that runs. */
function unreachable(error: unknown) {
  if (error instanceof ConfigError) return new Problem('storage_unavailable', { cause: error })
  return error instanceof DatabaseUnreachable ? new Problem('unavailable', { cause: error }) : error
}

/** A bomb ends this program and not the site. Node's heap limit does not count buffers. */
function limitMemory(megabytes: number) {
  setInterval(() => {
    if (process.memoryUsage.rss() > megabytes * 1024 * 1024) process.kill(process.pid, 'SIGKILL')
  }, 50).unref()
}

async function answer({ config, maxMegabytes, ...order }: WorkerOrder) {
  limitMemory(maxMegabytes)
  // When memory runs short, the system kills this program and not the site.
  await writeFile('/proc/self/oom_score_adj', '1000').catch(() => {})
  const message = await ('job' in order ? run(config, order.job) : download(config, order.download)).then(
    (result): WorkerMessage => ({ result }),
    asMessage,
  )
  // Not before it is sent.
  process.send?.(message, () => process.exit())
}

keepFilesPrivate()
process.on('message', (order: WorkerOrder | typeof stopMessage) => {
  if (order === stopMessage) isStopping = true
  else void answer(order)
})
// Ctrl+C reaches this program too; the site decides when it ends.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})
process.on('disconnect', () => process.exit())
