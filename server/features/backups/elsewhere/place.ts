import type { Readable } from 'node:stream'
import { daysBefore } from '#server/clock.ts'
import type { OffsiteSettings } from '#server/config.ts'
import type { BucketSettings } from '#server/storage/s3.ts'
import type { OpenFile, Storage } from '#server/storage/storage.ts'
import { backupsFolder, storedBackup } from '../backup-names.ts'
import { type Copy, copiesAmong } from './copy-names.ts'
import { openFolderPlace } from './folder-place.ts'
import { sealedEnding } from './seal.ts'
import { unsealedName } from './unsealed.ts'

/**
 * The second place: it looks like the storage of a site that has backups and nothing else. Only what is in its folder
 * `backups` and has the name of a backup is ever looked at.
 */
export type Place = {
  kind: OffsiteSettings['kind']
  /** Where copies were brought before (`hasCopies`), a folder without their folder is not taken for the place. */
  list(signal: AbortSignal, about?: { hasCopies?: boolean }): Promise<Copy[]>
  put(file: string, content: Readable, about: { bytes: number; signal: AbortSignal; hasCopies?: boolean }): Promise<void>
  read(file: string, signal: AbortSignal): Promise<Readable>
  remove(file: string, signal: AbortSignal): Promise<void>
  /** For random access; undefined when there is no such file. */
  open(file: string): Promise<OpenFile | undefined>
}

/** Nothing is asked of it yet. */
export function openPlace(elsewhere: OffsiteSettings): Place {
  return elsewhere.kind === 'folder' ? openFolderPlace(elsewhere.folder) : openBucketPlace(elsewhere.bucket)
}

function openBucketPlace(settings: BucketSettings): Place {
  let opened: Promise<Place> | undefined
  const place = () => {
    opened ??= loadBucketPlace(settings).catch((error: unknown) => {
      // Tried again with the next call.
      opened = undefined
      throw error
    })
    return opened
  }
  return {
    kind: 'bucket',
    list: async (...asked) => (await place()).list(...asked),
    put: async (...asked) => (await place()).put(...asked),
    read: async (...asked) => (await place()).read(...asked),
    remove: async (...asked) => (await place()).remove(...asked),
    open: async (...asked) => (await place()).open(...asked),
  }
}

async function loadBucketPlace(settings: BucketSettings): Promise<Place> {
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
  const name = unsealedName(filename)
  return (await place.open(`${name}${sealedEnding}`)) ?? place.open(name)
}
