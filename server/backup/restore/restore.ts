import { randomUUID } from 'node:crypto'
import type { Counts } from '#contract/backups.ts'
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/database/open.ts'
import type { Db, StoredMerge } from '#server/database/tables.ts'
import { forEachConcurrently, type Storage } from '#server/storage/storage.ts'
import type { CheckedImage, Images } from '../archive/backup-photos.ts'
import { checkPhotos, type IncomingBackup, type PlacedPhoto, photosAtOnce } from '../archive/read-backup.ts'
import { ensureRoom } from '../disk-space.ts'
import { noProgress, type Progress } from '../job.ts'
import { keepReport } from './last-merge.queries.ts'
import type { MergeMode } from './merge.rules.ts'
import { listAvailable, mergeRecords, ofKind, photosOf } from './merge-records.ts'

export type MergeParts = { database: Database; storage: Storage; clock: Clock; images: Images }

export type MergeRequest = {
  mode: MergeMode
  /** The name of the file, for the report. One that ends in `.zip` is a complete backup. */
  filename: string
  /** The projects that are left out, by their places in the file. */
  without?: ReadonlySet<number> | undefined
}

/**
 * Checks the photos, stores those that are missing (nothing refers to them yet), and changes the records in one transaction,
 * which also notes how to undo it. Killed at any moment, the site is as before or as after.
 */
export async function mergeBackup(incoming: IncomingBackup, request: MergeRequest, parts: MergeParts, progress: Progress) {
  const { database, storage, clock, images } = parts
  const { mode, filename, without } = request
  const photos = photosOf(parts)
  const isNeeded = async ({ kind, hash }: PlacedPhoto) => !(await photos[kind].isIntact(hash))
  const needed = await checkPhotos(incoming, { judge: images.judge, isNeeded, progress })
  const bytes = needed.reduce((total, photo) => total + photo.bytes, 0)
  await ensureRoom(storage, bytes)
  await storePhotos(incoming, needed, photos, progress)

  const now = clock.now().toISOString()
  const rows = ofKind('images', needed).map(({ kind: _kind, ...image }) => ({ ...image, createdAt: now }))
  const sent = ofKind('inquiryPhotos', needed)
  const facts = sent.map(({ hash, contentType, bytes, width, height }) => ({ hash, contentType, bytes, width, height }))
  const id = randomUUID()
  const options = { mergeId: id, mode, without, now, photos: await listAvailable(parts, incoming, facts) }
  const work = async (tx: Db) => {
    await images.insert(tx, rows)
    const { projects, contacts, isChanged, ...changes } = await mergeRecords(tx, incoming, options, progress)
    const added = { projects: projects.added, contacts: contacts.added, ...countOf(needed) }
    const broughtBack = { projects: projects.changed, contacts: contacts.changed, images: 0, inquiryPhotos: 0 }
    const imported = { ...added, projects: added.projects + projects.changed, contacts: added.contacts + contacts.changed }
    const inFile = countOf(incoming.photos)
    const alreadyThere = {
      projects: projects.alreadyThere,
      contacts: contacts.alreadyThere,
      images: inFile.images - added.images,
      inquiryPhotos: inFile.inquiryPhotos - added.inquiryPhotos,
    }
    const about = { id, mode, filename, at: now, message: messageOf(filename, imported), undone: null }
    const merge: StoredMerge = { ...about, ...changes, imported, added, broughtBack, alreadyThere }
    await keepReport(tx, merge, { isChanged })
    return merge
  }
  const merge = await database.exclusively(images.lock, work, { withoutTimeout: true })
  // The merge is committed: a storage that fails now must not turn the reply into a failure.
  await storeSwept().catch(() => {})
  await images.bringBack().catch(() => {})
  return { merge, added: rows.map(({ hash }) => hash) }

  /** Photos of a deleted message may have been swept before the transaction brought their rows back. */
  async function storeSwept() {
    const stored = sent.length > 0 ? await photos.inquiryPhotos.listStored() : new Map()
    const swept = sent.filter(({ hash }) => !stored.has(hash))
    await storePhotos(incoming, swept, photos, noProgress)
  }
}

function countOf(photos: readonly PlacedPhoto[]) {
  return { images: ofKind('images', photos).length, inquiryPhotos: ofKind('inquiryPhotos', photos).length }
}

async function storePhotos(
  { readPhoto }: IncomingBackup,
  needed: readonly (PlacedPhoto & CheckedImage)[],
  photos: ReturnType<typeof photosOf>,
  progress: Progress,
) {
  let done = 0
  await forEachConcurrently(needed, photosAtOnce, async (photo) => {
    await photos[photo.kind].put(photo, await readPhoto(photo))
    done += 1
    progress('storing', done, needed.length)
  })
}

function messageOf(filename: string, { projects, contacts, images }: Counts) {
  return filename.toLowerCase().endsWith('.zip')
    ? `Complete backup restored: ${projects} projects, ${contacts} contacts, ${images} images found`
    : `Import completed: ${projects} projects, ${contacts} contacts`
}
