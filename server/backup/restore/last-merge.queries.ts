import type { RestoredReport } from '#contract/restores.ts'
import { inSlices, someAtATime } from '#server/database/slices.ts'
import type { Db, StoredMerge } from '#server/database/tables.ts'
import { Problem } from '#server/http/problem.ts'
import { type RecordList, sumOfRecord } from '../archive/export.rules.ts'
import { findRecords, type RecordOf } from '../archive/records.queries.ts'
import { readBackupState, updateBackupState } from '../backup-state.ts'
import type { Decision } from './merge-records.ts'

/** Keeps what those records were that a merge has really changed, of those it has written; returns how many. */
export async function insertUndoRows<List extends RecordList>(
  tx: Db,
  { mergeId, list }: { mergeId: string; list: List },
  written: readonly Pick<Decision<List>, 'before' | 'next'>[],
) {
  const recordsBefore = new Map<string, RecordOf[List] | undefined>()
  for (const { before, next } of written) {
    // A project that stays as it is can get addresses.
    const record = next ?? (list === 'projects' ? before : undefined)
    if (record) recordsBefore.set(record.id, before)
  }
  const records = await findRecords(tx, list, [...recordsBefore.keys()])
  const rows = records.flatMap((record) => {
    const before = recordsBefore.get(record.id)
    const after = sumOfRecord(record)
    if (before && sumOfRecord(before) === after) return []
    return { mergeId, list, recordId: record.id, before: before ? JSON.stringify(before) : null, after }
  })
  for await (const some of someAtATime(rows)) await tx.insertInto('mergedRecords').values(some).execute()
  return rows.length
}

export function eachUndoRow(tx: Db, mergeId: string, list: RecordList) {
  return inSlices((limit, after: { recordId: string } | undefined) => {
    const all = tx.selectFrom('mergedRecords').selectAll().where('mergeId', '=', mergeId).where('list', '=', list)
    const rows = after ? all.where('recordId', '>', after.recordId) : all
    return rows.orderBy('recordId').limit(limit).execute()
  })
}

/** In the transaction of the merge. A merge without changes does not replace one that can be undone. */
export async function keepReport(tx: Db, merge: StoredMerge, { isChanged }: { isChanged: boolean }) {
  const { lastMerge } = await readBackupState(tx)
  if (!isChanged && lastMerge && (await canUndo(tx, lastMerge))) return
  await updateBackupState(tx, { lastMerge: merge })
  await tx.deleteFrom('mergedRecords').where('mergeId', '!=', merge.id).execute()
}

/** The last import or restore; throws where that is another one. */
export async function findReport(db: Db, id: string): Promise<StoredMerge> {
  const { lastMerge } = await readBackupState(db)
  if (lastMerge?.id !== id) throw new Problem('merge_not_found')
  return lastMerge
}

export async function putReportAway(tx: Db, id: string) {
  await findReport(tx, id)
  await updateBackupState(tx, { lastMerge: null })
  await tx.deleteFrom('mergedRecords').execute()
}

/** As it is shown. */
export async function describeMerge(db: Db, merge: StoredMerge): Promise<RestoredReport> {
  const { siteVersions: _siteVersions, ...report } = merge
  return { ...report, canUndo: await canUndo(db, merge) }
}

/** Whether it has changed something, was not undone, and nothing was merged since. */
export async function canUndo(db: Db, { id, undone, siteVersions }: StoredMerge) {
  if (undone !== null || (await readBackupState(db)).lastMerge?.id !== id) return false
  return (
    siteVersions !== null || (await db.selectFrom('mergedRecords').select('list').limit(1).executeTakeFirst()) !== undefined
  )
}
