import type { FastifyInstance } from 'fastify'
import { listActivity } from '#contract/activity.ts'
import { placeOf } from '#contract/paging.ts'
import { slice } from '#server/database/slices.ts'
import type { ActivityRow } from '#server/database/tables.ts'
import { serve } from '#server/http/serve.ts'
import type { Site } from '#server/site.ts'
import * as queries from './activity.queries.ts'

export function activityRoutes(app: FastifyInstance, { database: { db } }: Pick<Site, 'database'>) {
  serve(app, listActivity, async ({ query: { limit = slice, after, ...filter } }) => {
    const place = after && { at: after.createdAt, id: after.id }
    // One more than is answered, to know whether others follow.
    const rows = await queries.listActivity(db, filter, { limit: limit + 1, after: place })
    const page = rows.slice(0, limit)
    const last = rows.length > limit ? page.at(-1) : undefined
    return {
      entries: page.map(asEntry),
      next: last ? placeOf({ createdAt: last.at, id: last.id }) : null,
    }
  })
}

/** Without what another release may have stored in its details. */
function asEntry({ id, at, account, kind, details: { name, newName, count } }: ActivityRow) {
  return {
    id,
    at,
    account,
    kind,
    ...(name !== undefined && { name }),
    ...(newName !== undefined && { newName }),
    ...(count !== undefined && { count }),
  }
}
