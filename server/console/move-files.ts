import { createHash } from 'node:crypto'
import { contactPhotosFolder } from '../features/contacts/photos.queries.ts'
import { forEachConcurrently, type Storage, sumOf } from '../storage/storage.ts'

/** Photos, their variants, those of visitors, the quarantine, backups. Everything else is transient. */
const folders = ['objects', 'variants', contactPhotosFolder, 'aside', 'backups']

export type MovedFolder = { folder: string; files: number; bytes: number; sha256: string }

type Options = {
  /** Undefined for what visitors are not shown. */
  contentTypeOf(name: string): string | undefined
  progress(done: number, total: number): void
}

/**
 * Copies every file that is missing from the target, and reads all of them back. Overwrites nothing: it can be stopped and run
 * again at any moment.
 */
export async function moveFiles(
  source: Storage,
  target: Storage,
  { contentTypeOf, progress }: Options,
): Promise<MovedFolder[]> {
  const lists = await Promise.all(folders.map((folder) => listBoth(folder, source, target)))
  const total = lists.reduce((sum, { files }) => sum + files.length, 0)
  let done = 0
  const report: MovedFolder[] = []
  for (const { folder, files, alreadyThere } of lists) {
    const sums = new Map<string, string>()
    await forEachConcurrently(files, 4, async ({ name }) => {
      const contentType = contentTypeOf(name)
      if (!alreadyThere.has(name)) await copy(name, source, target, contentType ? { contentType } : undefined)
      const [sum, sumThere] = [await sumOf(name, source), await sumOf(name, target)]
      if (sum !== sumThere) throw new Error(`The file ${name} is another one there than here. Move to an empty place.`)
      sums.set(name, sum)
      done += 1
      progress(done, total)
    })
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
    report.push({ folder, files: files.length, bytes, sha256: sumOfAll(sums) })
  }
  return report
}

async function listBoth(folder: string, source: Storage, target: Storage) {
  const files = await source.list(folder)
  const own = new Set(files.map(({ name }) => name))
  const alreadyThere = new Set((await target.list(folder)).map(({ name }) => name))
  const foreign = [...alreadyThere].find((name) => !own.has(name))
  if (foreign) {
    throw new Error(
      `The place to move to holds ${foreign}, which this site does not have. Nothing was changed. Name an empty one, or set S3_PREFIX.`,
    )
  }
  return { folder, files, alreadyThere }
}

async function copy(name: string, source: Storage, target: Storage, about: { contentType: string } | undefined) {
  const file = await source.stream(name)
  if (file) await target.put(name, file.content, about)
}

/** As `sha256sum` lists them, in the order of their names. */
function sumOfAll(sums: ReadonlyMap<string, string>) {
  const lines = [...sums].map(([name, sum]) => `${sum}  ${name}\n`).toSorted((a, b) => (a.slice(66) < b.slice(66) ? -1 : 1))
  return createHash('sha256').update(lines.join('')).digest('hex')
}
