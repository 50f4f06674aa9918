import { Problem } from '#server/http/problem.ts'
import type { Draft } from '#server/storage/storage.ts'
import { checkImages, type JudgeImage } from './check-images.ts'
import { type ImageInArchive, openArchive } from './open-archive.ts'
import type { Progress } from './progress.ts'

/** Reads what was written as a restore would, and answers how much it is. */
export async function readAgain(draft: Draft, judge: JudgeImage, progress: Progress) {
  const file = await draft.open()
  try {
    const { images } = await openArchive(file).catch(insteadOfRefusal((cause) => new Problem('unexpected', { cause })))
    const checked = images.map((image) => ({
      ...image,
      read: (memory?: Buffer) => image.read(memory).catch(insteadOfRefusal((cause) => damaged(image, cause))),
    }))
    await checkImages(checked, () => false, judge, progress)
    return file.bytes
  } finally {
    await file.close()
  }
}

/** The file that was read is ours and not one that somebody chose. */
function insteadOfRefusal(problem: (cause: Problem) => Problem | Promise<Problem>) {
  return async (error: unknown): Promise<never> => {
    throw error instanceof Problem ? await problem(error) : error
  }
}

async function damaged(image: ImageInArchive, cause: Problem) {
  const details = await image.shownBy()
  return new Problem('stored_image_damaged', { ...(details.projects.length > 0 && { details }), cause })
}
