import type { CareFault } from '#contract/backup-status.ts'
import type { ProblemCode } from '#contract/problems.ts'
import { day, dayIn, daysAfter, hour, isFuture, momentOf } from '#server/clock.ts'
import type { CareRow } from '#server/database/tables.ts'

type Schedule = { now: Date; at: string; timeZone: string }

/** The last moment at which a backup was due, which may be this one. */
export function lastDue({ now, at, timeZone }: Schedule): Date {
  // Two back: there are days that a time zone leaves out.
  const due = [0, -1, -2].map((days) => momentOf(daysAfter(dayIn(timeZone, now), days), at, timeZone))
  return due.find((moment) => moment <= now) ?? now
}

export function nextDue({ now, at, timeZone }: Schedule): Date {
  const due = [0, 1, 2].map((days) => momentOf(daysAfter(dayIn(timeZone, now), days), at, timeZone))
  return due.find((moment) => moment > now) ?? now
}

export type Night = Schedule & {
  isOn: boolean
  siteCreatedAt: string
  doneAt: string | null
  fault: CareFault | null
}

/** Since when a backup has been due that is not made; undefined when none is. A machine that slept through it is late, and not excused. */
export function dueSince({ isOn, siteCreatedAt, doneAt, ...schedule }: Omit<Night, 'fault'>): Date | undefined {
  const due = lastDue(schedule)
  const isBefore = (moment: string) => Date.parse(moment) < due.getTime()
  // One of the future was made by a clock that was wrong.
  const isDone = doneAt !== null && !isBefore(doneAt) && Date.parse(doneAt) <= schedule.now.getTime()
  const isOld = isBefore(siteCreatedAt) || isFuture(siteCreatedAt, schedule.now)
  return isOn && isOld && !isDone ? due : undefined
}

/** What takes longer than this is late. */
const graceHours = 2

/** Whether one should have been made by now, counted from when it was due. */
export function isNightOver(schedule: Schedule) {
  return schedule.now.getTime() - lastDue(schedule).getTime() > graceHours * hour
}

/** Whether it is time to make one, or to try again. */
export function isTimeFor({ fault, ...night }: Night) {
  const due = dueSince(night)
  if (!due) return false
  const isOfThisNight = fault && Date.parse(fault.at) >= due.getTime()
  return !isOfThisNight || Date.parse(fault.nextTryAt) <= night.now.getTime()
}

/** A moment of bad luck is over soon; a full disk is not. */
const waitMinutes = [5, 15, 60]

/** What is remembered of a failure, after the one before it. */
export function faultAfter(
  before: CareFault | null,
  { code, details }: Pick<CareFault, 'code' | 'details'>,
  now: Date,
  waits: readonly number[] = waitMinutes,
): CareFault {
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

/** What a trial has found wrong. Want of room, in which nothing was tried, says nothing about backups. */
export function faultFoundBy(trial: CareRow['trial']): CareFault | null {
  const { fault = null } = trial ?? {}
  return fault?.code === ('disk_full' satisfies ProblemCode) ? null : fault
}

type FaultKind = 'night' | 'copy' | 'trial'

type Faults = Pick<CareRow, 'nightFault' | 'copyFault' | 'trial' | 'mailedAt'> & {
  /** When a copy elsewhere was last read back. */
  copiedAt: string | null
}

/** So often in a row, and it is worth a mail. */
const triesToTell = 3

/** What the maker is told by mail now: what has failed again since the last mail, which is a day ago at least. */
export function faultsToTell({ nightFault, copyFault, trial, mailedAt, copiedAt }: Faults, now: Date) {
  const dayAgo = now.getTime() - day
  const isOld = (moment: string | null) => !moment || Date.parse(moment) <= dayAgo
  if (!isOld(mailedAt)) return []
  const worthIt: [FaultKind, CareFault | null, boolean][] = [
    ['night', nightFault, true],
    // The backup is on the server: a day without a copy can be borne.
    ['copy', copyFault, isOld(copiedAt)],
    ['trial', faultFoundBy(trial), true],
  ]
  return worthIt.flatMap(([kind, fault, isTime]) =>
    fault && isTime && fault.tries >= triesToTell && (!mailedAt || fault.at > mailedAt) ? [{ kind, fault }] : [],
  )
}
