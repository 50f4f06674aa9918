import { createHash } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { Problem } from '#server/http/problem.ts'
import type { OpenFile } from '#server/storage/storage.ts'
import { forEachConcurrently } from '../concurrency.ts'
import type { LocalFile } from '../disk-space.ts'
import type { Progress } from '../job.ts'
import { type ArchivedPhoto, refusedArchive } from './archive.rules.ts'
import type { CheckedImage, Images } from './backup-photos.ts'
import { openArchive, type PlacedPhoto } from './open-archive.ts'

/** One more than are decoded at once: the next is there when one is done. Each holds at most one photo in memory. */
export const photosAtOnce = Math.min(availableParallelism(), 4) + 1

const verdicts = ['not_an_image', 'image_too_many_pixels', 'image_needs_memory'] as const

type Options = {
  judge: Images['judge']
  /** Of the others only the hash is compared. `md5` reads the photo in the archive. */
  isNeeded?: (photo: ArchivedPhoto, md5: () => Promise<string>) => Promise<boolean>
  progress: Progress
  plan?: LocalFile
}

/**
 * Reads a complete backup to its last byte, and refuses it for the first fault. Making, verifying and restoring one all go
 * through here. Photos that are needed must also be such as the site stores.
 */
export async function readArchive(file: OpenFile, { judge, isNeeded = async () => true, progress, plan }: Options) {
  const archive = await openArchive(file, plan)
  const needed: (PlacedPhoto & CheckedImage)[] = []
  let done = 0

  async function takeIfSound(photo: PlacedPhoto, content: Parameters<typeof judge>[0]) {
    const { hash } = photo
    const checked = await judge(content).catch(async (error: unknown) => {
      if (!(error instanceof Problem)) throw error
      const verdict = verdicts.find((code) => code === error.code) ?? 'image_broken'
      const because = error.code === 'heic_not_supported' ? 'not_an_image' : verdict
      throw refusedArchive({ reason: 'photo_refused', photo: hash, ...(await archive.ownersIn(photo)), because }, error)
    })
    if (checked.hash !== hash) throw await archive.damaged(photo)
    needed.push({ ...photo, ...checked })
  }

  await forEachConcurrently(archive.photos, photosAtOnce, async (photo) => {
    const { start, bytes } = photo
    const sum = createHash('md5')
    let isRead = false
    const md5 = async () => {
      await archive.withPhoto(photo, async (content) => void sum.update(content))
      isRead = true
      return sum.digest('hex')
    }
    if (!(await isNeeded(photo, md5))) {
      if (!isRead) await archive.withPhoto(photo, async () => {})
    }
    // Photos are stored as they are: in a file of this machine the encoder reads them itself.
    else if (file.file) await takeIfSound(photo, { file: file.file, start, bytes })
    else await archive.withPhoto(photo, (content) => takeIfSound(photo, content))
    done += 1
    progress('checking', done, archive.photos.length)
  })
  return { ...archive, needed }
}
