import type { RestoredReport } from '#contract/restores.ts'
import { countRows, inSlices } from '#server/database/slices.ts'
import type { Db, MergedRecordRow, StoredMerge } from '#server/database/tables.ts'
import { type Doer, noteActivity } from '#server/features/activity/activity.queries.ts'
import { imagesLock } from '#server/features/images/images.queries.ts'
import { addVersion, readPublished } from '#server/features/site-content/site-content.queries.ts'
import { Problem } from '#server/http/problem.ts'
import { type RecordList, recordLists, sumOfRecord } from '../archive/export.rules.ts'
import { findRecords, overwriteContact, type RecordOf, writeProjects } from '../archive/records.queries.ts'
import { readBackupState, updateBackupState } from '../backup-state.ts'
import type { Progress } from '../job.ts'
import type { JobParts } from '../make-backup.ts'
import { isInTrash } from './merge.rules.ts'
import type { Decision } from './restore.ts'

/** Keeps what those records were that a merge has really changed, of those it has written. */
export async function insertUndoRows<List extends RecordList>(
  tx: Db,
  { mergeId, list }: { mergeId: string; list: List },
  written: readonly Decision<List>[],
) {
  const recordsBefore = new Map(written.flatMap(({ before, next }) => (next ? [[next.id, before] as const] : [])))
  const records = await findRecords(tx, list, [...recordsBefore.keys()])
  const rows = [...records].flatMap(([recordId, record]) => {
    const before = recordsBefore.get(recordId)
    const after = sumOfRecord(record)
    if (before && sumOfRecord(before) === after) return []
    return { mergeId, list, recordId, before: before ? JSON.stringify(before) : null, after }
  })
  if (rows.length > 0) await tx.insertInto('mergedRecords').values(rows).execute()
}

/** In the transaction of the merge. A merge without changes does not replace one that can be undone. */
export async function keepReport(tx: Db, merge: StoredMerge) {
  const { lastMerge } = await readBackupState(tx)
  if (lastMerge && (await canUndo(tx, lastMerge)) && !(await canUndo(tx, merge))) return
  await updateBackupState(tx, { lastMerge: merge })
  await tx.deleteFrom('mergedRecords').where('mergeId', '!=', merge.id).execute()
}

/** The last import or restore; throws where that is another one. */
async function findReport(db: Db, id: string): Promise<StoredMerge> {
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

/** Whether the last merge has changed something and was not undone. */
async function canUndo(db: Db, { id, undone, siteVersions }: StoredMerge) {
  if (undone) return false
  const rows = db.selectFrom('mergedRecords').select('list').where('mergeId', '=', id)
  return siteVersions !== null || (await rows.limit(1).executeTakeFirst()) !== undefined
}

type Undone = NonNullable<StoredMerge['undone']>
type Undoing = { id: string; by?: Doer | undefined }

/**
 * Makes what the last merge has changed as it was, puts added projects into the trash and removes added messages, in one
 * transaction. What was changed since stays.
 */
export async function undoMerge({ id, by }: Undoing, { database, clock }: JobParts, progress: Progress) {
  const work = async (tx: Db): Promise<StoredMerge> => {
    const merge = await findReport(tx, id)
    if (!(await canUndo(tx, merge))) throw new Problem('undo_impossible')
    const counts = () => ({ projects: 0, contacts: 0 })
    const at = clock.now().toISOString()
    const undone: Undone = { at, broughtBack: counts(), takenOut: counts(), site: false, left: 0 }
    const total = await countRows(tx, 'mergedRecords')
    let done = 0
    for (const list of recordLists) {
      for await (const rows of eachUndoRow(tx, list)) {
        await undoRecords(tx, list, rows, undone)
        done += rows.length
        progress('merging', done, total)
      }
    }
    undone.site = await bringBackSite(tx, merge)
    if (merge.siteVersions && !undone.site) undone.left += 1
    await tx.deleteFrom('mergedRecords').execute()
    await updateBackupState(tx, { lastMerge: { ...merge, undone } })
    await noteActivity(tx, by, { kind: 'restore_undone', name: merge.filename }, new Date(at))
    return { ...merge, undone }
  }
  return database.exclusively(imagesLock, work, { withoutTimeout: true })
}

function eachUndoRow(tx: Db, list: RecordList) {
  const all = tx.selectFrom('mergedRecords').selectAll().where('list', '=', list).orderBy('recordId')
  return inSlices((limit, after: { recordId: string } | undefined) =>
    (after ? all.where('recordId', '>', after.recordId) : all).limit(limit).execute(),
  )
}

async function undoRecords<List extends RecordList>(tx: Db, list: List, rows: readonly MergedRecordRow[], undone: Undone) {
  const ids = rows.map(({ recordId }) => recordId)
  const present = await findRecords(tx, list, ids, { locked: true })
  const added: string[] = []
  for (const { recordId, before, after } of rows) {
    const record = present.get(recordId)
    if (!record || sumOfRecord(record) !== after) {
      // One that was added and is in the trash or deleted since needs no undo.
      if (before || (record && !isInTrash(record))) undone.left += 1
    } else if (before) {
      await bringBack[list](tx, before as RecordOf[List], record)
      undone.broughtBack[list] += 1
    } else added.push(recordId)
  }
  if (added.length > 0) await takeOut[list](tx, added, undone.at)
  undone.takenOut[list] += added.length
}

const bringBack: { [List in RecordList]: (tx: Db, before: RecordOf[List], present: RecordOf[List]) => Promise<void> } = {
  async projects(tx, before, present) {
    await writeProjects(tx, { added: [], changed: [before] })
    const came = present.addresses.filter((slug) => !before.addresses.includes(slug))
    if (came.length > 0) await tx.deleteFrom('projectAddresses').where('slug', 'in', came).execute()
  },

  async contacts(tx, before, present) {
    await overwriteContact(tx, before)
    const was = new Set(before.replies.map(({ id }) => id))
    const replies = present.replies.flatMap(({ id }) => (was.has(id) ? [] : id))
    if (replies.length > 0) await tx.deleteFrom('contactReplies').where('id', 'in', replies).execute()
    const photos = present.photos.filter((hash) => !before.photos.includes(hash))
    if (photos.length === 0) return
    const came = tx.updateTable('contactPhotos').where('contactId', '=', before.id).where('hash', 'in', photos)
    // Swept later, like those of a deleted message.
    await came.set({ contactId: null }).execute()
  },
}

const takeOut: Record<RecordList, (tx: Db, ids: readonly string[], now: string) => Promise<unknown>> = {
  projects: (tx, ids, deletedAt) =>
    tx.updateTable('projects').set({ deletedAt }).where('id', 'in', ids).where('deletedAt', 'is', null).execute(),
  contacts: (tx, ids) => tx.deleteFrom('contactMessages').where('id', 'in', ids).execute(),
}

/** Publishes the texts from before once more, or removes them where there were none; false where they were changed since. */
async function bringBackSite(tx: Db, { siteVersions }: StoredMerge) {
  if (!siteVersions) return false
  const { before, after } = siteVersions
  if ((await readPublished(tx)).number !== after) return false
  const published = tx.deleteFrom('siteVersions').where('number', '=', after)
  if (before === 0) return (await published.executeTakeFirst()).numDeletedRows === 1n
  const was = await tx.selectFrom('siteVersions').selectAll().where('number', '=', before).executeTakeFirst()
  return was !== undefined && addVersion(tx, { ...was, number: after + 1 })
}
