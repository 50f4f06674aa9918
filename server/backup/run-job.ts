import { type Job, noProgress, type Progress } from './job.ts'
import type { JobParts } from './make-backup.ts'
import { makeNightly } from './nightly.ts'
import { createOffsiteCopies } from './offsite-copies.ts'
import { openTarget } from './offsite-target.ts'
import { createRestoreTests } from './restore-test.ts'

export async function runJob(parts: JobParts, job: Job, progress: Progress = noProgress): Promise<unknown> {
  const { config } = parts
  if (job.kind === 'nightly') return makeNightly(parts, job, progress)
  if (job.kind === 'restore-test') return createRestoreTests({ ...parts, settings: config }).run()
  if (job.kind === 'copy' && config.offsite) {
    return createOffsiteCopies({ ...parts, secret: config.backupSecret, target: openTarget(config.offsite) }).copyNow()
  }
  throw new Error(`No ${job.kind} before the worker is merged.`)
}
