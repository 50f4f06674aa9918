import { sql } from 'kysely'
import { isBefore, listedBy } from '#server/database/slices.ts'
import type { Db } from '#server/database/tables.ts'
import { among } from './projects.queries.ts'
import { between, step } from './projects.rules.ts'

/** Held while the order changes. */
export const orderLock = 'order of projects'

export type Neighbour = { before: string } | { after: string }

/** Returns whether both projects exist. Call it in a transaction that holds the lock above. */
export async function moveProject(tx: Db, id: string, neighbour: Neighbour) {
  const isThere = (await findPlace(tx, id)) && (await findPlace(tx, neighbourOf(neighbour)))
  if (!isThere) return false
  if (id === neighbourOf(neighbour)) return true
  let rank = await freeRank(tx, id, neighbour)
  if (rank === null) {
    await makeRoom(tx)
    rank = await freeRank(tx, id, neighbour)
  }
  if (rank !== null) await tx.updateTable('projects').set({ rank }).where('id', '=', id).execute()
  return true
}

function neighbourOf(neighbour: Neighbour) {
  return 'before' in neighbour ? neighbour.before : neighbour.after
}

function findPlace(tx: Db, id: string) {
  return among(tx, { drafts: true }).select(['id', 'rank']).where('id', '=', id).executeTakeFirst()
}

/** A rank on that side of the neighbour; null when there is none left. */
async function freeRank(tx: Db, id: string, neighbour: Neighbour) {
  const place = await findPlace(tx, neighbourOf(neighbour))
  if (!place) return null
  // Includes the trash: deleted projects keep their ranks.
  const others = tx.selectFrom('projects').select('rank').where('id', '!=', id)
  if ('after' in neighbour) {
    const next = await listedBy('rank', others, { limit: 1, after: place }).executeTakeFirst()
    return between(next?.rank, place.rank)
  }
  const previous = await others.where(isBefore('rank', place)).orderBy('rank', 'asc').limit(1).executeTakeFirst()
  return between(place.rank, previous?.rank)
}

/** Renumbers all ranks with gaps, from the highest down. */
async function makeRoom(tx: Db) {
  await sql`
    update projects set rank = numbered.highest - numbered.place * ${sql.lit(step)} from (
      select id as numbered_id, max(rank) over () as highest, row_number() over (order by rank desc, id) - 1 as place
      from projects
    ) as numbered
    where id = numbered_id`.execute(tx)
}
