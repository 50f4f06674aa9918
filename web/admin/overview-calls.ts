import { queryOptions } from '@tanstack/react-query'
import { readOverview } from '#contract/overview.ts'
import { call } from '../api/call.ts'

/** How much there is, and what the owner should see to. Whatever changes that refreshes it. */
export const overviewQuery = queryOptions({ queryKey: [readOverview.path], queryFn: () => call(readOverview) })
