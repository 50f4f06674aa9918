import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type Period, readStatistics } from '#contract/statistics.ts'
import { call } from '../../api/call.ts'
import { lazyPart, useLazy } from '../lazy.tsx'

const weekPart = lazyPart(async () => (await import('./figures.tsx')).loadWeek())
/** How many people come, for which models, and from where. Phones show it when it is chosen. */
export const figuresBlock = lazyPart(async () => (await import('./figures.tsx')).loadFigures())

export const figuresQuery = (period: Period) =>
  queryOptions({
    queryKey: [readStatistics.path, period],
    queryFn: () => call(readStatistics, { query: { period } }),
    placeholderData: keepPreviousData,
  })

/** The last seven days in one sentence, with room for it until it is loaded. */
export function WeekOfVisits() {
  const { Part: Week } = useLazy(weekPart)
  return <div className="mt-3 min-h-11">{Week && <Week />}</div>
}
