import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type Period, readStatistics } from '#contract/statistics.ts'
import { call } from '../../api/call.ts'
import { usePart } from '../lazy.tsx'

export const figuresQuery = (period: Period) =>
  queryOptions({
    queryKey: [readStatistics.path, period],
    queryFn: () => call(readStatistics, { query: { period } }),
    placeholderData: keepPreviousData,
  })

/** The last seven days in one sentence, with room for it until it is loaded. */
export function WeekOfVisits() {
  const { Part: Week } = usePart('Week')
  return <div className="mt-3 min-h-11">{Week && <Week />}</div>
}
