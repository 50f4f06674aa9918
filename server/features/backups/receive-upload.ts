import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { FastifyRequest } from 'fastify'
import { restoreUpload } from '#contract/backups.ts'
import { Problem } from '#server/http/problem.ts'
import type { Unfinished } from '#server/storage/unfinished.ts'
import { refusedArchive } from './archive.rules.ts'
import { asDiskFull, ensureRoom } from './disk-room.ts'

/** Lets the file run to the disk as it arrives, hands it over, and removes it in the end. */
export async function receiveUpload<T>(
  request: FastifyRequest,
  unfinished: Unfinished,
  use: (file: string) => Promise<T>,
): Promise<T> {
  if (!request.isMultipart()) throw new Problem('unsupported_media_type', { message: 'This address takes a form with a file.' })
  await ensureRoom(unfinished, Number(request.headers['content-length'] ?? 0))
  const file = unfinished.newFile()
  try {
    await receive(request, file)
    return await use(file)
  } finally {
    await rm(file, { force: true })
  }
}

async function receive(request: FastifyRequest, file: string) {
  try {
    const part = await request.file({ limits: { files: 1, fileSize: Number.POSITIVE_INFINITY } })
    const isArchive = part?.fieldname === restoreUpload.field && part.filename.toLowerCase().endsWith(restoreUpload.ending)
    if (!part || !isArchive) throw new Problem('zip_expected')
    await pipeline(part.file, createWriteStream(file, { flags: 'wx' }))
  } catch (error) {
    const found = asDiskFull(error)
    if (found instanceof Problem) throw found
    // What else goes wrong here is the line: the form did not arrive whole.
    throw refusedArchive('It did not arrive whole.', error)
  }
}
