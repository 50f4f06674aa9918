import { type Clock, daysBefore } from '#server/clock.ts'
import type { Database } from '#server/database/open.ts'
import { composeFaults } from '#server/mail/compose.rules.ts'
import { readMailSettings } from '#server/mail/mail-settings.queries.ts'
import type { Mailer } from '#server/mail/mailer.ts'
import { putIntoOutboxFor } from '#server/mail/outbox.queries.ts'
import { findLastCopy, readCare } from './backup-jobs.ts'
import { faultsToTell } from './faults.rules.ts'

type Parts = {
  database: Pick<Database, 'db'>
  clock: Clock
  mailer: Pick<Mailer, 'to' | 'wake'>
  publicUrl: string | undefined
}

/** Tells the maker what keeps failing, once a day at most. */
export async function mailFaults({ database: { db }, clock, mailer, publicUrl }: Parts) {
  const now = clock.now()
  const faults = faultsToTell({ ...(await readCare(db)), copiedAt: await findLastCopy(db) }, now)
  if (faults.length === 0) return
  const isTold = await db.transaction().execute(async (tx) => {
    // Of several processes one sets it, and puts the mails into the outbox in the same transaction.
    const { numUpdatedRows } = await tx
      .updateTable('backupCare')
      .set({ mailedAt: now.toISOString() })
      .where((care) => care.or([care('mailedAt', 'is', null), care('mailedAt', '<=', daysBefore(now, 1).toISOString())]))
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    const message = composeFaults(faults, { ...(await readMailSettings(tx)), publicUrl })
    await putIntoOutboxFor(tx, mailer.to, { kind: 'backup', message }, now)
    return true
  })
  if (isTold) mailer.wake()
}
