import type { CareFault } from '#contract/backup-status.ts'
import { hour, isFuture } from '#server/clock.ts'
import { dayIn, daysAfter, momentOf } from '#server/time-zone.rules.ts'

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
