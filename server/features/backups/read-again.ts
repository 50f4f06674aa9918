import { hashesShown } from '#contract/image-addresses.ts'
import { Problem } from '#server/http/problem.ts'
import type { Draft } from '#server/storage/storage.ts'
import { checkImages, type JudgeImage } from './check-images.ts'
import { openArchive } from './open-archive.ts'
import type { Progress } from './progress.ts'
import { type CheckedExport, eachIncoming } from './read-export.ts'
import { titlesInWords } from './titles.rules.ts'

/** Reads what was written as a restore would, and answers how much it is. */
export async function readAgain(draft: Draft, judge: JudgeImage, progress: Progress) {
  const file = await draft.open()
  try {
    const { images, records } = await openArchive(file).catch(insteadOfRefusal((cause) => new Problem('unexpected', { cause })))
    const checked = images.map((image) => ({
      ...image,
      read: (memory?: Buffer) => image.read(memory).catch(insteadOfRefusal((cause) => damaged(image.hash, records, cause))),
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

async function damaged(hash: string, records: CheckedExport, cause: Problem) {
  const titles: string[] = []
  for await (const { projects } of eachIncoming(records.read)) {
    titles.push(...projects.filter((project) => hashesShown(project).includes(hash)).map(({ title }) => title))
  }
  if (titles.length === 0) return new Problem('stored_image_damaged', { cause })
  const message =
    `A stored photo of ${titlesInWords(titles)} is damaged, so a whole backup cannot be made. Nothing was changed. ` +
    'Upload that photo again; meanwhile Export Data still works.'
  return new Problem('stored_image_damaged', { message, cause })
}
