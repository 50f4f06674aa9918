import type { Span } from '#content/en/contacts.ts'
import { answerWithinHours, urgentBelowHours } from '#contract/contacts.admin.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** How long a message may still wait for its answer, or for how long it has waited too long. */
type AnswerTime = { isOverdue: boolean; isUrgent: boolean; span: Span }

/** Both moments by the clock of the server: that of the browser may be wrong. */
export function answerTime(createdAt: string, now: string): AnswerTime {
  const left = Math.min(Date.parse(createdAt) - Date.parse(now), 0) + answerWithinHours * hour
  return { isOverdue: left <= 0, isUrgent: left < urgentBelowHours * hour, span: spanOf(Math.abs(left)) }
}

/** As one says it: minutes below an hour, hours up to two days, days beyond. */
function spanOf(milliseconds: number): Span {
  if (milliseconds < hour) return { count: Math.max(1, Math.floor(milliseconds / minute)), unit: 'minute' }
  if (milliseconds <= 2 * day) return { count: Math.floor(milliseconds / hour), unit: 'hour' }
  return { count: Math.floor(milliseconds / day), unit: 'day' }
}
