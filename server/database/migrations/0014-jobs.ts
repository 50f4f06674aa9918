import { type Kysely, sql } from 'kysely'
import { columnTypes, type Dialect } from '../dialect.ts'

type Fault = { code: string; details?: unknown; at: string; tries: number; nextTryAt: string }
type Before = {
  nightDoneAt: string | null
  nightFault: Fault | null
  copiedAt: string | null
  copyFault: Fault | null
  trial: { filename: string; at: string; fault: Fault | null } | null
  mailedAt: string | null
  remindedAt: string | null
}

/** One table for all jobs. What was known of them in `backup_care` and `site` moves there. */
export async function jobs(db: Kysely<unknown>, dialect: Dialect) {
  const type = columnTypes[dialect]
  await db.schema
    .createTable('jobs')
    .addColumn('name', 'text', (column) => column.primaryKey().notNull())
    .addColumn('last_success', type.moment)
    .addColumn('failures', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('last_error', type.json)
    .addColumn('next_try', type.moment)
    .addColumn('result', type.json)
    .execute()
  const { rows } = await sql<Before>`
    select night_done_at, night_fault, copy_fault, trial, mailed_at, reminded_at,
      (select max(copied_at) from known_backups) as copied_at
    from backup_care, site`.execute(db)
  for (const { nightDoneAt, nightFault, copiedAt, copyFault, trial, mailedAt, remindedAt } of rows) {
    await insert(db, 'nightly', nightDoneAt, nightFault)
    await insert(db, 'copy', copiedAt, copyFault)
    const tested = trial && { filename: trial.filename }
    await insert(db, 'restore-test', trial && !trial.fault ? trial.at : null, trial?.fault ?? null, tested)
    await insert(db, 'fault-mails', mailedAt)
    await insert(db, 'reminders', remindedAt)
  }
  for (const column of ['night_done_at', 'night_fault', 'copy_fault', 'trial', 'mailed_at']) {
    await db.schema.alterTable('backup_care').dropColumn(column).execute()
  }
  await db.schema.alterTable('site').dropColumn('reminded_at').execute()
}

async function insert(
  db: Kysely<unknown>,
  name: string,
  lastSuccess: string | null,
  fault: Fault | null = null,
  result: object | null = null,
) {
  if (!lastSuccess && !fault) return
  // Without details, which have other fields now.
  const { tries = 0, nextTryAt = null, details: _details, ...error } = fault ?? {}
  await sql`
    insert into jobs (name, last_success, failures, last_error, next_try, result)
    values (${name}, ${lastSuccess}, ${tries}, ${fault && JSON.stringify(error)}, ${nextTryAt},
      ${result && JSON.stringify(result)})`.execute(db)
}
