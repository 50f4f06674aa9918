import { writeFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { systemClock as clock } from '../clock.ts'
import type { Config } from '../config.ts'
import { openDatabase } from '../database/open.ts'
import { createImages } from '../features/images/image-store.ts'
import { judgeImage } from '../features/images/image-tasks.ts'
import { asProblem, Problem } from '../http/problem.ts'
import { openLog } from '../log.ts'
import { keepFilesPrivate } from '../start/data-folder.ts'
import { openStorage } from '../storage/open-storage.ts'
import { storedBackup } from './backup-names.ts'
import { openEncryption } from './encryption.ts'
import type { Job } from './job.ts'
import { runJob } from './run-job.ts'
import type { WorkerMessage } from './start-worker.ts'

/** What the site sends: a job, or a backup that is written to the standard output, encrypted. */
export type WorkerOrder = { config: Config; maxMegabytes: number } & ({ job: Job } | { download: string })

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
  const encoder = { judge: judgeImage }
  const images = createImages({ database, storage, clock, encoder })
  try {
    return await runJob({ config, database, storage, clock, log, images }, job, (step, done, total) =>
      send({ progress: { step, done, total } }),
    )
  } finally {
    await database.close()
  }
}

async function download(config: Config, filename: string) {
  const stored = await (await openStorage(config, { readOnly: true })).stream(storedBackup(filename))
  if (!stored || !config.backupSecret) throw new Problem('backup_not_found')
  const { content, bytes } = await openEncryption(config.backupSecret).encrypt(stored.content, stored.bytes)
  send({ bytes })
  await pipeline(content, process.stdout)
}

function send(message: WorkerMessage) {
  if (process.connected) process.send?.(message)
}

function asMessage(thrown: unknown): WorkerMessage {
  const { code, details, fields, cause } = asProblem(thrown)
  return { problem: { code, details, fields, cause: cause instanceof Error ? cause.stack : cause && String(cause) } }
}

/** A bomb ends this program and not the site. Node's heap limit does not count buffers. */
function limitMemory(megabytes: number) {
  setInterval(() => {
    if (process.memoryUsage.rss() > megabytes * 1024 * 1024) process.kill(process.pid, 'SIGKILL')
  }, 50).unref()
}

keepFilesPrivate()
process.once('message', async ({ config, maxMegabytes, ...order }: WorkerOrder) => {
  limitMemory(maxMegabytes)
  // When memory runs short, the system kills this program and not the site.
  await writeFile('/proc/self/oom_score_adj', '1000').catch(() => {})
  const message = await ('job' in order ? run(config, order.job) : download(config, order.download)).then(
    (result): WorkerMessage => ({ result }),
    asMessage,
  )
  // Not before it is sent.
  process.send?.(message, () => process.exit())
})
// Ctrl+C reaches this program too; the site decides when it ends.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})
process.on('disconnect', () => process.exit())
