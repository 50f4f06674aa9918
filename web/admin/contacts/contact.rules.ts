import type { Span } from '#content/en/contacts.ts'
import {
  answerWithinHours,
  type ContactNews,
  type ContactState,
  contactStates,
  urgentBelowHours,
} from '#contract/contacts.admin.ts'

export const recentCount = 5
const previewLength = 100

/** The beginning of a message. Counted in code points, so that no emoji is cut in half. */
export function previewOf(message: string) {
  const characters = [...message]
  return characters.length > previewLength ? `${characters.slice(0, previewLength).join('')}…` : message
}

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** The time left to answer a message, or how long it is overdue. */
type AnswerTime = { isOverdue: boolean; isUrgent: boolean; span: Span; due: string }

/** Both times by the server's clock: the browser's may be wrong. */
export function answerTime(createdAt: string, now: string): AnswerTime {
  const left = Math.min(Date.parse(createdAt) - Date.parse(now), 0) + answerWithinHours * hour
  const due = new Date(Date.parse(now) + left).toISOString()
  return { isOverdue: left <= 0, isUrgent: left < urgentBelowHours * hour, span: spanOf(Math.abs(left)), due }
}

/** Minutes below an hour, hours up to two days, then days. */
function spanOf(milliseconds: number): Span {
  if (milliseconds < hour) return { count: Math.max(1, Math.floor(milliseconds / minute)), unit: 'minute' }
  if (milliseconds <= 2 * day) return { count: Math.floor(milliseconds / hour), unit: 'hour' }
  return { count: Math.floor(milliseconds / day), unit: 'day' }
}

/** Which messages are listed: those of one state, or all but spam. */
export type Filter = ContactState | 'all'

export const filters = ['all', ...contactStates] as const satisfies Filter[]

export function countIn(counts: ContactNews['counts'], filter: Filter) {
  if (filter !== 'all') return counts[filter]
  return contactStates.reduce((sum, state) => (state === 'spam' ? sum : sum + counts[state]), 0)
}

type Counts = ContactNews['counts']

/** The expected counts after a change in this tab, if nothing else has changed. */
export function countsAfter(counts: Counts, from: ContactState, to: ContactState): Counts {
  return from === to ? counts : { ...counts, [from]: counts[from] - 1, [to]: counts[to] + 1 }
}

/** Whether the lists may be out of date. Ignores `waiting`, which a change in this tab changes too. */
export function isOutdated(shown: ContactNews, news: ContactNews) {
  return (
    contactStates.some((state) => shown.counts[state] !== news.counts[state]) ||
    (['newest', 'troubledMails'] as const).some((each) => shown[each] !== news[each])
  )
}

/** The count too: `newest` also changes when the newest message is deleted. */
export function hasArrived(before: ContactNews, news: ContactNews) {
  return news.newest !== before.newest && countIn(news.counts, 'all') > countIn(before.counts, 'all')
}
