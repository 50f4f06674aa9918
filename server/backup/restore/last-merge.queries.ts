import type { Insertable } from 'kysely'
import type { RestoredReport } from '#contract/restores.ts'
import { inSlices, someAtATime } from '#server/database/slices.ts'
import type { Db, StoredMerge, Tables } from '#server/database/tables.ts'
import { Problem } from '#server/http/problem.ts'
import { type RecordList, sumOfRecord } from '../archive/export.rules.ts'
import { findRecords, type RecordOf } from '../archive/records.queries.ts'
import { readBackupJobs, updateBackupJobs } from '../backup-jobs.ts'
import type { Decision } from './merge-records.ts'

type NewUndoRow = Insertable<Tables['mergedRecords']>

/** What those records were that a merge has really changed, of those it has written. */
export async function findUndoRows<List extends RecordList>(
  tx: Db,
  list: List,
  decisions: readonly Decision<List>[],
): Promise<NewUndoRow[]> {
  const before = new Map<string, RecordOf[List] | undefined>()
  for (const decision of decisions) {
    // A project that stays as it is can get addresses.
    const record = decision.next ?? (list === 'projects' ? decision.before : undefined)
    if (record) before.set(record.id, decision.before)
  }
  const records = await findRecords(tx, list, [...before.keys()])
  return records.flatMap((record) => {
    const was = before.get(record.id)
    const after = sumOfRecord(record)
    if (was && sumOfRecord(was) === after) return []
    return { list, recordId: record.id, before: was ? JSON.stringify(was) : null, after }
  })
}

export async function insertUndoRows(tx: Db, rows: readonly NewUndoRow[]) {
  for await (const some of someAtATime(rows)) await tx.insertInto('mergedRecords').values(some).execute()
}

export async function forgetUndoRows(tx: Db) {
  await tx.deleteFrom('mergedRecords').execute()
}

export async function countUndoRows(tx: Db) {
  const { count } = await tx
    .selectFrom('mergedRecords')
    .select((row) => row.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export function eachUndoRow(tx: Db, list: RecordList) {
  return inSlices((limit, after: { recordId: string } | undefined) => {
    const rows = tx.selectFrom('mergedRecords').selectAll().where('list', '=', list).orderBy('recordId').limit(limit)
    return (after ? rows.where('recordId', '>', after.recordId) : rows).execute()
  })
}

/** In the transaction of the merge. A merge without changes does not replace one that can be undone. */
export async function keepReport(tx: Db, merge: StoredMerge, { isChanged }: { isChanged: boolean }) {
  const { lastMerge } = await readBackupJobs(tx)
  if (isChanged || !lastMerge || !(await canUndo(tx, lastMerge))) await updateBackupJobs(tx, { lastMerge: merge })
}

/** The last import or restore; throws where that is another one. */
export async function findReport(db: Db, id: string): Promise<StoredMerge> {
  const { lastMerge } = await readBackupJobs(db)
  if (lastMerge?.id !== id) throw new Problem('merge_not_found')
  return lastMerge
}

export async function putReportAway(tx: Db, id: string) {
  await findReport(tx, id)
  await updateBackupJobs(tx, { lastMerge: null })
  await forgetUndoRows(tx)
}

/** As it is shown. */
export async function describeMerge(db: Db, merge: StoredMerge): Promise<RestoredReport> {
  const { siteVersions: _siteVersions, ...report } = merge
  return { ...report, canUndo: await canUndo(db, merge) }
}

/** Whether it is the last one, has changed something and was not undone. */
export async function canUndo(db: Db, { id, undone, siteVersions }: StoredMerge) {
  if (undone !== null || (await readBackupJobs(db)).lastMerge?.id !== id) return false
  return (
    siteVersions !== null || (await db.selectFrom('mergedRecords').select('list').limit(1).executeTakeFirst()) !== undefined
  )
}
