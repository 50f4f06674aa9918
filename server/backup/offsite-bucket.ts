import type { Readable } from 'node:stream'
import { daysBefore } from '#server/clock.ts'
import { abortUploadsTo, type BucketSettings, openBucket } from '#server/storage/s3.ts'
import type { OpenFile } from '#server/storage/storage.ts'
import { backupsFolder, storedBackup } from './backup-names.ts'

/** The folder `backups` of a folder or a bucket outside of the site. */
export type OffsiteTarget = {
  /** The names of the files. Only where nothing was copied before, `isNew`, the folder `backups` may be created. */
  list(about: { isNew: boolean }): Promise<string[]>
  /** Whole or not at all. */
  put(file: string, content: Readable, bytes: number): Promise<void>
  read(file: string): Promise<Readable>
  remove(file: string): Promise<void>
  /** For random access; undefined when there is no such file. */
  open(file: string): Promise<OpenFile | undefined>
}

export async function openBucketTarget(settings: BucketSettings): Promise<OffsiteTarget> {
  const storage = await openBucket(settings)
  return {
    list: async () => (await storage.list(backupsFolder)).map(({ name }) => name.slice(storedBackup('').length)),
    async put(file, content) {
      // Half uploads of a process that was killed. Not every service lists them.
      await abortUploadsTo(settings, storedBackup('complete_backup_'), daysBefore(new Date(), 1)).catch(() => {})
      await storage.put(storedBackup(file), content)
    },
    async read(file) {
      const stored = await storage.stream(storedBackup(file))
      if (!stored) throw new Error(`${file} is not there.`)
      return stored.content
    },
    remove: (file) => storage.remove(storedBackup(file)),
    open: (file) => storage.open(storedBackup(file)),
  }
}
