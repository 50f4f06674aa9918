import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { type Period, readStatistics } from '#contract/statistics.ts'
import { call } from '../../api/call.ts'
import { Block } from '../block.tsx'
import { lazyPart, useLazy } from '../lazy.tsx'
import { ListStates } from '../list.tsx'
import { useAdminTexts } from '../texts.ts'

const weekPart = lazyPart(async () => (await import('./figures.tsx')).loadWeek())
const figuresPart = lazyPart(async () => (await import('./figures.tsx')).loadFigures())

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

/** How many people come, for which models, and from where. Phones show it when it is chosen. */
export function StatisticsBlock({ className }: { className: string }) {
  const t = useAdminTexts()
  const { Part, isMissing, retry } = useLazy(figuresPart)
  // They are read while the code is loaded.
  useQuery(figuresQuery('days'))
  const query = { data: Part && [Part], isPending: !Part && !isMissing, isError: isMissing, refetch: retry }
  const words = { loading: t.common.loading, failed: t.common.partFailed, empty: '' }
  return (
    <Block number="06" title={t.dashboard.blockNames['06']} className={`max-md:data-short:hidden ${className}`}>
      <ListStates query={query} words={words}>
        {([Figures]) => Figures && <Figures />}
      </ListStates>
    </Block>
  )
}
