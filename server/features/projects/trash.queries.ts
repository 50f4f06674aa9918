import { type DeletedProject, daysInTrash } from '#contract/projects.admin.ts'
import type { Clock } from '#server/clock.ts'
import { listedBy, type Page } from '#server/database/slices.ts'
import type { Db } from '#server/database/tables.ts'
import { keepHidden } from '#server/features/images/project-photos.ts'
import { ranDaysBefore } from '#server/jobs/running-time.ts'
import { wholeProjects } from './projects.queries.ts'

/** Returns whether the project was found. */
export async function putIntoTrash(db: Db, id: string, deletedAt: string) {
  const { numUpdatedRows } = await db
    .updateTable('projects')
    .set({ deletedAt })
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Returns how many of them were in the trash. */
export async function takeOutOfTrash(db: Db, ids: readonly string[]) {
  const { numUpdatedRows } = await db
    .updateTable('projects')
    .set({ deletedAt: null })
    .where('id', 'in', ids)
    .where('deletedAt', 'is not', null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** The last deleted first. */
export async function listTrash(db: Db, page: Page<'deletedAt'>): Promise<DeletedProject[]> {
  const rows = await listedBy('deletedAt', inTrash(db).selectAll(), page).execute()
  const projects = await wholeProjects(db, rows)
  return projects.map((project, index) => ({ ...project, deletedAt: rows[index]?.deletedAt ?? '' }))
}

export async function countTrash(db: Db) {
  const { count } = await inTrash(db)
    .select((row) => row.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

function inTrash(db: Db) {
  return db.selectFrom('projects').where('deletedAt', 'is not', null)
}

/** Returns whether it was in the trash. */
export async function removeFromTrash(db: Db, id: string, now: string) {
  await keepHidden(db, now)
  const { numDeletedRows } = await db
    .deleteFrom('projects')
    .where('deletedAt', 'is not', null)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Returns how many were removed. One statement: an abort removes all or none. */
export async function emptyTrash(db: Db, now: string, upTo?: string) {
  await keepHidden(db, now)
  const all = db.deleteFrom('projects').where('deletedAt', 'is not', null)
  const { numDeletedRows } = await (upTo ? all.where('deletedAt', '<=', upTo) : all).executeTakeFirst()
  return Number(numDeletedRows)
}

/** Removes projects past their retention. */
export async function sweepTrash(db: Db, clock: Clock) {
  const before = (await ranDaysBefore(db, clock, daysInTrash)).toISOString()
  const old = await inTrash(db).select('id').where('deletedAt', '<=', before).executeTakeFirst()
  if (old) await emptyTrash(db, clock.now().toISOString(), before)
}
