import type { BackupFault } from '#contract/backup-status.ts'
import { day, isFuture, minute } from '../clock.ts'
import type { JobRow } from '../database/tables.ts'
import type { JobChanges } from './jobs.queries.ts'

/** Until the first, the second and every later retry. */
const usualWaits = [5 * minute, 15 * minute, 60 * minute]
const longestWait = day

/** When it is tried again; null also for a moment that a clock that was ahead has written. */
export function nextTryOf({ nextTry }: JobRow, now: Date) {
  return nextTry && !isFuture(nextTry, new Date(now.getTime() + longestWait)) ? new Date(nextTry) : null
}

/** Whether a job is due that runs so many milliseconds after its last success, or when it is to be tried again. */
export function isTimeFor(row: JobRow, every: number, now: Date) {
  const nextTry = nextTryOf(row, now)
  if (nextTry) return nextTry <= now
  return !row.lastSuccess || isFuture(row.lastSuccess, now) || Date.parse(row.lastSuccess) + every <= now.getTime()
}

type Failure = Pick<BackupFault, 'code' | 'details'>

export function failureAfter({ failures }: JobRow, { code, details }: Failure, now: Date, waits = usualWaits) {
  const wait = waits[Math.min(failures, waits.length - 1)] ?? longestWait
  return {
    failures: failures + 1,
    lastError: { code, ...(details !== undefined && { details }), at: now.toISOString() },
    nextTry: new Date(now.getTime() + wait).toISOString(),
  } satisfies JobChanges
}

/** As the panel is shown it; null when the job went well the last time. */
export function faultOf({ failures, lastError, nextTry }: JobRow): BackupFault | null {
  return lastError && { ...lastError, tries: failures, nextTryAt: nextTry ?? lastError.at }
}
