import type { RestoredReport } from '#contract/restores.ts'
import { inSlices, someAtATime } from '#server/database/slices.ts'
import type { Db, StoredMerge } from '#server/database/tables.ts'
import { Problem } from '#server/http/problem.ts'
import { type RecordList, sumOfRecord } from '../archive/export.rules.ts'
import { findRecords, type RecordOf } from '../archive/records.queries.ts'
import { readBackupJobs, updateBackupJobs } from '../backup-jobs.ts'
import type { Decision } from './merge-records.ts'

type Touched = { list: RecordList; recordId: string; added: boolean; mark: string }

/** The sums of a record before and after a merge. Another one means that it was changed since. */
export function markOf(before: object | undefined, after: object) {
  return `${before ? sumOfRecord(before) : 'new'} ${sumOfRecord(after)}`
}

/** The records that a merge has really changed, of those it has written. */
export async function findTouched<List extends RecordList>(
  tx: Db,
  list: List,
  decisions: readonly Decision<List>[],
): Promise<Touched[]> {
  const before = new Map<string, RecordOf[List] | undefined>()
  for (const each of decisions) {
    const written = each.add ?? each.bringBack ?? (gainsAddresses(each) ? each.before : undefined)
    if (written) before.set(written.id, each.before)
  }
  const after = await findRecords(tx, list, [...before.keys()])
  return after
    .map((record) => ({ record, was: before.get(record.id) }))
    .filter(({ record, was }) => !was || sumOfRecord(was) !== sumOfRecord(record))
    .map(({ record, was }) => ({ list, recordId: record.id, added: !was, mark: markOf(was, record) }))
}

/** A project that stays as it is can get addresses. */
function gainsAddresses({ incoming, before }: Decision<RecordList>) {
  if (!before || !('addresses' in before) || !('addresses' in incoming)) return false
  return incoming.addresses?.some((address) => !before.addresses.includes(address)) ?? false
}

export async function insertTouched(tx: Db, touched: readonly Touched[]) {
  for await (const some of someAtATime(touched)) await tx.insertInto('mergedRecords').values(some).execute()
}

export async function forgetTouched(tx: Db) {
  await tx.deleteFrom('mergedRecords').execute()
}

async function isAnyTouched(db: Db) {
  return (await db.selectFrom('mergedRecords').select('list').limit(1).executeTakeFirst()) !== undefined
}

export async function countChanged(tx: Db) {
  const { count } = await tx
    .selectFrom('mergedRecords')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('added', '=', false)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The marks of those of the records that were changed. */
export async function findMarks(tx: Db, list: RecordList, ids: readonly string[]) {
  const marks = new Map<string, string>()
  for await (const some of someAtATime(ids)) {
    const rows = await tx
      .selectFrom('mergedRecords')
      .select(['recordId', 'mark'])
      .where('list', '=', list)
      .where('added', '=', false)
      .where('recordId', 'in', some)
      .execute()
    for (const { recordId, mark } of rows) marks.set(recordId, mark)
  }
  return marks
}

/** Those that were added, slice by slice. */
export function eachAdded(tx: Db, list: RecordList) {
  return inSlices((limit, after: { recordId: string } | undefined) => {
    const rows = tx
      .selectFrom('mergedRecords')
      .select(['recordId', 'mark'])
      .where('list', '=', list)
      .where('added', '=', true)
      .orderBy('recordId')
      .limit(limit)
    return (after ? rows.where('recordId', '>', after.recordId) : rows).execute()
  })
}

/** In the transaction of the merge. A merge without changes does not replace one that can be undone. */
export async function keepReport(tx: Db, merge: StoredMerge, { isChanged }: { isChanged: boolean }) {
  const { lastMerge } = await readBackupJobs(tx)
  if (isChanged || !lastMerge || !(await hasSomethingToUndo(tx, lastMerge))) await updateBackupJobs(tx, { lastMerge: merge })
}

/** For counts that are only known after the transaction. */
export async function amendReport(db: Db, merge: StoredMerge) {
  if ((await readBackupJobs(db)).lastMerge?.id === merge.id) await updateBackupJobs(db, { lastMerge: merge })
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
  await forgetTouched(tx)
}

type Shown = {
  db: Db
  /** Whether a backup of that name is there. */
  isKept(filename: string): Promise<boolean>
}

/** As it is shown. */
export async function describeMerge(merge: StoredMerge, { db, isKept }: Shown): Promise<RestoredReport> {
  const { siteVersions: _siteVersions, ...report } = merge
  const { restorePoint } = merge
  const canUndo = restorePoint !== null && (await hasSomethingToUndo(db, merge)) && (await isKept(restorePoint))
  return { ...report, canUndo }
}

async function hasSomethingToUndo(db: Db, { undone, siteVersions }: StoredMerge) {
  return undone === null && (siteVersions !== null || (await isAnyTouched(db)))
}
