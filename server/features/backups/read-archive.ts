import { Problem } from '#server/http/problem.ts'
import type { OpenFile } from '#server/storage/storage.ts'
import { refusedArchive } from './archive.rules.ts'
import { forEachConcurrently } from './concurrency.ts'
import type { CheckedImage, Images } from './images.ts'
import type { LocalFile } from './local-file.ts'
import { type ArchivedImage, openArchive } from './open-archive.ts'
import type { Progress } from './progress.ts'

/** Two at a time keep a small machine busy; each holds one image in memory. */
export const imagesAtOnce = 2

const verdicts = ['not_an_image', 'image_too_many_pixels', 'image_needs_memory'] as const

type Options = {
  judge: Images['judge']
  /** Of the others only the hash is compared. */
  isWanted?: (hash: string) => Promise<boolean>
  progress: Progress
  plan?: LocalFile
}

/**
 * Reads a complete backup to its last byte, and refuses it for the first fault. Making, verifying and restoring one all go
 * through here. Images that are wanted must also be such as the site stores.
 */
export async function readArchive(file: OpenFile, { judge, isWanted = async () => true, progress, plan }: Options) {
  const archive = await openArchive(file, plan)
  const wanted: (ArchivedImage & CheckedImage)[] = []
  let done = 0

  async function takeIfSound(image: ArchivedImage, content: Parameters<typeof judge>[0]) {
    const { hash } = image
    const checked = await judge(content).catch(async (error: unknown) => {
      if (!(error instanceof Problem)) throw error
      const known = verdicts.find((code) => code === error.code) ?? 'image_broken'
      const because = error.code === 'heic_not_supported' ? 'not_an_image' : known
      throw refusedArchive({ reason: 'photo_refused', photo: hash, ...(await archive.shownBy(hash)), because }, error)
    })
    if (checked.hash !== hash) throw await archive.damaged(hash)
    wanted.push({ ...image, ...checked })
  }

  await forEachConcurrently(archive.images, imagesAtOnce, async (image) => {
    const { start, bytes } = image
    if (!(await isWanted(image.hash))) await archive.withImage(image, async () => {})
    // Images are stored as they are: in a file of this machine the encoder reads them itself.
    else if (file.file) await takeIfSound(image, { file: file.file, start, bytes })
    else await archive.withImage(image, (content) => takeIfSound(image, content))
    done += 1
    progress('checking', done, archive.images.length)
  })
  return { ...archive, wanted }
}
