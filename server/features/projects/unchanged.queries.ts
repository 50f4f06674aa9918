import type { ExpressionBuilder } from 'kysely'
import type { Db, Tables } from '#server/database/tables.ts'

const compared = ['title', 'titleEs', 'description', 'descriptionEs'] as const

/** What a project was called and said when it came. */
type Told = { [Name in (typeof compared)[number]]?: string | null | undefined }

/** Those that are told as they came, and that nobody has saved since. One that somebody has rewritten is that person's. */
const isUnchanged = (told: readonly Told[]) => (row: ExpressionBuilder<Tables, 'projects'>) =>
  row.and([
    row('deletedAt', 'is', null),
    row('version', '=', 1),
    row.or(told.map((one) => row.and(compared.map((name) => row(name, 'is not distinct from', one[name] ?? null))))),
  ])

export async function countUnchanged(db: Db, told: readonly Told[]) {
  const { count } = await db
    .selectFrom('projects')
    .where(isUnchanged(told))
    .select((row) => row.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The ids of what went into the trash. By one statement: nothing that is rewritten meanwhile goes along. */
export async function putUnchangedIntoTrash(db: Db, told: readonly Told[], deletedAt: string) {
  const rows = await db.updateTable('projects').set({ deletedAt }).where(isUnchanged(told)).returning('id').execute()
  return rows.map(({ id }) => id)
}
