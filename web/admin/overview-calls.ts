import { queryOptions } from '@tanstack/react-query'
import { readOverview } from '#contract/overview.ts'
import { call } from '../api/call.ts'

/** Counts and warnings. Every change that affects them invalidates it. */
export const overviewQuery = queryOptions({ queryKey: [readOverview.path], queryFn: () => call(readOverview) })
