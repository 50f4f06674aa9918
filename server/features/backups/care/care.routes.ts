import type { FastifyInstance } from 'fastify'
import { changeCareSettings, readBackupState } from '#contract/backup-care.ts'
import { deleteBackup } from '#contract/backups.ts'
import { serve } from '#server/http/serve.ts'
import type { Site } from '#server/site.ts'
import { changeCare } from '../care.queries.ts'
import * as removing from './removing.ts'

type Parts = Pick<Site, 'database' | 'storage' | 'clock' | 'backups'>

export function careRoutes(app: FastifyInstance, { backups: { readState }, ...parts }: Parts) {
  serve(app, readBackupState, readState)

  serve(app, changeCareSettings, async ({ body: { nightly, at, keep } }) => {
    await changeCare(parts.database.db, {
      nightly,
      at,
      keepDaily: keep.daily,
      keepWeekly: keep.weekly,
      keepMonthly: keep.monthly,
      // What is switched off does not fail any more.
      ...(!nightly && { nightFault: null }),
    })
    return readState()
  })

  serve(app, deleteBackup, async ({ params: { filename }, query: { last } }) => {
    await removing.deleteBackup(parts, filename, { evenTheLast: last === 'yes' })
    return { message: 'Backup deleted successfully' }
  })
}
