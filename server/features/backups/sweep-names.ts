import { type Clock, daysBefore } from '#server/clock.ts'
import type { Storage } from '#server/storage/storage.ts'

/** Notes of names for backups, as a process leaves them that is stopped before the backup has got its name. */
export async function sweepNotedNames({ storage, clock }: { storage: Storage; clock: Clock }) {
  const yesterday = daysBefore(clock.now(), 1)
  for (const { name, modifiedAt } of await storage.list('names')) if (modifiedAt < yesterday) await storage.remove(name)
}
