import { mostAddresses } from '#contract/projects.ts'
import { countRows } from '#server/database/slices.ts'
import type { Db, MergedRecordRow, StoredMerge } from '#server/database/tables.ts'
import { addVersion, readPublished } from '#server/features/site-content/site-content.queries.ts'
import { Problem } from '#server/http/problem.ts'
import { type RecordList, recordLists, sumOfRecord } from '../archive/export.rules.ts'
import { findRecords, overwriteProject, type RecordOf } from '../archive/records.queries.ts'
import { updateBackupState } from '../backup-state.ts'
import type { Progress } from '../job.ts'
import { canUndo, eachUndoRow, findReport } from './last-merge.queries.ts'
import { isInTrash } from './merge.rules.ts'
import type { MergeParts } from './restore.ts'

type Undone = NonNullable<StoredMerge['undone']>

/**
 * Makes what the last merge has changed as it was, puts added projects into the trash and removes added messages, in one
 * transaction. What was changed since stays.
 */
export async function undoMerge(id: string, { database, clock, images }: MergeParts, progress: Progress) {
  const work = async (tx: Db): Promise<StoredMerge> => {
    const merge = await findReport(tx, id)
    if (!(await canUndo(tx, merge))) throw new Problem('undo_impossible')
    const counts = () => ({ projects: 0, contacts: 0 })
    const at = clock.now().toISOString()
    const undone: Undone = { at, broughtBack: counts(), takenOut: counts(), site: false, left: 0 }
    const total = await countRows(tx, 'mergedRecords')
    let done = 0
    for (const list of recordLists) {
      for await (const rows of eachUndoRow(tx, id, list)) {
        await undoRecords(tx, list, rows, undone)
        done += rows.length
        progress('merging', done, total)
      }
    }
    undone.site = await bringBackSite(tx, merge)
    if (merge.siteVersions && !undone.site) undone.left += 1
    await tx.deleteFrom('mergedRecords').execute()
    await updateBackupState(tx, { lastMerge: { ...merge, undone } })
    return { ...merge, undone }
  }
  const merge = await database.exclusively(images.lock, work, { withoutTimeout: true })
  // The undo is committed. Photos that stay in quarantine now are taken out by the next sweep.
  await images.bringBack().catch(() => {})
  return merge
}

async function undoRecords<List extends RecordList>(tx: Db, list: List, rows: readonly MergedRecordRow[], undone: Undone) {
  const ids = rows.map(({ recordId }) => recordId)
  const present = new Map<string, RecordOf[List]>()
  for (const record of await findRecords(tx, list, ids)) present.set(record.id, record)
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
  async projects(tx, before) {
    await overwriteProject(tx, before)
    // A record names no more than these: the others must stay.
    if (before.addresses.length === mostAddresses) return
    const { id, addresses } = before
    await tx.deleteFrom('projectAddresses').where('projectId', '=', id).where('slug', 'not in', addresses).execute()
  },

  async contacts(tx, before, present) {
    const { id, state, note, spamReason, changedAt } = before
    await tx.updateTable('contactMessages').set({ state, note, spamReason, changedAt }).where('id', '=', id).execute()
    const replies = new Map(before.replies.map((reply) => [reply.id, reply]))
    for (const reply of present.replies) {
      const was = replies.get(reply.id)
      if (!was) await tx.deleteFrom('contactReplies').where('id', '=', reply.id).execute()
      else await tx.updateTable('contactReplies').set({ sentAt: was.sentAt }).where('id', '=', reply.id).execute()
    }
    const came = present.photos.filter((hash) => !before.photos.includes(hash))
    if (came.length === 0) return
    const photos = tx.updateTable('contactPhotos').where('contactId', '=', id).where('hash', 'in', came)
    // Swept later, like those of a deleted message.
    await photos.set({ contactId: null }).execute()
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
