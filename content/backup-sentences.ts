import { type BackupFault, type BackupStatus, type BackupWarning, failedBackupWarnings } from '#contract/backup-status.ts'
import { backupMaker } from '#contract/backups.ts'
import type { ProblemCode } from '#contract/problems.ts'
import type { BackupTexts, Failure } from './en/backups.ts'
import { dayOf, type MomentFormat, momentIn } from './moments.ts'

type Words = {
  locale: string
  line: BackupTexts['line']
  /** What is known of a failure, as a sentence; empty when there are no words for it. */
  sentence(fault: BackupFault): string
}

export type StatusLine = {
  /** Green is only what was read back and lacks nothing. */
  tone: 'safe' | 'missing' | 'failed'
  /** The gravest first. */
  sentences: string[]
  /** What else is good to know. */
  notes: string[]
}

/** The status of backups as sentences. */
export function backupStatusOf(state: BackupStatus, words: Words): StatusLine {
  const { line } = words
  const format = { locale: words.locale, timeZone: state.timeZone, now: state.now, at: line.at }
  const notes = notesOf(state, format, line)
  if (state.warnings.length === 0 && state.lastGood) {
    return { tone: 'safe', sentences: [statusSentence(state.lastGood, state, format, line)], notes }
  }
  const failed = (warning: BackupWarning) => failedBackupWarnings.includes(warning)
  // A missing backup comes before every other warning.
  const weight = (warning: BackupWarning) => (warning === 'nothing_yet' ? 0 : failed(warning) ? 1 : 2)
  // Where a failure says why, that it is late as well says nothing new.
  const shown = state.warnings.filter((each) => !isImpliedBy(each, state.warnings)).toSorted((a, b) => weight(a) - weight(b))
  const still = state.lastGood ? [line.latest(momentIn(format, state.lastGood.at))] : []
  return {
    tone: shown.some(failed) ? 'failed' : 'missing',
    sentences: shown.map((each) => line.warnings[each](failureOf(each, state, format, words))),
    notes: [...still, ...notes],
  }
}

/** "Backed up at 03:00 today, verified, copied off-site, restore tested on November 3". */
function statusSentence(
  safe: NonNullable<BackupStatus['lastGood']>,
  state: BackupStatus,
  format: MomentFormat,
  line: Words['line'],
) {
  const { offsite, restoreTest } = state
  const isNightly = backupMaker(safe.filename) === 'night'
  const isCopied = offsite?.copied && offsite.copied.at >= safe.at
  const parts = [
    line.backedUp(momentIn(isNightly ? { ...format, at: { ...line.at, today: line.at.lastNight } } : format, safe.at)),
    line.verified,
    isCopied && line.copiedOffsite,
    restoreTest && !restoreTest.fault && line.restoreTested(dayOf(format, restoreTest.at)),
  ]
  return parts.filter(Boolean).join(', ')
}

function isImpliedBy(warning: BackupWarning, all: readonly BackupWarning[]) {
  if (warning === 'night_late') return all.includes('night_failed') || all.includes('nothing_yet')
  return warning === 'copy_late' && all.includes('copy_failed')
}

function failureOf(
  warning: BackupWarning,
  { nightly, offsite, restoreTest }: BackupStatus,
  format: MomentFormat,
  words: Words,
): Failure {
  const faults: Partial<Record<BackupWarning, BackupFault | null | undefined>> = {
    night_failed: nightly.fault,
    copy_failed: offsite?.fault,
    trial_failed: restoreTest?.fault,
  }
  const fault = faults[warning]
  return fault ? { reason: words.sentence(fault), nextTry: momentIn(format, fault.nextTryAt) } : { reason: '', nextTry: '' }
}

function notesOf({ lastGood, nightly, offsite, restoreTest }: BackupStatus, format: MomentFormat, line: Words['line']) {
  return [
    ...(nightly.nextAt ? [line.next(momentIn(format, nightly.nextAt))] : []),
    ...(restoreTest?.fault?.code === ('disk_full' satisfies ProblemCode) ? [line.noRestoreTest] : []),
    ...(restoreTest?.onBuiltIn ? [line.testedOnBuiltIn] : []),
    ...(offsite || !lastGood ? [] : [line.noOffsiteCopy]),
  ]
}
