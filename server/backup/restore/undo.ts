import { mostAddresses } from '#contract/projects.ts'
import type { Db, StoredMerge } from '#server/database/tables.ts'
import { addVersion, readPublished } from '#server/features/site-content/site-content.queries.ts'
import { Problem } from '#server/http/problem.ts'
import { piecesOf } from '#server/storage/storage.ts'
import { fromLine, type RecordList, recordLists } from '../archive/export.rules.ts'
import { checkExport } from '../archive/read-export.ts'
import {
  type ContactContent,
  findRecords,
  overwriteProject,
  type ProjectContent,
  type RecordOf,
} from '../archive/records.queries.ts'
import { updateBackupJobs } from '../backup-jobs.ts'
import { storedBackup } from '../backup-names.ts'
import { type LocalFile, withLocalFile } from '../disk-space.ts'
import type { Progress } from '../job.ts'
import { countChanged, eachAdded, findMarks, findReport, forgetTouched, markOf } from './last-merge.queries.ts'
import type { MergeParts } from './restore.ts'

type Undone = NonNullable<StoredMerge['undone']>

/**
 * Makes what the last merge has changed as its restore point has it, puts added projects into the trash and removes added
 * messages, in one transaction. What was changed since stays.
 */
export async function undoMerge(id: string, parts: Omit<MergeParts, 'keepRestorePoint'>, progress: Progress) {
  const { database, storage, clock, images } = parts
  const { restorePoint } = await findUndoable(database.db, id)
  const file = restorePoint === null ? undefined : await storage.open(storedBackup(restorePoint))
  if (!file) throw new Problem('undo_impossible')
  const undone = await withLocalFile(storage, async (plan) => {
    await plan.reserve(file.bytes)
    const { counts } = await checkExport(() => piecesOf(file), { whole: true, plan, asStored: true }).catch(
      (error: unknown) => {
        throw error instanceof Problem ? new Problem('undo_impossible', { cause: error }) : error
      },
    )
    return database.exclusively(
      images.lock,
      async (tx) => {
        const merge = await findUndoable(tx, id)
        const now = clock.now().toISOString()
        const total = counts.projects + counts.contacts
        const undone = {
          at: now,
          broughtBack: { projects: 0, contacts: 0 },
          takenOut: { projects: 0, contacts: 0 },
          site: false,
          left: 0,
        }
        await bringBack(tx, plan, undone, (done) => progress('merging', done, total))
        for (const list of recordLists) await takeOut(tx, list, undone)
        undone.site = await bringBackSite(tx, merge)
        if (merge.siteVersions && !undone.site) undone.left += 1
        await forgetTouched(tx)
        await updateBackupJobs(tx, { lastMerge: { ...merge, undone } })
        return { ...merge, undone }
      },
      { withoutTimeout: true },
    )
  }).finally(() => file.close())
  // The undo is committed. Photos that stay in quarantine now are taken out by the next sweep.
  await images.bringBack([]).catch(() => {})
  return undone
}

async function findUndoable(db: Db, id: string) {
  const merge = await findReport(db, id)
  if (merge.undone) throw new Problem('undo_impossible')
  return merge
}

/** The changed ones, in the order of the restore point. */
async function bringBack(tx: Db, plan: LocalFile, undone: Undone, onProgress: (done: number) => void) {
  const changed = await countChanged(tx)
  let done = 0
  for await (const lines of plan.readLines()) {
    const records = lines.map(fromLine)
    for (const list of recordLists) {
      const were = records.flatMap((each) => (each.list === list ? (each.record as RecordOf[typeof list]) : []))
      undone.broughtBack[list] += await bringBackRecords(tx, list, were)
    }
    done += records.length
    onProgress(done)
  }
  undone.left += changed - undone.broughtBack.projects - undone.broughtBack.contacts
}

async function bringBackRecords<List extends RecordList>(tx: Db, list: List, were: readonly RecordOf[List][]) {
  const marks = await findMarks(
    tx,
    list,
    were.map(({ id }) => id),
  )
  const present = new Map<string, RecordOf[List]>()
  for (const record of await findRecords(tx, list, [...marks.keys()])) present.set(record.id, record)
  let count = 0
  for (const was of were) {
    const now = present.get(was.id)
    if (!now || marks.get(was.id) !== markOf(was, now)) continue
    await putBack[list](tx, was, now)
    count += 1
  }
  return count
}

const putBack: { [List in RecordList]: (tx: Db, was: RecordOf[List], now: RecordOf[List]) => Promise<void> } = {
  async projects(tx, was) {
    await overwriteProject(tx, was)
    // A backup names no more than these: the others must stay.
    if (was.addresses.length === mostAddresses) return
    await tx.deleteFrom('projectAddresses').where('projectId', '=', was.id).where('slug', 'not in', was.addresses).execute()
  },

  async contacts(tx, was, now) {
    const { id, state, note, spamReason, changedAt } = was
    await tx.updateTable('contactMessages').set({ state, note, spamReason, changedAt }).where('id', '=', id).execute()
    const replies = new Map(was.replies.map((reply) => [reply.id, reply]))
    for (const reply of now.replies) {
      const before = replies.get(reply.id)
      if (!before) await tx.deleteFrom('contactReplies').where('id', '=', reply.id).execute()
      else await tx.updateTable('contactReplies').set({ sentAt: before.sentAt }).where('id', '=', reply.id).execute()
    }
    const came = now.photos.filter((hash) => !was.photos.includes(hash))
    if (came.length === 0) return
    // Swept later, like those of a deleted message.
    await tx
      .updateTable('contactPhotos')
      .set({ contactId: null })
      .where('contactId', '=', id)
      .where('hash', 'in', came)
      .execute()
  },
}

async function takeOut(tx: Db, list: RecordList, undone: Undone) {
  for await (const added of eachAdded(tx, list)) {
    const present = await findRecords(
      tx,
      list,
      added.map(({ recordId }) => recordId),
    )
    const marks = new Map(added.map(({ recordId, mark }) => [recordId, mark]))
    const same = present.filter((record) => marks.get(record.id) === markOf(undefined, record)).map(({ id }) => id)
    if (same.length > 0) await takenOut[list](tx, same, undone.at)
    undone.takenOut[list] += same.length
    // One that is in the trash or deleted since needs no undo.
    undone.left += present.filter((record) => !same.includes(record.id) && !isInTrash(record)).length
  }
}

const takenOut: Record<RecordList, (tx: Db, ids: readonly string[], now: string) => Promise<unknown>> = {
  projects: (tx, ids, deletedAt) =>
    tx.updateTable('projects').set({ deletedAt }).where('id', 'in', ids).where('deletedAt', 'is', null).execute(),
  contacts: (tx, ids) => tx.deleteFrom('contactMessages').where('id', 'in', ids).execute(),
}

function isInTrash(record: ProjectContent | ContactContent) {
  return 'deletedAt' in record && record.deletedAt !== null
}

/** Publishes the texts from before once more, or removes them where there were none; false where they were changed since. */
async function bringBackSite(tx: Db, { siteVersions }: StoredMerge) {
  if (!siteVersions) return false
  const { before, after } = siteVersions
  if ((await readPublished(tx)).number !== after) return false
  if (before === 0) {
    await tx.deleteFrom('siteVersions').where('number', '=', after).execute()
    return true
  }
  const was = await tx.selectFrom('siteVersions').selectAll().where('number', '=', before).executeTakeFirst()
  return was !== undefined && addVersion(tx, { ...was, number: after + 1 })
}
