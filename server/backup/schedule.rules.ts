import type { BackupFault } from '#contract/backup-status.ts'
import type { ProblemCode } from '#contract/problems.ts'
import { day, dayIn, daysAfter, hour, isFuture, momentOf } from '#server/clock.ts'
import type { BackupJobsRow } from '#server/database/tables.ts'

type Schedule = { now: Date; at: string; timeZone: string }

/** The last moment at which a backup was due, `now` included. */
export function lastDue({ now, at, timeZone }: Schedule): Date {
  // Two days back: a time zone can skip a day.
  const due = [0, -1, -2].map((days) => momentOf(daysAfter(dayIn(timeZone, now), days), at, timeZone))
  return due.find((moment) => moment <= now) ?? now
}

export function nextDue({ now, at, timeZone }: Schedule): Date {
  const due = [0, 1, 2].map((days) => momentOf(daysAfter(dayIn(timeZone, now), days), at, timeZone))
  return due.find((moment) => moment > now) ?? now
}

export type NightlyBackup = Schedule & {
  isOn: boolean
  siteCreatedAt: string
  doneAt: string | null
  fault: BackupFault | null
}

/** Since when a backup has been due that is not made; undefined when none is. A machine that was off makes it late. */
export function dueSince({ isOn, siteCreatedAt, doneAt, ...schedule }: Omit<NightlyBackup, 'fault'>): Date | undefined {
  const due = lastDue(schedule)
  const isBefore = (moment: string) => Date.parse(moment) < due.getTime()
  // A moment in the future was stored by a clock that was ahead.
  const isDone = doneAt !== null && !isBefore(doneAt) && Date.parse(doneAt) <= schedule.now.getTime()
  const isOld = isBefore(siteCreatedAt) || isFuture(siteCreatedAt, schedule.now)
  return isOn && isOld && !isDone ? due : undefined
}

/** How long a nightly backup may take before it is overdue. */
const graceHours = 2

export function isOverdue(schedule: Schedule) {
  return schedule.now.getTime() - lastDue(schedule).getTime() > graceHours * hour
}

/** Whether to make one now, or to try again. */
export function isDueNow({ fault, ...schedule }: NightlyBackup) {
  const due = dueSince(schedule)
  if (!due) return false
  const hasFailedSince = fault && Date.parse(fault.at) >= due.getTime()
  return !hasFailedSince || Date.parse(fault.nextTryAt) <= schedule.now.getTime()
}

/** Minutes until the first, the second and every later retry. */
const retryMinutes = [5, 15, 60]

/** The stored fault of a job that has failed, after `before`. */
export function faultAfter(
  before: BackupFault | null,
  { code, details }: Pick<BackupFault, 'code' | 'details'>,
  now: Date,
  waits: readonly number[] = retryMinutes,
): BackupFault {
  const tries = (before?.tries ?? 0) + 1
  const minutes = waits[Math.min(tries, waits.length) - 1] ?? 60
  return {
    code,
    ...(details !== undefined && { details }),
    at: now.toISOString(),
    tries,
    nextTryAt: new Date(now.getTime() + minutes * 60_000).toISOString(),
  }
}

/** The fault of the last restore test. A full disk is none: then nothing was tested. */
export function restoreTestFault(restoreTest: BackupJobsRow['trial']): BackupFault | null {
  const { fault = null } = restoreTest ?? {}
  return fault?.code === ('disk_full' satisfies ProblemCode) ? null : fault
}

type FaultKind = 'night' | 'copy' | 'trial'

type Faults = Pick<BackupJobsRow, 'nightFault' | 'copyFault' | 'trial' | 'mailedAt'> & {
  /** When an off-site copy was last read back. */
  copiedAt: string | null
}

const triesBeforeMail = 3

/** What has failed again since the last mail, which is at least a day ago. */
export function faultsToMail({ nightFault, copyFault, trial, mailedAt, copiedAt }: Faults, now: Date) {
  const dayAgo = now.getTime() - day
  const isOld = (moment: string | null) => !moment || Date.parse(moment) <= dayAgo
  if (!isOld(mailedAt)) return []
  const candidates: [FaultKind, BackupFault | null, boolean][] = [
    ['night', nightFault, true],
    // Only after a day: the backup itself is on the server.
    ['copy', copyFault, isOld(copiedAt)],
    ['trial', restoreTestFault(trial), true],
  ]
  return candidates.flatMap(([kind, fault, isOldEnough]) =>
    fault && isOldEnough && fault.tries >= triesBeforeMail && (!mailedAt || fault.at > mailedAt) ? [{ kind, fault }] : [],
  )
}
