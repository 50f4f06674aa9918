import type { ProblemCode } from '#contract/problems.ts'
import { day, dayIn, daysAfter, hour, isFuture, momentOf } from '#server/clock.ts'
import type { JobRow } from '#server/database/tables.ts'
import { faultOf, type JobRows, nextTryOf } from '#server/jobs/jobs.ts'

type Schedule = { now: Date; at: string; timeZone: string }

/** The last moment at which a backup was due, `now` included. */
export function lastDue(schedule: Schedule): Date {
  // Two days back: a time zone can skip a day.
  return dueOn([0, -1, -2], schedule).find((moment) => moment <= schedule.now) ?? schedule.now
}

export function nextDue(schedule: Schedule): Date {
  return dueOn([0, 1, 2], schedule).find((moment) => moment > schedule.now) ?? schedule.now
}

/** So many days after today. */
function dueOn(days: number[], { now, at, timeZone }: Schedule) {
  return days.map((each) => momentOf(daysAfter(dayIn(timeZone, now), each), at, timeZone))
}

export type NightlyBackup = Schedule & { isOn: boolean; siteCreatedAt: string; row: JobRow }

/** Since when a backup has been due that is not made; undefined when none is. A machine that was off makes it late. */
export function dueSince({ isOn, siteCreatedAt, row: { lastSuccess }, ...schedule }: NightlyBackup): Date | undefined {
  const due = lastDue(schedule)
  // A moment in the future was stored by a clock that was ahead.
  const isDone = lastSuccess !== null && new Date(lastSuccess) >= due && new Date(lastSuccess) <= schedule.now
  const isOld = new Date(siteCreatedAt) < due || isFuture(siteCreatedAt, schedule.now)
  return isOn && isOld && !isDone ? due : undefined
}

/** How long a nightly backup may take before it is overdue. */
const graceHours = 2

export function isOverdue(schedule: Schedule) {
  return schedule.now.getTime() - lastDue(schedule).getTime() > graceHours * hour
}

/** Whether to make one now, or to try again. */
export function isDueNow(schedule: NightlyBackup) {
  const { row, now } = schedule
  const due = dueSince(schedule)
  if (!due) return false
  const hasFailedSince = row.lastError && new Date(row.lastError.at) >= due
  return !hasFailedSince || (nextTryOf(row, now) ?? now) <= now
}

/** Whether a backup job fails. A restore test without room on the disk has tested nothing, and is none. */
export function isFailing({ name, lastError }: JobRow, { isCopied }: { isCopied: boolean }) {
  if (name === 'restore-test' && lastError?.code === ('disk_full' satisfies ProblemCode)) return false
  return lastError !== null && (name !== 'copy' || isCopied)
}

export const backupJobNames = ['nightly', 'copy', 'restore-test'] as const
const triesBeforeMail = 3

/** What has failed again since the last mail, which is at least a day ago. */
export function faultsToMail(rows: JobRows, { now, isCopied }: { now: Date; isCopied: boolean }) {
  const isOld = (moment: string | null) => !moment || Date.parse(moment) <= now.getTime() - day
  const mailedAt = rows['fault-mails'].lastSuccess
  if (!isOld(mailedAt)) return []
  return backupJobNames.flatMap((job) => {
    const row = rows[job]
    const fault = faultOf(row)
    if (!fault || !isFailing(row, { isCopied }) || fault.tries < triesBeforeMail) return []
    // A copy only after a day: the backup itself is on the server.
    if ((job === 'copy' && !isOld(row.lastSuccess)) || (mailedAt && fault.at <= mailedAt)) return []
    return [{ job, fault }]
  })
}
