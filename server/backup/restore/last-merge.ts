import type { RestoredReport } from '#contract/restores.ts'
import type { Db, StoredMerge } from '#server/database/tables.ts'
import { Problem } from '#server/http/problem.ts'
import { changeCare, readCare } from '../backup-jobs.ts'
import { forgetTouched, isAnyTouched } from './touched.queries.ts'

/** In the transaction of the merge. One that has changed nothing does not replace one that can still be undone. */
export async function keepReport(tx: Db, merge: StoredMerge, { isChanged }: { isChanged: boolean }) {
  const { lastMerge } = await readCare(tx)
  if (isChanged || !lastMerge || !(await hasSomethingToUndo(tx, lastMerge))) await changeCare(tx, { lastMerge: merge })
}

/** What is only known once everything is in its place. */
export async function amendReport(db: Db, merge: StoredMerge) {
  if ((await readCare(db)).lastMerge?.id === merge.id) await changeCare(db, { lastMerge: merge })
}

/** The last import or restore; fails with a Problem when it is another one. */
export async function findReport(db: Db, id: string): Promise<StoredMerge> {
  const { lastMerge } = await readCare(db)
  if (lastMerge?.id !== id) throw new Problem('merge_not_found')
  return lastMerge
}

export async function putReportAway(tx: Db, id: string) {
  await findReport(tx, id)
  await changeCare(tx, { lastMerge: null })
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
