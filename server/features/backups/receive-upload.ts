import type { FastifyRequest } from 'fastify'
import { restoreUpload } from '#contract/backups.ts'
import { asDiskProblem } from '#server/http/disk-problem.ts'
import { Problem } from '#server/http/problem.ts'
import { type Draft, type OpenFile, type Storage, StorageFailed } from '#server/storage/storage.ts'
import { refusedArchive } from './archive.rules.ts'
import { ensureRoom } from './disk-room.ts'

/** Lets the file run into the storage as it arrives, hands it over, and removes it in the end. */
export async function receiveUpload<T>(
  request: FastifyRequest,
  storage: Storage,
  use: (file: OpenFile) => Promise<T>,
): Promise<T> {
  if (!request.isMultipart()) throw new Problem('unsupported_media_type', { message: 'This address takes a form with a file.' })
  await ensureRoom(storage, Number(request.headers['content-length'] ?? 0))
  const draft = storage.newDraft()
  try {
    await receive(request, draft)
    const file = await draft.open()
    return await use(file).finally(() => file.close())
  } finally {
    await draft.drop()
  }
}

async function receive(request: FastifyRequest, draft: Draft) {
  try {
    const part = await request.file({ limits: { files: 1, fileSize: Number.POSITIVE_INFINITY } })
    const isArchive = part?.fieldname === restoreUpload.field && part.filename.toLowerCase().endsWith(restoreUpload.ending)
    if (!part || !isArchive) throw new Problem('zip_expected')
    await draft.write(part.file)
  } catch (error) {
    // Let the rest go by: a browser reads the answer only when all of its file has been taken.
    request.raw.unpipe()
    request.raw.resume()
    const found = asDiskProblem(error)
    if (found instanceof Problem || found instanceof StorageFailed) throw found
    // What else goes wrong here is the line: the form did not arrive whole.
    throw refusedArchive('It did not arrive whole.', error)
  }
}
