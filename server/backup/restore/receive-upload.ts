import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { maxExportBytes, restoreUpload } from '#contract/backups.ts'
import { limitBody } from '#server/http/body-limits.ts'
import { isMultipart, readParts } from '#server/http/multipart.ts'
import { asDiskProblem, Problem } from '#server/http/problem.ts'
import { type Storage, StorageFailed } from '#server/storage/storage.ts'
import { ensureRoom } from '../disk-space.ts'
import { decryptedName } from '../encryption.ts'
import { openSentFiles } from './sent-files.ts'

type Parts = { storage: Storage; adminId: string }
/** Called with the id of the file, which is removed afterwards. */
type Use<T> = (upload: string) => Promise<T>
type Write = (content: Readable) => Promise<void>

/** The file may be as large as the disk; the rest of the form is small. */
const limits = { parts: 12, bytes: Number.POSITIVE_INFINITY }

/** A complete backup out of a form. */
export function receiveArchive<T>(request: FastifyRequest, parts: Parts, use: Use<T>) {
  if (!isMultipart(request)) throw new Problem('unsupported_media_type', { details: { reason: 'form_expected' } })
  return receive(request, parts, use, async (write) => {
    for await (const part of readParts(request, limits)) {
      if (part.filename === undefined) continue
      const isArchive = decryptedName(part.filename).toLowerCase().endsWith(restoreUpload.ending)
      if (part.name !== restoreUpload.field || !isArchive) break
      await write(Readable.from(part.content, { objectMode: false }))
      return part.filename
    }
    throw new Problem('zip_expected')
  })
}

/** An export, which is all of the body. */
export function receiveExport<T>(request: FastifyRequest, parts: Parts, use: Use<T>) {
  if (Number(request.headers['content-length'] ?? 0) > maxExportBytes) throw new Problem('import_too_large')
  return receive(request, parts, use, async (write) => {
    await write(Readable.from(limitBody(request.raw, maxExportBytes, 'import_too_large'), { objectMode: false }))
    return 'export.json'
  })
}

async function receive<T>(
  request: FastifyRequest,
  { storage, adminId }: Parts,
  use: Use<T>,
  fill: (write: Write) => Promise<string>,
): Promise<T> {
  const sent = openSentFiles(storage)
  await ensureRoom(storage, Number(request.headers['content-length'] ?? 0))
  const upload = await sent.receiveWhole(adminId, (write) =>
    fill(write).catch((error: unknown) => {
      // A browser reads the answer only after it has sent all of the file.
      request.raw.resume()
      const problem = asDiskProblem(error)
      if (problem instanceof Problem || problem instanceof StorageFailed) throw problem
      // Anything else is a connection that broke.
      throw new Problem('file_damaged', { details: { cause: 'It did not arrive completely.' }, cause: error })
    }),
  )
  // What stays is swept later.
  return use(upload).finally(() => sent.drop(upload).catch(() => {}))
}
