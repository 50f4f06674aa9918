import type { OwnFields } from '#contract/site-fields.ts'
import { type OpenFile, piecesOf } from '#server/storage/storage.ts'
import type { CheckedImage, Images } from '../archive/backup-photos.ts'
import { type CheckedRecord, fromLine, type RecordList } from '../archive/export.rules.ts'
import { openArchive, type PlacedPhoto } from '../archive/open-archive.ts'
import { readArchive } from '../archive/read-archive.ts'
import { checkExport } from '../archive/read-export.ts'
import { withLocalFile } from '../disk-space.ts'
import type { Progress } from '../job.ts'
import type { MergeParts } from './restore.ts'

// Stands in for archive/read-backup.ts until that is there.

export type { PlacedPhoto }

export type IncomingBackup = {
  createdAt: string | undefined
  counts: { projects: number; contacts: number }
  site: OwnFields | undefined
  withoutIds: Record<RecordList, Set<string>>
  records(): AsyncGenerator<CheckedRecord[]>
  photos: readonly PlacedPhoto[]
  withPhoto(photo: PlacedPhoto, use: (content: Buffer) => Promise<void>): Promise<void>
}

const files = new WeakMap<IncomingBackup, OpenFile>()

export function withIncoming<T>(
  file: OpenFile,
  filename: string,
  { storage }: Pick<MergeParts, 'storage'>,
  use: (incoming: IncomingBackup) => Promise<T>,
) {
  return withLocalFile(storage, async (plan) => {
    const isArchive = filename.toLowerCase().endsWith('.zip')
    await plan.appendLines([])
    const opened = isArchive
      ? await openArchive(file, plan)
      : { records: await checkExport(() => piecesOf(file), { plan }), photos: [], withPhoto: async () => {} }
    const incoming: IncomingBackup = {
      ...opened.records,
      async *records() {
        for await (const lines of plan.readLines()) yield lines.map(fromLine)
      },
      photos: opened.photos,
      withPhoto: opened.withPhoto,
    }
    files.set(incoming, file)
    return use(incoming)
  })
}

export async function checkPhotos(
  incoming: IncomingBackup,
  options: { judge: Images['judge']; isNeeded(photo: PlacedPhoto): Promise<boolean>; progress: Progress },
): Promise<(PlacedPhoto & CheckedImage)[]> {
  const file = files.get(incoming)
  if (!file || incoming.photos.length === 0) return []
  const { judge, isNeeded, progress } = options
  return (await readArchive(file, { judge, isNeeded: (photo) => isNeeded(photo as PlacedPhoto), progress })).needed
}
