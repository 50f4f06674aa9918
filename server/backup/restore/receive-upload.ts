import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { maxExportBytes, restoreUpload } from '#contract/backups.ts'
import type { BackupSecret } from '#server/config.ts'
import { limitBody } from '#server/http/body-limits.ts'
import { isMultipart, readParts } from '#server/http/multipart.ts'
import { asDiskProblem, Problem } from '#server/http/problem.ts'
import { type Draft, type OpenFile, type Storage, StorageFailed } from '#server/storage/storage.ts'
import { refusedArchive } from '../archive/archive.rules.ts'
import { refusedExport } from '../archive/export.rules.ts'
import { ensureRoom } from '../disk-space.ts'
import { decryptedName, withPlainFile } from '../encryption.ts'

/** The file may be as large as the disk; the rest of the form is small. */
const limits = { parts: 12, bytes: Number.POSITIVE_INFINITY }

type Decryption = { storage: Storage; secret: BackupSecret | undefined }

/** A complete backup out of a form, decrypted if it is encrypted. */
export function receiveArchive<T>(
  request: FastifyRequest,
  decryption: Decryption,
  use: (file: OpenFile, filename: string) => Promise<T>,
): Promise<T> {
  if (!isMultipart(request)) throw new Problem('unsupported_media_type', { details: { reason: 'form_expected' } })
  const refuse = (cause: unknown) => refusedArchive({ reason: 'incomplete' }, cause)
  let filename = ''
  const open = (file: OpenFile) => withPlainFile(file, decryption, (plain) => use(plain, filename))
  return receive({ request, storage: decryption.storage, refuse }, open, async (write) => {
    for await (const part of readParts(request, limits)) {
      if (part.filename === undefined) continue
      filename = decryptedName(part.filename)
      if (part.name !== restoreUpload.field || !filename.toLowerCase().endsWith(restoreUpload.ending)) break
      await write(Readable.from(part.content, { objectMode: false }))
      return
    }
    throw new Problem('zip_expected')
  })
}

/** An export, which is all of the body. */
export function receiveExport<T>(request: FastifyRequest, storage: Storage, use: (file: OpenFile) => Promise<T>): Promise<T> {
  if (Number(request.headers['content-length'] ?? 0) > maxExportBytes) throw new Problem('import_too_large')
  const refuse = () => refusedExport({ reason: 'incomplete' })
  return receive({ request, storage, refuse }, use, (write) =>
    write(Readable.from(limitBody(request.raw, maxExportBytes, 'import_too_large'), { objectMode: false })),
  )
}

type Receiving = {
  request: FastifyRequest
  storage: Storage
  /** The problem of a body that does not arrive whole. */
  refuse(cause: unknown): Problem
}

/** Streams the file into the storage, calls `use`, and removes it. */
async function receive<T>(
  { request, storage, refuse }: Receiving,
  use: (file: OpenFile) => Promise<T>,
  fill: (write: Draft['write']) => Promise<void>,
): Promise<T> {
  const draft = storage.newDraft()
  try {
    await ensureRoom(storage, Number(request.headers['content-length'] ?? 0))
    await fill(draft.write).catch((error: unknown) => {
      // A browser reads the answer only after it has sent all of the file.
      request.raw.resume()
      const problem = asDiskProblem(error)
      if (problem instanceof Problem || problem instanceof StorageFailed) throw problem
      // Anything else is a connection that broke.
      throw refuse(error)
    })
    const file = await draft.open()
    return await use(file).finally(() => file.close())
  } finally {
    await draft.drop()
  }
}
