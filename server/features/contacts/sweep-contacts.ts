import type { Clock } from '#server/clock.ts'
import { contactPhotoName } from '#server/database/contact-records.ts'
import type { Database } from '#server/database/open.ts'
import { slice } from '#server/database/slices.ts'
import { ranDaysBefore } from '#server/jobs/running-time.ts'
import type { Storage } from '#server/storage/storage.ts'
import { removeContacts } from './contacts.queries.ts'
import * as photos from './photos.queries.ts'

type Parts = { database: Database; storage: Storage; clock: Clock }

const daysOfSpam = 60

/** Spam that nobody has made a message. */
export async function sweepSpam({ database: { db }, clock }: Pick<Parts, 'database' | 'clock'>) {
  const before = (await ranDaysBefore(db, clock, daysOfSpam)).toISOString()
  const old = db
    .selectFrom('contactMessages')
    .select('id')
    .where('state', '=', 'spam')
    .where('createdAt', '<', before)
    // Marked by hand, it has its days from then on.
    .where((row) => row.or([row('changedAt', 'is', null), row('changedAt', '<', before)]))
  let removed: number
  do {
    const ids = (await old.limit(slice).execute()).map(({ id }) => id)
    // One that is made a message in this moment is kept.
    removed = await removeContacts(db, ids, 'spam')
  } while (removed > 0)
}

/** Photos that belong to no message: it was not sent within a day, or it was deleted. At most some at a time, if so wanted. */
export async function sweepPhotos(parts: Parts, { most = Number.POSITIVE_INFINITY } = {}) {
  const { database, clock } = parts
  const since = await ranDaysBefore(database.db, clock, photos.daysUnbound)
  let removed = 0
  for (;;) {
    const unbound = await photos.listUnbound(database.db, since)
    for (const photo of unbound) {
      if (!(await photos.hasOtherOf(database.db, photo))) await removeFile(parts, photo)
      await photos.removePhoto(database.db, photo.id)
    }
    removed += unbound.length
    if (unbound.length < slice || removed >= most) return
  }
}

async function removeFile({ database, storage }: Parts, photo: { id: string; hash: string }) {
  const name = contactPhotoName(photo.hash)
  const content = await storage.read(name)
  if (!content) return
  await storage.remove(name)
  // The same photo may have come again in this moment.
  if (await photos.hasOtherOf(database.db, photo)) await storage.put(name, content)
}
