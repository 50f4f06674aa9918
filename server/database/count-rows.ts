import type { Db } from './tables.ts'

export async function countRows(db: Db, table: 'projects' | 'contactMessages' | 'adminUsers') {
  const { count } = await db
    .selectFrom(table)
    .select((row) => row.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}
