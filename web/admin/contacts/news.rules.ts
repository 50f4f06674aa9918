import type { ContactNews } from '#contract/contacts.admin.ts'
import { type ContactState, contactStates } from '#contract/contacts.admin.ts'

/** Which messages are listed: those of one state, or all but spam. */
export type Filter = ContactState | 'all'

export const filters = ['all', ...contactStates] as const satisfies Filter[]

export function countIn(counts: ContactNews['counts'], filter: Filter) {
  if (filter !== 'all') return counts[filter]
  return contactStates.reduce((sum, state) => (state === 'spam' ? sum : sum + counts[state]), 0)
}

type Counts = ContactNews['counts']
export type StateChange = { from: ContactState; to: ContactState }

/** What they should be after a change made here, if nothing else has happened. */
export function countsAfter(counts: Counts, change: StateChange | undefined): Counts {
  if (!change || change.from === change.to) return counts
  const { from, to } = change
  return { ...counts, [from]: counts[from] - 1, [to]: counts[to] + 1 }
}

/** Whether the lists that are shown may be out of date. The oldest is another one after a change made here, too. */
export function isOutdated(shown: ContactNews, news: ContactNews) {
  return (
    contactStates.some((state) => shown.counts[state] !== news.counts[state]) ||
    (['newest', 'troubledMails'] as const).some((each) => shown[each] !== news[each])
  )
}

/** The newest is also another one when the one that was newest has been deleted. */
export function hasArrived(before: ContactNews, news: ContactNews) {
  return news.newest !== before.newest && countIn(news.counts, 'all') > countIn(before.counts, 'all')
}
