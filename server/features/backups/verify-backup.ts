import type { OpenFile } from '#server/storage/storage.ts'
import { checkImages, type JudgeImage } from './check-images.ts'
import { readExport } from './export.rules.ts'
import { openArchive } from './open-archive.ts'
import type { Progress } from './progress.ts'

/** Reads all of it as a restore would, and changes nothing. */
export async function verifyComplete(file: OpenFile, judge: JudgeImage, progress: Progress) {
  const archive = await openArchive(file)
  await checkImages(archive.images, () => true, judge, progress)
  return archive.manifest
}

export function verifyExport(data: unknown) {
  const { projects, contacts } = readExport(data)
  return { projects: projects.length, contacts: contacts.length }
}
