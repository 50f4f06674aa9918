import type { Db, NewImage } from '#server/database/tables.ts'

export async function insertImage(db: Db, image: NewImage) {
  await db
    .insertInto('images')
    .values(image)
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .execute()
}

export function findImage(db: Db, hash: string) {
  return db.selectFrom('images').selectAll().where('hash', '=', hash).executeTakeFirst()
}
