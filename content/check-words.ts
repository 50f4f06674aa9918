import type { BackupFault, BackupStatus } from '#contract/backup-status.ts'
import type { SiteCheck } from '#contract/checks.ts'
import type { ProblemReply } from '#contract/problems.ts'
import { backupStatusOf } from './backup-sentences.ts'
import type { BackupTexts } from './en/backups.ts'
import type { CheckTexts } from './en/checks.ts'
import { type ProblemTexts, problemSentence } from './problem-sentence.ts'

type Words = { locale: string; timeZone: string; checks: CheckTexts; backups: BackupTexts; problems: ProblemTexts }
type Say = (values: unknown, timeZone: string) => readonly [says: string, todo?: string]

/** How many things are to be done. */
export function checksSummary(checks: readonly SiteCheck[], texts: CheckTexts) {
  const open = checks.filter(({ level }) => level !== 'green').length
  return open === 0 ? texts.allGreen : texts.open(open)
}

/** What a check has found, as sentences, and what to do where something is to be done. */
export function checkWords({ finding, values }: SiteCheck, words: Words): { says: string; todo: string | undefined } {
  const { checks } = words
  if (Object.hasOwn(checks.findings, finding)) {
    const [says, todo] = (checks.findings[finding as keyof typeof checks.findings] as Say)(values, words.timeZone)
    return { says, todo }
  }
  const { status, reason = finding } = values as { status?: BackupStatus; reason?: string }
  return { says: status ? backupWords(status, words) : checks.unreadable(reason), todo: undefined }
}

/** The same as where backups are made. Each of its sentences says what to do. */
function backupWords(status: BackupStatus, { locale, backups: { line }, problems }: Words) {
  const sentence = ({ code, details }: BackupFault) =>
    problemSentence(problems, { code, details: details as ProblemReply['details'] }) ?? ''
  const { sentences } = backupStatusOf(status, { locale, line, sentence })
  return sentences.map((each) => (/[.!?]$/.test(each) ? each : `${each}.`)).join(' ')
}
