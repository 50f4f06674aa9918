import { backupType, missingFromBackup } from '#contract/backups.ts'
import { daysBefore } from '#server/clock.ts'
import type { CareRow } from '#server/database/tables.ts'
import { madeAt } from '../backup-names.ts'

const daysBetweenTrials = 30
/** Until the next try after one that went wrong: it costs hours of a small machine. */
export const waitMinutes = [24 * 60]

/** Whether the last trial is long enough ago; one that found a fault is repeated the next day. */
export function isTrialDue({ trial }: Pick<CareRow, 'trial'>, now: Date) {
  if (!trial) return true
  if (trial.fault) return trial.fault.nextTryAt <= now.toISOString()
  return trial.at <= daysBefore(now, daysBetweenTrials).toISOString()
}

/**
 * The newest whole complete backup, of names that are newest first. None on the first day of a site: it is being filled, and
 * whoever has just set it up needs its processor.
 */
export function backupToTry(filenames: readonly string[], now: Date) {
  const whole = filenames.filter((name) => backupType(name) === 'complete' && missingFromBackup(name) === 0)
  const oldest = whole.at(-1)
  return oldest && madeAt(oldest) <= daysBefore(now, 1) ? whole[0] : undefined
}
