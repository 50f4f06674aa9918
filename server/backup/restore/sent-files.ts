import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { maxExportBytes, restoreUpload } from '#contract/backups.ts'
import type { MergeSource } from '#contract/restores.ts'
import type { Clock } from '#server/clock.ts'
import type { Database } from '#server/database/open.ts'
import { limitBody } from '#server/http/body-limits.ts'
import { isMultipart, readParts } from '#server/http/multipart.ts'
import { asDiskProblem, Problem } from '#server/http/problem.ts'
import { ranDaysBefore } from '#server/jobs/running-time.ts'
import { type Storage, StorageFailed } from '#server/storage/storage.ts'
import { decryptedName } from '../encryption.ts'
import { ensureRoom } from '../job.ts'

const folder = 'restores'
const daysKept = 2

/** A file that was sent to be restored; who knows its id has sent it. */
export const sentFile = (id: string) => `${folder}/${id}`

/** Keeps a file, which is all of the body, under a new id. */
export function keepSent(storage: Storage, request: FastifyRequest, content: AsyncIterable<Buffer> = request.raw) {
  return receive(request, () => keep(storage, request, content))
}

/** The same of an export. */
export async function keepExport(storage: Storage, request: FastifyRequest): Promise<MergeSource> {
  if (Number(request.headers['content-length'] ?? 0) > maxExportBytes) throw new Problem('import_too_large')
  const upload = await keepSent(storage, request, limitBody(request.raw, maxExportBytes, 'import_too_large'))
  return { upload, filename: 'export.json' }
}

/** A complete backup out of a form. The file may be as large as the disk; the rest of the form is small. */
export async function keepArchive(storage: Storage, request: FastifyRequest): Promise<MergeSource> {
  if (!isMultipart(request)) throw new Problem('unsupported_media_type', { details: { reason: 'form_expected' } })
  return receive(request, async () => {
    for await (const { name, filename, content } of readParts(request, { parts: 12, bytes: Number.POSITIVE_INFINITY })) {
      if (filename === undefined) continue
      const isArchive = decryptedName(filename).toLowerCase().endsWith(restoreUpload.ending)
      if (name !== restoreUpload.field || !isArchive) break
      return { upload: await keep(storage, request, content), filename }
    }
    throw new Problem('zip_expected')
  })
}

async function keep(storage: Storage, { headers }: FastifyRequest, content: AsyncIterable<Buffer>) {
  const id = randomUUID()
  await ensureRoom(storage, Number(headers['content-length'] ?? 0))
  await storage.put(sentFile(id), Readable.from(content, { objectMode: false }))
  return id
}

async function receive<T>({ raw }: FastifyRequest, work: () => Promise<T>) {
  try {
    return await work()
  } catch (error) {
    // A browser reads the answer only after it has sent all of the file.
    raw.resume()
    const problem = asDiskProblem(error)
    if (problem instanceof Problem || problem instanceof StorageFailed) throw problem
    // Anything else is a connection that broke.
    throw new Problem('file_damaged', { details: { cause: 'It did not arrive completely.' }, cause: error })
  }
}

/** Removes what was sent two days ago and not restored since. */
export async function sweepSentFiles(parts: { database: Database; storage: Storage; clock: Clock }) {
  const before = await ranDaysBefore(parts.database.db, parts.clock, daysKept)
  for (const { name, modifiedAt } of await parts.storage.list(folder)) {
    if (modifiedAt < before) await parts.storage.remove(name)
  }
}
