import { isInBackground, type WorkStep } from '#contract/backup-status.ts'
import type { BackupType } from '#contract/backups.ts'
import type { MergeSource } from '#contract/restores.ts'
import type { Doer } from '#server/features/activity/activity.queries.ts'
import { Problem } from '#server/http/problem.ts'
import type { OpenFile } from '#server/storage/storage.ts'
import type { MergeMode } from './restore/merge.rules.ts'

/** A file that is listed, that was uploaded, or that the console has opened. */
export type JobSource = MergeSource | { opened: OpenFile; filename: string }

/** What the worker does; everything but a download under one lock, in all processes. */
export type Job = (
  | { kind: BackupType | 'night' | 'copy' | 'integrity' }
  | { kind: 'restore-test'; filename: string }
  | { kind: 'preview'; source: JobSource; mode: MergeMode }
  | { kind: MergeMode; source: JobSource; without: readonly number[] }
  | { kind: 'undo'; id: string }
) & {
  /** Who has begun it on the page. */
  by?: Doer
}

export const isScheduled = (job: Job) => isInBackground(job) || job.kind === 'night'

/** Sent to a worker that is to end by itself. */
export const stopMessage = 'stop'

/** So many of so many: photos, records or bytes. Called at least once a second while something moves: silence ends the worker. */
export type Progress = (step: WorkStep, done: number, total: number) => void

export const noProgress: Progress = () => {}

const megabyte = 1024 * 1024

/** What stays free for the database and the log. */
export const usualMargin = 32 * megabyte
/** More for nightly backups: the maker must be able to upload photos until the warning is read. */
export const nightMargin = 256 * megabyte

/** Refuses before anything is written when it would not fit. */
export async function ensureRoom(disk: { freeBytes(): Promise<number> }, bytes: number, margin = usualMargin) {
  const free = (await disk.freeBytes()) - margin
  if (free >= bytes) return
  const [neededMegabytes = 0, freeMegabytes = 0] = [bytes, Math.max(0, free)].map((each) => Math.ceil(each / 1_000_000))
  throw new Problem('disk_full', { details: { neededMegabytes, freeMegabytes } })
}
