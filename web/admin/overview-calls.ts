import { queryOptions } from '@tanstack/react-query'
import { readChecks } from '#contract/checks.ts'
import { readOverview } from '#contract/overview.ts'
import { call } from '../api/call.ts'

/** The counts. Every change that affects them invalidates it. */
export const overviewQuery = queryOptions({ queryKey: [readOverview.path], queryFn: () => call(readOverview) })

/** How the site is. Under the overview's key, so that what invalidates the overview has the site checked again. */
export const checksQuery = queryOptions({
  queryKey: [...overviewQuery.queryKey, readChecks.path],
  queryFn: () => call(readChecks),
})
