import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { maxExportBytes, restoreUpload } from '#contract/backups.ts'
import type { BackupSecret } from '#server/config.ts'
import { asDiskProblem } from '#server/http/disk-problem.ts'
import { limitBody } from '#server/http/limit-body.ts'
import { Problem } from '#server/http/problem.ts'
import { type OpenFile, type Storage, StorageFailed } from '#server/storage/storage.ts'
import { refusedArchive } from './archive.rules.ts'
import { ensureRoom } from './disk-room.ts'
import { unsealedName, withUnsealed } from './elsewhere/unsealed.ts'
import { refusedExport } from './export.rules.ts'

/** The file may be as large as the disk; the rest of the form is small. */
const uploadLimits = { files: 1, fileSize: Number.POSITIVE_INFINITY, fields: 10, fieldSize: 1_000, parts: 12, headerPairs: 50 }

type Opening = { storage: Storage; secret: BackupSecret | undefined }

/** A complete backup, out of a form; one that is encrypted is opened. */
export function receiveArchive<T>(
  request: FastifyRequest,
  opening: Opening,
  use: (file: OpenFile, filename: string) => Promise<T>,
): Promise<T> {
  if (!request.isMultipart()) throw new Problem('unsupported_media_type', { details: { reason: 'form_expected' } })
  const refuse = (cause: unknown) => refusedArchive({ reason: 'incomplete' }, cause)
  let filename = ''
  const open = (file: OpenFile) => withUnsealed(file, opening, (unsealed) => use(unsealed, filename))
  return receive({ request, storage: opening.storage, refuse }, open, async () => {
    const part = await request.file({ limits: uploadLimits })
    filename = unsealedName(part?.filename ?? '')
    if (part?.fieldname !== restoreUpload.field || !filename.toLowerCase().endsWith(restoreUpload.ending)) {
      throw new Problem('zip_expected')
    }
    return part.file
  })
}

/** An export, which is all of the body. */
export function receiveExport<T>(request: FastifyRequest, storage: Storage, use: (file: OpenFile) => Promise<T>): Promise<T> {
  if (Number(request.headers['content-length'] ?? 0) > maxExportBytes) throw new Problem('import_too_large')
  const refuse = () => refusedExport({ reason: 'incomplete' })
  return receive({ request, storage, refuse }, use, async () =>
    Readable.from(limitBody(request.raw, maxExportBytes, 'import_too_large'), { objectMode: false }),
  )
}

type Receiving = {
  request: FastifyRequest
  storage: Storage
  /** The problem of a body that does not arrive whole. */
  refuse(cause: unknown): Problem
}

/** Streams the file into the storage, hands it over, and removes it in the end. */
async function receive<T>(
  { request, storage, refuse }: Receiving,
  use: (file: OpenFile) => Promise<T>,
  open: () => Promise<Readable>,
): Promise<T> {
  const draft = storage.newDraft()
  try {
    await ensureRoom(storage, Number(request.headers['content-length'] ?? 0))
    await open()
      .then(draft.write)
      .catch((error: unknown) => {
        // Read to its end: a browser reads the answer only when all of its file has been taken.
        request.raw.unpipe()
        request.raw.resume()
        const found = asDiskProblem(error)
        if (found instanceof Problem || found instanceof StorageFailed) throw found
        // Anything else is the connection: the body did not arrive whole.
        throw refuse(error)
      })
    const file = await draft.open()
    return await use(file).finally(() => file.close())
  } finally {
    await draft.drop()
  }
}
