import type { OpenFile } from '#server/storage/storage.ts'
import { checkImages, type JudgeImage } from './check-images.ts'
import { openArchive } from './open-archive.ts'
import type { Progress } from './progress.ts'
import { checkExport, type ExportSource } from './read-export.ts'

/** Reads all of it as a restore would, and changes nothing. */
export async function verifyComplete(file: OpenFile, judge: JudgeImage, progress: Progress) {
  const archive = await openArchive(file)
  await checkImages(archive.images, () => true, judge, progress)
  return archive.manifest
}

export async function verifyExport(read: ExportSource) {
  return (await checkExport(read)).counts
}
