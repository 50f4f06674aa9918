import type { CareFault } from '#contract/backup-status.ts'
import { daysBefore, isFuture } from '#server/clock.ts'
import type { CareRow } from '#server/database/tables.ts'
import { faultAfter, faultFoundBy } from './faults.rules.ts'
import { isWhole } from './retention.rules.ts'

const daysBetweenTrials = 30
/** Until the next try after one that went wrong: it costs hours of a small machine. */
const waitMinutes = [24 * 60]

/** Whether the last trial is long enough ago; one that found a fault is repeated the next day. */
export function isTrialDue({ trial }: Pick<CareRow, 'trial'>, now: Date) {
  if (!trial) return true
  if (trial.fault) return trial.fault.nextTryAt <= now.toISOString()
  return trial.at <= daysBefore(now, daysBetweenTrials).toISOString()
}

type Ended = { filename: string; fault?: Pick<CareFault, 'code' | 'details'> | undefined }

/** What is remembered of one. What it has found wrong is not forgotten because there is no room for the next. */
export function trialAfter(before: CareRow['trial'], ended: Ended, now: Date): CareRow['trial'] {
  const found = faultFoundBy(before)
  const trial = { filename: ended.filename, at: now.toISOString(), fault: null }
  if (!ended.fault) return trial
  const after = { ...trial, fault: faultAfter(found, ended.fault, now, waitMinutes) }
  return before && found && !faultFoundBy(after) ? { ...before, fault: faultAfter(found, found, now, waitMinutes) } : after
}

/**
 * The newest whole complete backup, of names that are newest first. None on the first day of a site: it is being filled, and
 * whoever has just set it up needs its processor.
 */
export function backupToTry(filenames: readonly string[], { siteCreatedAt, now }: { siteCreatedAt: string; now: Date }) {
  const isNew = siteCreatedAt > daysBefore(now, 1).toISOString() && !isFuture(siteCreatedAt, now)
  if (isNew) return undefined
  return filenames.find(isWhole)
}
