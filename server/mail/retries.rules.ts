import type { MailState } from '#contract/mails.ts'
import type { ProblemDetails } from '#contract/problems.ts'
import { oneLine } from './compose.rules.ts'

const minute = 60_000

type Attempted = { state: MailState; attempts: number; nextAttemptAt: string }

/** Between one attempt and the next: twelve attempts in two days. */
const waits = [1, 5, 15, 60, 120, 240, 480, 480, 480, 480, 480].map((minutes) => minutes * minute)

export const mostAttempts = waits.length + 1

/** Shorter than the shortest wait: when another attempt begins, this one has ended. */
export const attemptTimeout = 45_000

/** After that attempt, counted from 1. */
export function waitAfter(attempt: number) {
  return waits[Math.min(attempt, waits.length) - 1] ?? minute
}

/**
 * When a mail may be tried again at the earliest: an attempt that has just begun may still be under way in any process. When
 * it began follows from the next attempt, which it has moved.
 */
export function soonestRetry({ state, attempts, nextAttemptAt }: Attempted, now: Date) {
  if (state === 'failed' || attempts === 0) return now
  const begun = Date.parse(nextAttemptAt) - waitAfter(attempts)
  return new Date(Math.max(now.getTime(), begun + waitAfter(1)))
}

/** What nodemailer tells of a failure. */
type SmtpFailure = { message: string; code?: string; command?: string; response?: string; permanent?: boolean }

export type Verdict = {
  /** The mail server's answer, if there was one. */
  reason: string
  /** The mail would be refused again. */
  isFinal: boolean
  /** Every other mail would fail too. */
  concernsAll: boolean
}

export function verdictOn({ message, code, command, response, permanent }: SmtpFailure): Verdict {
  const concernsAll =
    (code !== 'EENVELOPE' && code !== 'EMESSAGE') ||
    // A refused sender is refused for every mail, until MAIL_FROM or the credentials are changed.
    command === 'MAIL FROM' ||
    // The server is about to close.
    response?.startsWith('421') === true
  // Without an answer it was nodemailer that rejected the address.
  const isFinal = !concernsAll && (permanent ?? response === undefined)
  return { reason: oneLine(response ?? message, 300), isFinal, concernsAll }
}

/** What to look at. */
export function failedStep({ message, code, command }: SmtpFailure): ProblemDetails['mail_refused']['step'] {
  if (/certificate|altname/i.test(message)) return 'certificate'
  if (code === 'EDNS' || /ENOTFOUND|EAI_AGAIN/.test(message)) return 'host'
  if (code === 'EAUTH') return 'password'
  if (command === 'MAIL FROM') return 'sender'
  if (command === 'RCPT TO' || code === 'EENVELOPE') return 'recipient'
  return code === 'EMESSAGE' ? 'message' : 'connection'
}
