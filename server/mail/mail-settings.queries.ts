import type { Language } from '#contract/languages.ts'
import type { Db } from '#server/database/tables.ts'

/** What the maker has chosen in the panel. */
export async function readMailSettings(db: Db) {
  const { acknowledges, panelLanguage } = await db
    .selectFrom('site')
    .select(['acknowledges', 'panelLanguage'])
    .executeTakeFirstOrThrow()
  return { acknowledges, language: panelLanguage }
}

export async function changeMailSettings(
  db: Db,
  { acknowledges, language }: { acknowledges?: boolean | undefined; language?: Language | undefined },
) {
  const changes = {
    ...(acknowledges !== undefined && { acknowledges }),
    ...(language !== undefined && { panelLanguage: language }),
  }
  if (Object.keys(changes).length > 0) await db.updateTable('site').set(changes).execute()
}
