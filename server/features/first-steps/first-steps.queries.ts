import type { Db } from '#server/database/tables.ts'

export function readMarks(db: Db) {
  return db.selectFrom('site').select(['firstStepsDone', 'backupTakenAt']).executeTakeFirstOrThrow()
}

export async function markPutAway(db: Db, firstStepsDone: boolean) {
  await db.updateTable('site').set({ firstStepsDone }).execute()
}
