import type { FastifyInstance } from 'fastify'
import { type BackupState, changeCareSettings, readBackupState } from '#contract/backup-status.ts'
import { deleteBackup } from '#contract/backups.ts'
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/database/open.ts'
import { serve } from '#server/http/serve.ts'
import type { Storage } from '#server/storage/storage.ts'
import { changeCare } from './backup-jobs.ts'
import * as removing from './retention.ts'

type Parts = { database: Database; storage: Storage; clock: Clock; readState(): Promise<BackupState> }

export function careRoutes(app: FastifyInstance, { readState, ...parts }: Parts) {
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
