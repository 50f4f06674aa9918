import type { ExpressionBuilder } from 'kysely'
import { type Language, otherLanguages } from '#contract/languages.ts'
import type { Db, Tables } from '#server/database/tables.ts'

const compared = ['title', 'description'] as const
type Texts = { [Name in (typeof compared)[number]]?: string | null | undefined }

/** The demo's original texts. */
type Original = Texts & { translations?: { [L in Language]?: Texts | undefined } | undefined }

/** Never saved, and with the original texts. */
const isUnchanged = (originals: readonly Original[]) => (row: ExpressionBuilder<Tables, 'projects'>) => {
  const translated = (name: keyof Texts, language: Language) =>
    row
      .selectFrom('projectTexts')
      .select(name)
      .whereRef('projectTexts.projectId', '=', 'projects.id')
      .where('language', '=', language)
  const isSame = (original: Original) =>
    row.and(
      compared.flatMap((name) => [
        row(`projects.${name}`, 'is not distinct from', original[name] ?? null),
        ...otherLanguages.map((language) =>
          row(translated(name, language), 'is not distinct from', original.translations?.[language]?.[name] ?? null),
        ),
      ]),
    )
  return row.and([row('deletedAt', 'is', null), row('version', '=', 1), row.or(originals.map(isSame))])
}

export async function countUnchanged(db: Db, originals: readonly Original[]) {
  const { count } = await db
    .selectFrom('projects')
    .where(isUnchanged(originals))
    .select((row) => row.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Returns the ids. One statement: a concurrent edit is not trashed. */
export async function putUnchangedIntoTrash(db: Db, originals: readonly Original[], deletedAt: string) {
  const rows = await db.updateTable('projects').set({ deletedAt }).where(isUnchanged(originals)).returning('id').execute()
  return rows.map(({ id }) => id)
}
