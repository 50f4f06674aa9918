import type { Readable } from 'node:stream'
import { daysBefore } from '#server/clock.ts'
import type { Elsewhere } from '#server/config.ts'
import type { OpenFile, Storage } from '#server/storage/storage.ts'
import { backupsFolder, isBackupName, storedBackup } from '../backup-names.ts'
import { sealedEnding } from './seal.ts'

/**
 * The second place: it looks like the storage of a site that has backups and nothing else. Only what is in its folder
 * `backups` and has the name of a backup is ever looked at.
 */
export type Place = {
  kind: Elsewhere['kind']
  list(signal: AbortSignal): Promise<Copy[]>
  put(file: string, content: Readable, about: { bytes: number; signal: AbortSignal }): Promise<void>
  read(file: string, signal: AbortSignal): Promise<Readable>
  remove(file: string, signal: AbortSignal): Promise<void>
  /** For random access; undefined when there is no such file. */
  open(file: string): Promise<OpenFile | undefined>
}

/** `file` is the name of the backup, or that and `.age`. */
export type Copy = { filename: string; file: string; bytes: number }

export async function openPlace(elsewhere: Elsewhere): Promise<Place> {
  if (elsewhere.kind === 'bucket') return openBucketPlace(elsewhere.bucket)
  const { openFolderPlace } = await import('./folder-place.ts')
  return openFolderPlace(elsewhere.folder)
}

async function openBucketPlace(settings: Extract<Elsewhere, { kind: 'bucket' }>['bucket']): Promise<Place> {
  const { abortUploadsTo, openBucket } = await import('#server/storage/s3.ts')
  const place = placeIn(await openBucket(settings))
  return {
    ...place,
    async put(...copy) {
      // What a kill has left. Not every service answers that.
      await abortUploadsTo(settings, storedBackup('complete_backup_'), daysBefore(new Date(), 1)).catch(() => {})
      await place.put(...copy)
    },
  }
}

export function placeIn(storage: Storage): Place {
  return {
    kind: 'bucket',
    list: async () => copiesAmong(await storage.list(backupsFolder)),
    put: (file, content) => storage.put(storedBackup(file), content),
    async read(file) {
      const found = await storage.stream(storedBackup(file))
      if (!found) throw new Error(`${file} is not there.`)
      return found.content
    },
    remove: (file) => storage.remove(storedBackup(file)),
    open: (file) => storage.open(storedBackup(file)),
  }
}

/** A backup that lies elsewhere, as it lies there: it may be encrypted. */
export async function openFrom(place: Place, filename: string): Promise<OpenFile | undefined> {
  const name = backupOf(filename)
  return (await place.open(`${name}${sealedEnding}`)) ?? place.open(name)
}

export function copiesAmong(files: Awaited<ReturnType<Storage['list']>>): Copy[] {
  return files
    .map(({ name, bytes }) => ({ file: name.slice(storedBackup('').length), bytes }))
    .map((copy) => ({ ...copy, filename: backupOf(copy.file) }))
    .filter(({ filename }) => isBackupName(filename))
}

/** The name without the ending of what is encrypted. */
function backupOf(file: string) {
  return file.endsWith(sealedEnding) ? file.slice(0, -sealedEnding.length) : file
}
