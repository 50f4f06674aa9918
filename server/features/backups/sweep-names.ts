import type { Clock } from '#server/clock.ts'
import type { Storage } from '#server/storage/storage.ts'

const day = 24 * 60 * 60 * 1000

/** Notes of names for backups, as a process leaves them that is stopped before the backup has got its name. */
export async function sweepNotedNames({ storage, clock }: { storage: Storage; clock: Clock }) {
  const yesterday = new Date(clock.now().getTime() - day)
  for (const { name, modifiedAt } of await storage.list('names')) if (modifiedAt < yesterday) await storage.remove(name)
}
